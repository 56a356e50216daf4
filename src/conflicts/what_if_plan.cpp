// The changes of --what-if that concern whole wheels: other dlopen flags for what a wheel's Python code opens, and
// another version of a wheel.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "conflicts/what_if.h"
#include "model/requires_dist.h"

namespace wheelcheck::conflicts {
namespace {

constexpr std::string_view replace_word = "replace ", flags_word = "dlopen-flags ";

std::unexpected<Error> unfit(std::string_view text, std::string_view why) {
  return std::unexpected(Error{ErrorCode::Usage, fmt::format("--what-if {}: {}", escape(text), why)});
}

struct FlagChange {
  std::string wheel;  // a pattern
  process::OpenFlags flags;
};

// "dlopen-flags WHEEL LOCAL,NOW"
Result<FlagChange> read_flag_change(const std::string& text) {
  const std::vector<std::string_view> words = split(text, ' ');
  if (words.size() != 3) return unfit(text, "expected \"dlopen-flags WHEEL FLAGS\"");
  FlagChange out{.wheel = normal_project_name(words[1]), .flags = {}};
  const std::array<std::pair<std::string_view, bool*>, 4> known = {{{"global", &out.flags.global},
                                                                    {"lazy", &out.flags.lazy},
                                                                    {"deepbind", &out.flags.deepbind},
                                                                    {"nodelete", &out.flags.nodelete}}};
  for (const std::string_view word : split(words[2], ',')) {
    std::string flag = lower(word);
    if (flag.starts_with("rtld_")) flag.erase(0, 5);
    if (flag == "local" || flag == "now") continue;  // the default of CPython
    const auto found = std::ranges::find(known, std::string_view(flag), [](const auto& each) { return each.first; });
    if (found == known.end()) return unfit(text, "expected LOCAL, GLOBAL, NOW, LAZY, DEEPBIND or NODELETE");
    *found->second = true;
  }
  return out;
}

}  // namespace

std::vector<std::string> replacing_wheels(std::span<const std::string> changes) {
  std::vector<std::string> out;
  for (const std::string& text : changes)
    if (text.starts_with(replace_word)) out.push_back(text.substr(replace_word.size()));
  return out;
}

Result<void> replace_wheels(std::vector<WheelFacts>& wheels, std::size_t count) {
  const std::size_t kept = wheels.size() - std::min(count, wheels.size());
  for (std::size_t i = kept; i < wheels.size(); ++i) {
    const std::string name = normal_project_name(name_of_distribution(wheels[i]));
    const auto end = wheels.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto at = std::find_if(wheels.begin(), end, [&](const WheelFacts& each) {
      return normal_project_name(name_of_distribution(each)) == name;
    });
    if (at == end) return unfit("replace " + wheels[i].file, fmt::format("no distribution here is called {}", name));
    *at = std::move(wheels[i]);
  }
  wheels.erase(wheels.begin() + static_cast<std::ptrdiff_t>(kept), wheels.end());
  return {};
}

Result<void> apply_what_if(std::vector<LoadPlan>& load_plans, const Installation& installation,
                           std::span<const std::string> changes) {
  for (const std::string& text : changes) {
    if (!text.starts_with(flags_word)) continue;
    const auto change = read_flag_change(text);
    if (!change) return std::unexpected(change.error());
    const auto is_meant = [&](const std::optional<DistributionIndex>& distribution) {
      return distribution && glob_match(change->wheel, normal_project_name(name_of_distribution(
                                                           installation.distributions[distribution->value].facts)));
    };
    bool found = false;
    for (LoadPlan& load_plan : load_plans)
      for (std::size_t step = 0; step < load_plan.opens.size(); ++step)
        for (std::size_t i = 0; i < load_plan.opens[step].size(); ++i) {
          PlannedOpen& planned = load_plan.opens[step][i];
          if (!is_meant(planned.distribution) || planned.in_code) continue;
          found = true;
          load_plan.plan.steps[step].opens[i].flags = change->flags;
          planned.flags.reset();
          if (change->flags.global || change->flags.deepbind)
            planned.flags = FlagSource{.by = FlagSource::By::CommandLine, .text = text};
        }
    if (!found && !load_plans.empty()) return unfit(text, "no wheel here of that name opens a file");
  }
  return {};
}

}  // namespace wheelcheck::conflicts
