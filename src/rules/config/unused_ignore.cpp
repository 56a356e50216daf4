// WC001: an ignore-rule matches no finding any more.
#include <fmt/format.h>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules::unused_ignore {
namespace {

void check(const ConfigView& view, const Emit& emit) {
  for (const IgnoreUse& use : view.ignores) {
    if (use.findings != 0 || !use.judged || use.expired) continue;
    const IgnoreRule& ignore = *use.ignore;
    std::vector<Evidence> evidence;
    if (!ignore.path.empty()) evidence.push_back({"path", ignore.path});
    if (!ignore.reason.empty()) evidence.push_back({"reason", ignore.reason});
    emit({.place = WholeWheel{},
          .message = fmt::format("the ignore-rule for {} at {} matches no finding", ignore.rule, ignore.where),
          .evidence = std::move(evidence),
          .fix = fmt::format("remove it from {}, or move it to an override for the wheels that need it", ignore.where),
          .severity = {},
          .confidence = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC001",
    .name = "unused-ignore",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check_config = check,
};

}  // namespace wheelcheck::rules::unused_ignore
