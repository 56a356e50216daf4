// Limits that a project sets itself in its configuration.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

// WC011: libraries that the project forbids its files to need (docs/configuration.md).
namespace wheelcheck::rules::forbidden_needed {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.forbidden_needed.empty()) return;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic) return;
    for (const NameRule& rule : view.options.forbidden_needed) {
      if (!rule.path.empty() && !glob_match(rule.path, path_of(view, index))) continue;
      std::vector<std::string_view> listed;
      for (const std::string_view library : elf.facts.dynamic->needed) {
        if (!glob_match(rule.names, library) || std::ranges::find(listed, library) != listed.end()) continue;
        listed.push_back(library);
        emit({.place = AtElf{index},
              .message =
                  fmt::format("requires {}, which forbid-needed \"{}\" forbids: {}", library, rule.names, rule.reason),
              .evidence = {{"library", std::string(library)}, {"reason", rule.reason}},
              .fix = fmt::format("link without it, or link it statically; what requires it: wheelcheck tree {}",
                                 shell_word(view.wheel.file)),
              .severity = {}});
      }
    }
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC011",
    .name = "forbidden-needed",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::forbidden_needed

// WC012: members that are larger than the project allows (docs/configuration.md).
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
