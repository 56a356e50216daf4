// Entries of the configuration that ignore findings.
#include <fmt/format.h>

#include "wheelcheck/rule.h"

// WC004: the last day of an ignore-rule has passed; the findings that it ignored are reported again.
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

// WC003: an ignore-rule has no reason, so nobody can decide later whether it is still needed.
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

// WC001: an ignore-rule matches no finding any more.
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
