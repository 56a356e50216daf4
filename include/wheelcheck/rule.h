// A rule: one file in src/rules with a pure function that reports findings from facts. Its documentation is a page of
// docs/rules, which the build embeds into the program (rules/page.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/config.h"
#include "wheelcheck/conflicts.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// Options of rules, from the command line or a configuration file.
struct RuleOptions {
  std::vector<std::string> own_namespaces;  // C++ scopes and library ids that are considered the wheel's own
  std::vector<std::string> own_sonames;     // globs of sonames of the wheel that other wheels link
  std::uint32_t max_exports = 20'000;       // per file
  std::uint32_t leak_threshold = 50;        // exports of a known library's C++ scopes; fewer are not reported
  std::string index;                        // "pypi": the index whose upload rules apply; "" for none
  std::uint64_t max_wheel_bytes = std::uint64_t{100} << 20;  // the limit of PyPI without a request
  StringAbi required_string_abi = StringAbi::None;           // New or Old: the ABI that the wheel must use
  std::vector<unsigned> required_sm;         // compute capabilities that the device code must support: 80 90
  std::vector<ExportBudget> export_budgets;  // used instead of max_exports; the first match applies
  std::vector<ExternalLibrary> external;     // libraries of other distributions
  bool self_contained = false;           // a library of another distribution is missing, even if METADATA requires it
  std::vector<SizeBudget> size_budgets;  // inflated sizes of members; the first match applies
  std::vector<NameRule> forbidden_exports, allowed_exports, forbidden_needed;
};

// The input of a rule about one wheel: everything that is known of it. All members are references; the engine owns the
// objects.
struct WheelView {
  const WheelFacts& wheel;
  const Resolution& resolution;
  std::span<const Assessment> assessments;
  std::span<const Claim> claims;
  const Analysis& analysis;
  const Knowledge& knowledge;
  const RuleOptions& options;
  std::span<const WheelFacts> providers = {};  // --provider wheels, as the indices of `resolution` count them
  const Required* required = nullptr;          // null: no required tags
};

// How an ignore rule was used, over all wheels of the run that it applies to.
struct IgnoreUse {
  const IgnoreRule* ignore = nullptr;
  std::size_t findings = 0;          // number of findings that it excluded
  bool judged = false;               // a rule that it names was run
  std::optional<Date> expired = {};  // set if the rule has expired: the date that `until` was compared with
};
// The input of a rule about the configuration. These rules run after all wheels are judged.
struct ConfigView {
  std::span<const IgnoreUse> ignores;
};

// The input of a rule about several wheels in one process.
struct SetView {
  const Conflicts& conflicts;
  const Knowledge& knowledge;
  const RuleOptions& options;
};

// Receives the findings of a rule. A rule does not set Finding::rule and cannot claim to be another rule: the engine
// fills in the rule and its default severity.
class Emit {
 public:
  struct Draft {
    Place place;
    std::string message;
    std::vector<Evidence> evidence;
    std::string fix;
    // Replaces the rule's default for this case. The page of the rule says when.
    std::optional<Severity> severity;
    std::optional<Confidence> confidence;
    std::vector<std::uint32_t> load_plans = {};  // Finding::load_plans
    std::optional<SystemCondition> on = {};      // Finding::on
  };
  explicit Emit(std::vector<Draft>& out) : out_(out) {}
  void operator()(Draft draft) const { out_.push_back(std::move(draft)); }

 private:
  std::vector<Draft>& out_;
};

// The description of a rule.
struct Rule {
  std::string_view code;  // "WC601"; never reused
  std::string_view name;  // "executable-stack"; the file name with '-' for '_'
  Severity severity;
  Confidence confidence = Confidence::High;
  bool pedantic = false;  // runs only if selected by name or with --pedantic
  bool ordered = false;   // the findings in a file stay in the order in which the rule emits them, not by message
  // Where its finding is an error, the file cannot be loaded or imported on any system that the tag names, or on those
  // of Finding::on, whatever else is installed there.
  bool stops_import = false;
  // Not null if an attacker could use what the rule finds. The text is the security severity for code scanning
  // services, a number from 0.1 to 10.0, or "" if it has no number.
  const char* security = nullptr;
  // The check of one wheel, of several wheels in one process, or of the configuration. At least one is set.
  void (*check)(const WheelView&, const Emit&) = nullptr;
  void (*check_set)(const SetView&, const Emit&) = nullptr;
  void (*check_config)(const ConfigView&, const Emit&) = nullptr;
};

// All rules by code. The build generates the list from the files of src/rules.
std::span<const Rule* const> all_rules();
// Finds a rule by code or name, case-insensitive. Null if there is none.
const Rule* find_rule(std::string_view code_or_name);

}  // namespace wheelcheck
