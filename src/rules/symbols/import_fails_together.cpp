// WC210: an import that works by itself and fails beside the others.
#include <fmt/format.h>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::import_fails_together {
namespace {

std::string what_fails(const Installation& all, const PlannedOpen& open) {
  if (!open.module.empty()) return fmt::format("import of {}", open.module);
  return open.object ? fmt::format("loading of {}", file_name(all, *open.object)) : "loading of a library";
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  for (const ImportFailure& failure : conflicts.failures) {
    const PlannedOpen& open = conflicts.load_plans[failure.load_plan].opens[failure.at.step][failure.at.open];
    std::vector<Evidence> evidence{{failure.fatal ? "ld.so ends it" : "ImportError", failure.error}};
    add_orders(conflicts, {failure.load_plan}, evidence);
    const auto order = safe_order(conflicts, {failure.load_plan});
    emit({.place = open.object ? Place(AtObject{*open.object}) : Place(WholeWheel{}),
          .message = fmt::format("{} fails after the others of the order, and works without them",
                                 what_fails(conflicts.installation, open)),
          .evidence = std::move(evidence),
          .fix = order
                     ? fmt::format("import in the order {}; the distributions must give the library that they share "
                                   "different names (auditwheel does), or require one build of it",
                                   *order)
                     : "give the library that both bring different names (auditwheel does), or require one build of it",
          .severity = failure.maybe ? Severity::Warning : Severity::Error,
          .load_plans = {failure.load_plan}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC210",
    .name = "import-fails-together",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::import_fails_together
