// Requires-Dist lines of METADATA (PEP 508): which distributions a wheel depends on, in which versions, and under which
// extra. Only the parts that wheelcheck needs are parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/installation.h"

namespace wheelcheck {

// Lower case, with each run of '-', '_' and '.' replaced by one '-' (PEP 503).
std::string normal_project_name(std::string_view text);

// One dependency.
struct Dependency {
  std::string name;                  // normalised name
  std::vector<std::string> extras;   // extras of that distribution: cuda-toolkit[cublas,cudart]
  std::optional<std::string> under;  // the extra that the marker names, if any
  bool for_linux = true;             // false if the marker names another system
};
// Never fails. A line that does not start with a name gives an empty name.
Dependency parse_dependency(std::string_view line);

// --- version specifiers (PEP 440, PEP 508), only for final releases -----------------------------------------------

// ">=1.2,<2" of "foo[bar] (>=1.2,<2); marker"; "" if every version is accepted.
std::string specifier_of(std::string_view requirement);
// Whether the specifier accepts the version. nullopt for versions and clauses that are not supported: pre-releases,
// ===, URLs.
std::optional<bool> allows(std::string_view specifier, std::string_view version);

// --- names of distributions, and the dependencies in an installation ----------------------------------------------

// The name in the metadata, or else in the file name. For files that belong to no distribution, the name that is used
// for all such files.
std::string name_of_distribution(const WheelFacts& wheel);
// One flag per distribution: true if the metadata of `distribution` requires it, directly or indirectly. Dependencies
// under an extra, or on another system, do not count.
std::vector<bool> required_by(const Installation& installation, DistributionIndex distribution);
// The same distributions, each after those of `order` that it requires, and otherwise in the given order. The import of
// a package imports what it needs first.
std::vector<DistributionIndex> requirements_first(const Installation& installation,
                                                  const std::vector<DistributionIndex>& order);

}  // namespace wheelcheck
