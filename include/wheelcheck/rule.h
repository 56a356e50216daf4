// A rule is one file in src/rules: an opinion about facts, pure, with its own page.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wheelcheck/binding.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// All that a rule may see: the wheel, where its libraries were found, how it measures up, and what it claims.
struct WheelView {
  const WheelFacts& wheel;
  const Resolution& resolution;
  std::span<const Assessment> assessments;
  std::span<const Claim> claims;
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
  std::string_view summary;  // what it detects, one line
  std::string_view why;
  std::string_view remedy;           // what to type
  std::string_view false_positives;  // known ones; "none known" where there are none
  void (*check)(const WheelView&, const Emit&);
};

// Every rule, by code. The build writes the list from the files of src/rules.
std::span<const Rule* const> all_rules();
// By code or name, any case; null if there is none.
const Rule* find_rule(std::string_view code_or_name);

}  // namespace wheelcheck
