// The text of `fix`.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/rewrite/rewrite_text.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

std::string reasons(const WheelChange& change) {
  return change.codes.empty() ? "" : fmt::format(" ({})", fmt::join(change.codes, ", "));
}

std::string shown_or_none(const std::string& value) { return value.empty() ? "none" : escape(value); }

std::string change_line(const WheelChange& change) {
  const std::string where = change.member.empty() ? "file name" : escape(change.member);
  const std::string from = change.before.empty() ? "" : escape(change.before) + " -> ";
  return fmt::format("  {}: {}: {}{}{}\n", where, change.what, from, shown_or_none(change.after), reasons(change));
}

std::string diff_of(const WheelChange& change, const Paint& paint) {
  const std::string where = change.member.empty() ? "file name" : escape(change.member);
  return fmt::format("@@ {}{} @@\n{}\n{}\n", where, reasons(change),
                     paint.red(fmt::format("-{}: {}", change.what, shown_or_none(change.before))),
                     paint.green(fmt::format("+{}: {}", change.what, shown_or_none(change.after))));
}

std::size_t findings_left(const Report& report) {
  const auto& findings = report.entries.front().wheel->findings;
  return static_cast<std::size_t>(
      std::ranges::count_if(findings, [](const Finding& one) { return one.severity > Severity::Info; }));
}

}  // namespace

std::string render_fixed(const FixResult& fixed, const RewriteTextOptions& options) {
  const Paint paint(options.colour);
  const std::string file = escape(fixed.before.entries.front().wheel->facts.file);
  if (fixed.changes.empty()) {
    const std::size_t rest = findings_left(fixed.before);
    return fmt::format(
        "{}: nothing to fix{}\n", file,
        rest == 0 ? "" : fmt::format("; {} of other kinds, see `wheelcheck check`", plural(rest, "finding")));
  }
  std::string out = options.diff ? "" : fmt::format("{}: {}\n", file, plural(fixed.changes.size(), "change"));
  if (options.diff)
    out += fmt::format("--- {}\n+++ {}\n", file, escape(fixed.after->entries.front().wheel->facts.file));
  for (const WheelChange& change : fixed.changes) out += options.diff ? diff_of(change, paint) : change_line(change);
  const std::size_t rest = findings_left(*fixed.after);
  const std::string left = rest == 0 ? "no errors or warnings remain" : plural(rest, "finding") + " left";
  return out + (fixed.written.empty() ? fmt::format("nothing was written; {}\n", left)
                                      : fmt::format("wrote {}; {}\n", escape(fixed.written), left));
}

}  // namespace wheelcheck::report
