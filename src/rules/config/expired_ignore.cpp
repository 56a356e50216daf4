// WC004: the last day of an ignore-rule has passed; the findings that it ignored are reported again.
#include <fmt/format.h>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules::expired_ignore {
namespace {

void check(const ConfigView& view, const Emit& emit) {
  for (const IgnoreUse& use : view.ignores) {
    const IgnoreRule& ignore = *use.ignore;
    if (!use.expired || !ignore.until) continue;
    std::vector<Evidence> evidence = {{"until", text_of(*ignore.until)}, {"compared with", text_of(*use.expired)}};
    if (!ignore.reason.empty()) evidence.push_back({"reason", ignore.reason});
    emit({.place = WholeWheel{},
          .message = fmt::format("the ignore-rule for {} at {} ended on {}", ignore.rule, ignore.where,
                                 text_of(*ignore.until)),
          .evidence = std::move(evidence),
          .fix = fmt::format("fix the ignored findings and remove it, or set a later `until` at {}", ignore.where),
          .severity = {},
          .confidence = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC004",
    .name = "expired-ignore",
    .severity = Severity::Warning,
    .check_config = check,
};

}  // namespace wheelcheck::rules::expired_ignore
