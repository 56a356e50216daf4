// WC001: an ignore-rule that outlived what it was written for.
#include <fmt/format.h>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {
namespace {

void check(const ConfigView& view, const Emit& emit) {
  for (const IgnoreUse& use : view.ignores) {
    if (use.findings != 0 || !use.judged || use.expired) continue;
    const IgnoreRule& ignore = *use.ignore;
    std::vector<Evidence> evidence;
    if (!ignore.path.empty()) evidence.push_back({"path", ignore.path});
    if (!ignore.reason.empty()) evidence.push_back({"reason", ignore.reason});
    emit(
        {.place = WholeWheel{},
         .message = fmt::format("the ignore-rule for {} at {} ignores nothing", ignore.rule, ignore.where),
         .evidence = std::move(evidence),
         .fix = fmt::format("remove it from {}, or move it to an override for the wheels that it is for", ignore.where),
         .severity = {},
         .confidence = {}});
  }
}

}  // namespace

extern const Rule unused_ignore{
    .code = "WC001",
    .name = "unused-ignore",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .summary = "An ignore-rule of the configuration ignores nothing.",
    .why =
        "What it was written for is mended, or its path or rule is misspelt. In the first case it waits for a new "
        "defect to hide, in the second it never did what its author believes. It is reported once for all wheels of "
        "the run, at the first wheel that it is for, and not where the rule that it names takes no part.",
    .remedy =
        "Remove the `[[tool.wheelcheck.ignore-rule]]`. Where it is meant for some wheels of a release only, put it "
        "into an override with a `wheel` pattern for those.",
    .false_positives =
        "A run over some wheels of a release, where the rule is meant for the others: check them in one run, or use an "
        "override.",
    .check_config = check,
};

}  // namespace wheelcheck::rules
