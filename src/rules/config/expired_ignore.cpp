// WC004: an ignore-rule whose last day has passed; what it ignored is reported again.
#include <fmt/format.h>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {
namespace {

void check(const ConfigView& view, const Emit& emit) {
  for (const IgnoreUse& use : view.ignores) {
    const IgnoreRule& ignore = *use.ignore;
    if (!use.expired || !ignore.until) continue;
    std::vector<Evidence> evidence = {{"held until", text_of(*ignore.until)}, {"compared with", text_of(*use.expired)}};
    if (!ignore.reason.empty()) evidence.push_back({"reason", ignore.reason});
    emit({.place = WholeWheel{},
          .message = fmt::format("the ignore-rule for {} at {} ended on {}", ignore.rule, ignore.where,
                                 text_of(*ignore.until)),
          .evidence = std::move(evidence),
          .fix = fmt::format("mend what it ignored and remove it, or decide anew and move its `until` at {}",
                             ignore.where),
          .severity = {},
          .confidence = {}});
  }
}

}  // namespace

extern const Rule expired_ignore{
    .code = "WC004",
    .name = "expired-ignore",
    .severity = Severity::Warning,
    .summary = "An ignore-rule of the configuration has passed its `until`.",
    .why =
        "The date says until when a defect may be lived with, its last day included. After it the ignore-rule ignores "
        "nothing any more, so that the finding comes back and somebody decides anew. It is compared with `--today`, "
        "which a release job sets to `$(date -u +%F)`. Without that no date has passed: a report never depends on the "
        "clock, and the dates in a wheel are those that a reproducible build chose.",
    .remedy = "Mend what was ignored and remove the entry, or look at it again and set a new `until`.",
    .false_positives = "None known.",
    .check_config = check,
};

}  // namespace wheelcheck::rules
