// WC203: a file exports more symbols than a limit allows.
#include <fmt/format.h>

#include "base/text.h"
#include "rules/symbols/leaks.h"

namespace wheelcheck::rules::excessive_exports {
namespace {

std::string top_scopes(const ExportSummary& exports) {
  std::vector<std::string> parts;
  for (const ScopeCount& scope : exports.scopes) {
    if (parts.size() == shown_items) break;
    parts.push_back(fmt::format("{} {}", scope.scope.empty() ? "(global)" : scope.scope, scope.exports));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::uint32_t budget_of(const WheelView& view, ElfIndex elf) {
  for (const ExportBudget& budget : view.options.export_budgets)
    if (glob_match(budget.path, path_of(view, elf))) return budget.exports;
  // Only the plugins of a program use what it exports.
  if (std::holds_alternative<Program>(view.wheel.elfs[elf.value].role)) return UINT32_MAX;
  return view.options.max_exports;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_distinct(view, [&](ElfIndex index, const ElfMember&) {
    const ExportSummary& exports = view.analysis.elfs[index.value].exports;
    const std::uint32_t budget = budget_of(view, index);
    if (exports.all <= budget) return;
    std::vector<Evidence> evidence;
    if (!exports.scopes.empty()) evidence.push_back({"C++ namespaces", top_scopes(exports)});
    evidence.push_back({"C names", fmt::format("{}", exports.c)});
    evidence.push_back({"vtables, typeinfo and guards", fmt::format("{}", exports.rtti)});
    emit({.place = AtElf{index},
          .message = fmt::format("exports {} symbols, above the budget of {}", exports.all, budget),
          .evidence = std::move(evidence),
          .fix = how_to_hide(view, index),
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC203",
    .name = "excessive-exports",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::excessive_exports
