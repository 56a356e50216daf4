// WC003: an ignore-rule has no reason, so nobody can decide later whether it is still needed.
#include <fmt/format.h>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules::ignore_without_reason {
namespace {

void check(const ConfigView& view, const Emit& emit) {
  for (const IgnoreUse& use : view.ignores) {
    const IgnoreRule& ignore = *use.ignore;
    if (!ignore.reason.empty()) continue;
    emit({.place = WholeWheel{},
          .message = fmt::format("the ignore-rule for {} at {} has no reason", ignore.rule, ignore.where),
          .evidence = {},
          .fix = fmt::format("add a key to {}: reason = \"why the finding is accepted\"", ignore.where),
          .severity = {},
          .confidence = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC003",
    .name = "ignore-without-reason",
    .severity = Severity::Warning,
    .pedantic = true,
    .check_config = check,
};

}  // namespace wheelcheck::rules::ignore_without_reason
