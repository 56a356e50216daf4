// WC210: an import that works by itself and fails beside the others.
#include <fmt/format.h>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules {
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

extern const Rule import_fails_together{
    .code = "WC210",
    .name = "import-fails-together",
    .severity = Severity::Error,
    .summary = "A module can be imported by itself, but not beside the other distributions.",
    .why =
        "A library is loaded once for each name. If another distribution loaded a library of that name first, its "
        "symbols and versions must do for all, and where one is missing the loader refuses the import: `undefined "
        "symbol`, `version ... not found`.",
    .remedy =
        "Give libraries in a wheel names of their own, as `auditwheel repair` does, so that each distribution finds "
        "the "
        "copy it was built with. Importing the other distribution later may help, as long as that one is content with "
        "this one's copy.",
    .false_positives = "Modules that are imported only under conditions are told as warnings.",
    .check_set = check_set,
};

}  // namespace wheelcheck::rules
