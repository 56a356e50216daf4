// The lines of Requires-Dist, and environment markers (PEP 508), as the Python library `packaging` parses them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck {

// Letters, digits, '.', '_' and '-'; the first and the last character are letters or digits (PEP 508, "Names").
bool is_project_name(std::string_view text);
// Lower case, with each run of '-', '_' and '.' replaced by one '-' (PEP 503).
std::string normal_project_name(std::string_view text);

// One line: foo[bar]>=1.0; python_version < "3.12"
struct Dependency {
  std::string name;                  // normalised; "" if the line does not start with a name
  std::vector<std::string> extras;   // extras of that distribution, normalised: cuda-toolkit[cublas,cudart]
  std::string specifier;             // ">=1.2,<2" without blanks; "" if every version is accepted; "@URL"
  std::string marker;                // behind ';'; "" if there is none
  std::optional<std::string> under;  // the extra that the marker names, if any
  bool for_linux = true;             // false if the marker is false for every CPython on Linux
};
// Never fails: of an invalid line, as much as can be read.
Dependency parse_dependency(std::string_view line);
// Its specifier.
std::string specifier_of(std::string_view line);
// True for specifiers that allow one release: "==2.41.5".
bool is_one_release(std::string_view specifiers);
// True if an extra requires the release of the same number: a part of the project that is published with it, and that
// it uses where it is here (psycopg and psycopg-binary).
bool is_optional_part(std::string_view line, std::string_view version);
// What is invalid in a line, as a phrase that follows the field's name and value: "has the invalid version specifier
// '>1.x'". "" if it is valid.
std::string requirement_problem(std::string_view line);

// Evaluates a marker for CPython on Linux. `python` is "3.11", or empty if unknown. `extra` is the normalised extra for
// which the marker is evaluated, or "". nullopt if it depends on values that are unknown here (machine, kernel), and
// for texts that are not markers.
std::optional<bool> evaluate_marker(std::string_view marker, std::string_view python, std::string_view extra);
// The same; true if it is unknown.
bool accepts(std::string_view marker, std::string_view python, std::string_view extra);
// Whether the text is a valid marker: the grammar and the variable names of PEP 508.
bool is_marker(std::string_view text);

}  // namespace wheelcheck
