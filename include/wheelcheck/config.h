// The configuration of a project, as plain data. It comes from wheelcheck.toml or from the table [tool.wheelcheck] of
// pyproject.toml (docs/configuration.md). Keys may be set for all wheels, and again for wheels whose file name matches
// a glob. This header contains the parsed values; it owns all its texts.
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

// A date of the Gregorian calendar.
struct Date {
  unsigned year = 0, month = 0, day = 0;
  auto operator<=>(const Date&) const = default;
};
// "2027-01-31"; nullopt: not in this form, or not a date of the calendar.
std::optional<Date> parse_date(std::string_view text);
std::string text_of(const Date& date);

// A finding that is accepted: its rule, its place, the reason, and until when it is accepted.
struct IgnoreRule {
  std::string rule;                // code, prefix of a code, or name
  std::string path;                // glob of the member that a finding refers to; empty: any place
  std::string reason;              // empty: none given
  std::optional<Date> until = {};  // the last day on which the rule is ignored
  std::string where = {};          // where the entry is written: "pyproject.toml:12"
};
// A severity that replaces the default of a rule.
struct SeverityOverride {
  std::string rule;
  Severity severity = Severity::Error;
};
// The most symbols that a file may export.
struct ExportBudget {
  std::string path;  // glob of members
  std::uint32_t exports = 0;
};
// A library that another distribution provides.
struct ExternalLibrary {
  std::string library;       // glob of sonames
  std::string distribution;  // "" if not given
  std::string when;          // "extra:NAME", "optional", or "" for always
};
// A rule of the project about names: symbols that files export, or libraries that they need.
struct NameRule {
  std::string names;   // glob of symbols, mangled or demangled, or of sonames
  std::string path;    // glob of the members that it applies to; empty: all
  std::string reason;  // never empty
};
// The largest size of a member.
struct SizeBudget {
  std::string path;         // glob of members
  std::uint64_t bytes = 0;  // inflated
};
// Required platform tags of files for one machine.
struct TagsOfMachine {
  std::string machine;  // "x86_64"
  std::vector<std::string> tags;
};
// The lowest severity that fails the run.
struct FailOn {
  std::optional<Severity> least;  // nullopt: no finding fails the run
};

// Keys that may be set for all wheels and in an override. An absent key is nullopt or an empty list.
struct ConfigKeys {
  std::optional<std::vector<std::string>> require_tags, select, ignore, own_namespaces, own_sonames;
  std::optional<std::vector<unsigned>> required_sm;
  std::optional<bool> pedantic, self_contained;
  std::optional<FailOn> fail_on;
  std::optional<std::uint64_t> max_size;
  std::optional<std::string> index;
  std::optional<std::uint32_t> max_exports, leak_threshold;
  std::optional<StringAbi> string_abi;
  // Lists. The entries of an override are added to those of the file.
  std::vector<SeverityOverride> severities;
  std::vector<ExportBudget> export_budgets;
  std::vector<SizeBudget> size_budgets;
  std::vector<NameRule> forbidden_exports, allowed_exports, forbidden_needed;
  std::vector<TagsOfMachine> tags_of_machines;
  std::vector<ExternalLibrary> external;
  std::vector<IgnoreRule> ignores;
};
// Keys for the wheels whose file name matches.
struct ConfigOverride {
  std::string wheel;  // glob of file names
  ConfigKeys keys;
};
// The file that was read.
struct ConfigFile {
  std::string name;    // base name
  std::string sha256;  // lower-case hex
};
struct Config {
  ConfigFile file;
  ConfigKeys keys;
  std::vector<std::string> policies, knowledge;  // paths that can be opened
  std::vector<ConfigOverride> overrides;  // in file order; if several match a wheel, the last one takes precedence
};

}  // namespace wheelcheck
