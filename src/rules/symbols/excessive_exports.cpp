// WC203: more exported symbols in one file than a budget allows.
#include <fmt/format.h>

#include "base/text.h"
#include "rules/symbols/leaks.h"

namespace wheelcheck::rules {
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
  return view.options.max_exports;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
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

extern const Rule excessive_exports{
    .code = "WC203",
    .name = "excessive-exports",
    .severity = Severity::Warning,
    .summary = "A file exports more symbols than the budget.",
    .why =
        "Each exported symbol costs space in three tables, time when the library is loaded, and an optimisation: the "
        "compiler may neither inline nor drop what others may replace. Above all it is surface on which this file and "
        "others can be bound to each other. A Python extension needs one export; a library that several files of a "
        "wheel share seldom needs more than a few thousand.",
    .remedy =
        "Compile with `-fvisibility=hidden` and mark the interface with `__attribute__((visibility(\"default\")))`, "
        "link static libraries with `-Wl,--exclude-libs,ALL`, or use a version script that ends in `local: *;`. "
        "`--max-exports` moves the budget, `export-budget` in the configuration file that of single files.",
    .false_positives = "None: it is a number. Whether it is too high is for the project to say.",
    .check = check,
};

}  // namespace wheelcheck::rules
