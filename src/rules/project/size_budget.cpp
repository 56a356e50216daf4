// WC012: members that are larger than the project allows (docs/configuration.md).
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::size_budget {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.size_budgets.empty()) return;
  for (std::uint32_t i = 0; i < view.wheel.members.size(); ++i) {
    const MemberFacts& member = view.wheel.members[i];
    const auto is_of = [&](const SizeBudget& budget) { return glob_match(budget.path, member.path.text()); };
    const auto budget = std::ranges::find_if(view.options.size_budgets, is_of);
    if (budget == view.options.size_budgets.end() || member.size <= budget->bytes) continue;
    emit({.place = AtMember{MemberIndex{i}},
          .message = fmt::format("has {} bytes, {} above the size-budget of {}", member.size,
                                 megabytes(member.size - budget->bytes), budget->bytes),
          .evidence = {{"budget", fmt::format("\"{}\" = {}", budget->path, budget->bytes)}},
          .fix = fmt::format("make it smaller (strip -g removes debug information), or raise the budget: size-budget = "
                             "{{ \"{}\" = {} }}",
                             budget->path, member.size),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC012",
    .name = "size-budget",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::size_budget
