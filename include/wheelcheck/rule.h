// A rule is one file in src/rules: a pure function that reports what it finds in facts. Its text for users is a page of
// docs/rules, which the build compiles into the program (rules/page.h).
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

// What the user may set for rules, on the command line or in a configuration file.
struct RuleOptions {
  std::vector<std::string> own_namespaces;  // C++ scopes and library ids that are the wheel's own product
  std::vector<std::string> own_sonames;     // globs of sonames that others must find under that name
  std::uint32_t max_exports = 20'000;       // of one file
  std::uint32_t leak_threshold = 50;        // exports of a known library's C++ scopes, fewer are not worth a word
  std::string index;                        // "pypi": the index whose upload rules apply; "" for none
  std::uint64_t max_wheel_bytes = std::uint64_t{100} << 20;  // what the main index takes unless it is asked
  StringAbi required_string_abi = StringAbi::None;           // New or Old: the ABI that the wheel must speak
  std::vector<unsigned> required_sm;         // 80 90: compute capabilities that the device code must serve
  std::vector<ExportBudget> export_budgets;  // in place of max_exports; the first that matches
  std::vector<ExternalLibrary> external;     // who is said to provide what
  std::vector<SizeBudget> size_budgets;      // of members, inflated; the first that matches
  std::vector<NameRule> forbidden_exports, allowed_exports, forbidden_needed;
};

// All that a rule may see: the wheel, where its libraries were found, how it measures up, what it claims, what its
// facts mean, and what is known of the world.
struct WheelView {
  const WheelFacts& wheel;
  const Resolution& resolution;
  std::span<const Assessment> assessments;
  std::span<const Claim> claims;
  const Analysis& analysis;
  const Knowledge& knowledge;
  const RuleOptions& options;
  std::span<const WheelFacts> providers = {};  // --provider wheels, as the indices of `resolution` count them
  const Required* required = nullptr;          // null: no tag is required
};

// What became of an ignore-rule, over all wheels of the run that it is for.
struct IgnoreUse {
  const IgnoreRule* ignore = nullptr;
  std::size_t findings = 0;          // that it took out
  bool judged = false;               // a rule that it names took part
  std::optional<Date> expired = {};  // the day by which it no longer holds
};
// What a rule about the configuration may see, when every wheel was judged.
struct ConfigView {
  std::span<const IgnoreUse> ignores;
};

// What a rule about several wheels in one process may see.
struct SetView {
  const Conflicts& conflicts;
  const Knowledge& knowledge;
  const RuleOptions& options;
};

// Rules hand over findings without rule and severity; the engine fills both in, so that neither can be forged.
class Emit {
 public:
  struct Draft {
    Place place;
    std::string message;
    std::vector<Evidence> evidence;
    std::string fix;
    // A rule may call a single case milder or graver than its page says; the page says when.
    std::optional<Severity> severity;
    std::optional<Confidence> confidence;
    std::vector<std::uint32_t> load_plans = {};  // Finding::load_plans
  };
  explicit Emit(std::vector<Draft>& out) : out_(out) {}
  void operator()(Draft draft) const { out_.push_back(std::move(draft)); }

 private:
  std::vector<Draft>& out_;
};

struct Rule {
  std::string_view code;  // WC601; never given twice
  std::string_view name;  // executable-stack; the file's name with '-' for '_'
  Severity severity;
  Confidence confidence = Confidence::High;
  bool pedantic = false;  // takes part only where it is selected by name, or with --pedantic
  // Not null where an attacker could use what the rule finds: how bad that would be, as code scanning services count it
  // (a number from 0.1 to 10.0), or "" where it has no number.
  const char* security = nullptr;
  // The check of one wheel, of several wheels in one process, or of the configuration. A rule has at least one.
  void (*check)(const WheelView&, const Emit&) = nullptr;
  void (*check_set)(const SetView&, const Emit&) = nullptr;
  void (*check_config)(const ConfigView&, const Emit&) = nullptr;
};

// Every rule, by code. The build writes the list from the files of src/rules.
std::span<const Rule* const> all_rules();
// By code or name, any case; null if there is none.
const Rule* find_rule(std::string_view code_or_name);

}  // namespace wheelcheck
