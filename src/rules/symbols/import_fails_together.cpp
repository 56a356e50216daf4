// WC210: an import works alone and fails in a process with the other wheels.
#include <fmt/format.h>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::import_fails_together {
namespace {

// The file that causes the failure: the loaded library that lacks the version, or the one that was loaded under the
// name.
std::string in_the_way(const Installation& all, const ImportFailure& failure) {
  if (!failure.missing || !failure.missing->library) return "";
  return std::string(file_name(all, *failure.missing->library));
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const FailureGroup& group : grouped_failures(conflicts)) {
    const ImportFailure& failure = *group.first;
    if (failure.alone || (failure.outside && failure.maybe)) continue;
    if (failure.missing && failure.missing->what == process::Missing::What::StaticTls) continue;  // WC541
    std::vector<Evidence> evidence{{failure.fatal ? "ld.so ends it" : "ImportError", failure.error}};
    if (const std::string file = in_the_way(all, failure); !file.empty()) evidence.push_back({"loaded instead", file});
    add_orders(conflicts, group.load_plans, evidence, concerned(all, failure));
    const auto order = safe_order(conflicts, group.load_plans, concerned(all, failure));
    const std::string names =
        "give the library different names in the two wheels (as auditwheel does), or require one build of it";
    emit({.place = group.open->object ? Place(AtObject{*group.open->object}) : Place(WholeWheel{}),
          .message = fmt::format("{} fails after the other imports of this order, and works without them",
                                 what_fails(all, *group.open)),
          .evidence = std::move(evidence),
          .fix = order ? fmt::format("import in the order {}; {}", *order, names)
                       : fmt::format("{}; no simulated order works", names),
          .severity = failure.maybe ? Severity::Warning : Severity::Error,
          .load_plans = group.load_plans});
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
