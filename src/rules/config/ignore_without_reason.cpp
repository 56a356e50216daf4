// WC003: nobody can tell later whether an ignore-rule may go.
#include <fmt/format.h>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {
namespace {

void check(const ConfigView& view, const Emit& emit) {
  for (const IgnoreUse& use : view.ignores) {
    const IgnoreRule& ignore = *use.ignore;
    if (!ignore.reason.empty()) continue;
    emit({.place = WholeWheel{},
          .message = fmt::format("the ignore-rule for {} at {} gives no reason", ignore.rule, ignore.where),
          .evidence = {},
          .fix = fmt::format("add a key to {}: reason = \"why it is meant to be\"", ignore.where),
          .severity = {},
          .confidence = {}});
  }
}

}  // namespace

extern const Rule ignore_without_reason{
    .code = "WC003",
    .name = "ignore-without-reason",
    .severity = Severity::Warning,
    .pedantic = true,
    .summary = "An ignore-rule of the configuration says no reason.",
    .why =
        "An ignore-rule is a decision that outlives its author. With a reason, whoever meets it later can tell whether "
        "it still holds: an issue that was closed, a library that hides its symbols by now. Without one it stays for "
        "fear of what may break.",
    .remedy = "Add `reason = \"...\"`, and `until` where an end can be foreseen.",
    .false_positives = "None known.",
    .check_config = check,
};

}  // namespace wheelcheck::rules
