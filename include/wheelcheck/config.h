// What a project says in wheelcheck.toml or in [tool.wheelcheck] of pyproject.toml, as plain data
// (docs/configuration.md).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/finding.h"

namespace wheelcheck {

struct Date {
  unsigned year = 0, month = 0, day = 0;
  auto operator<=>(const Date&) const = default;
};
std::optional<Date> parse_date(std::string_view text);  // "2027-01-31", a day that the calendar has
std::string text_of(const Date& date);

// A finding that is meant to be: of which rule, where, why, and until when.
struct IgnoreRule {
  std::string rule;                // code, start of a code, or name
  std::string path;                // glob of the member that a finding is about; empty: any place
  std::string reason;              // empty: none is given
  std::optional<Date> until = {};  // the last day on which it holds
  std::string where = {};          // "pyproject.toml:12"
};
struct SeverityOverride {
  std::string rule;
  Severity severity = Severity::Error;
};
struct ExportBudget {
  std::string path;  // glob of members
  std::uint32_t exports = 0;
};
// A library that another distribution provides.
struct ExternalLibrary {
  std::string library;       // glob of sonames
  std::string distribution;  // "" where it is not said
  std::string when;          // "extra:NAME", "optional", or "" for always
};
// A project's own rule about names: of symbols that files export, or of libraries that they need.
struct NameRule {
  std::string names;   // glob of symbols, mangled or demangled, or of sonames
  std::string path;    // glob of the members that it is for; empty: all
  std::string reason;  // never empty
};
struct SizeBudget {
  std::string path;  // glob of members
  std::uint64_t bytes = 0;
};
// Tags that are required of files for one machine.
struct TagsOfMachine {
  std::string machine;  // x86_64
  std::vector<std::string> tags;
};
struct FailOn {
  std::optional<Severity> least;  // nullopt: nothing fails
};

// What may be said for all wheels or for some. A key that is not there is empty.
struct ConfigKeys {
  std::optional<std::vector<std::string>> require_tags, select, ignore, own_namespaces, own_sonames;
  std::optional<std::vector<unsigned>> required_sm;
  std::optional<bool> pedantic;
  std::optional<FailOn> fail_on;
  std::optional<std::uint64_t> max_size;
  std::optional<std::string> index;
  std::optional<std::uint32_t> max_exports, leak_threshold;
  std::optional<StringAbi> string_abi;
  // Entries; those of an override add to those of the file.
  std::vector<SeverityOverride> severities;
  std::vector<ExportBudget> export_budgets;
  std::vector<SizeBudget> size_budgets;
  std::vector<NameRule> forbidden_exports, allowed_exports, forbidden_needed;
  std::vector<TagsOfMachine> tags_of_machines;
  std::vector<ExternalLibrary> external;
  std::vector<IgnoreRule> ignores;
};
struct ConfigOverride {
  std::string wheel;  // glob of file names
  ConfigKeys keys;
};
// Which file was read.
struct ConfigFile {
  std::string name;    // base name
  std::string sha256;  // lower-case hex
};
struct Config {
  ConfigFile file;
  ConfigKeys keys;
  std::vector<std::string> policies, knowledge;  // paths as they can be opened
  std::vector<ConfigOverride> overrides;         // in order; of two that match, the later one wins
};

}  // namespace wheelcheck
