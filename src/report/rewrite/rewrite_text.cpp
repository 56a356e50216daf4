// The texts of `fix` and `repair`.
#include "report/rewrite/rewrite_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
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

// The end of the last line, as `check` words it.
std::string result_of(const Report& report, bool failed) {
  const auto& findings = report.entries.front().wheel->findings;
  const auto rest = static_cast<std::size_t>(
      std::ranges::count_if(findings, [](const Finding& one) { return one.severity > Severity::Note; }));
  if (rest == 0) return failed ? "FAILED, see `wheelcheck check`" : "PASSED, no errors or warnings are left";
  return fmt::format("{}, {} left that no safe change fixes, see `wheelcheck check`", failed ? "FAILED" : "PASSED",
                     count_of(rest, "finding is", "findings are"));
}

}  // namespace

std::string render_fixed(const FixResult& fixed, const RewriteTextOptions& options) {
  const Paint& paint = options.paint;
  const std::string file = escape(fixed.before.entries.front().wheel->facts.file);
  if (fixed.changes.empty()) {
    return fmt::format("{}: nothing to fix; {}\n", file, result_of(fixed.before, options.failed));
  }
  std::string out = options.diff ? "" : fmt::format("{}: {}\n", file, count_of(fixed.changes.size(), "change"));
  if (options.diff)
    out += fmt::format("--- {}\n+++ {}\n", file,
                       fixed.after ? escape(fixed.after->entries.front().wheel->facts.file) : file);
  for (const WheelChange& change : fixed.changes) out += options.diff ? diff_of(change, paint) : change_line(change);
  for (const std::string& note : fixed.notes) out += fmt::format("note: {}\n", note);
  if (!fixed.after) return out + "nothing was written\n";
  const std::string left = result_of(*fixed.after, options.failed);
  return out + (fixed.written.empty() ? fmt::format("nothing was written; {}\n", left)
                                      : fmt::format("wrote {}; {}\n", escape(fixed.written), left));
}

// The text of `repair`.
namespace {

std::string names_line(std::string_view what, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("  {}: {}\n", what, escape(join(names, ", ")));
}

std::string matrix_lines(const std::vector<RepairResult::Level>& levels) {
  std::size_t width = 0;
  for (const RepairResult::Level& level : levels) width = std::max(width, level.platform.size());
  std::string out;
  for (const RepairResult::Level& level : levels) {
    const std::string answer = !level.reason.empty()   ? "not possible: " + level.reason
                               : level.bundled.empty() ? "none"
                                                       : escape(join(level.bundled, ", "));
    out += fmt::format("  {:{}}  {}\n", level.platform, width, answer);
  }
  return out;
}

}  // namespace

std::string render_repaired(const RepairResult& repaired) {
  const std::string file = escape(repaired.input);
  if (!repaired.matrix.empty()) return file + ": libraries to bundle, by platform\n" + matrix_lines(repaired.matrix);
  if (repaired.platform.empty())
    return fmt::format("{}: no machine code{}\n", file,
                       repaired.written.empty() ? "" : ", copied to " + escape(repaired.written));
  std::string out =
      fmt::format("{}: {} bundled for {}\n", file,
                  repaired.bundled.size() == 1 ? "1 library" : fmt::format("{} libraries", repaired.bundled.size()),
                  repaired.platform);
  for (const RepairResult::Library& library : repaired.bundled)
    out += fmt::format("  {} -> {}{}\n", escape(library.source), escape(library.member),
                       library.package.empty() ? "" : " (" + escape(library.package) + ")");
  out += names_line("not bundled because of --exclude", repaired.excluded);
  out += names_line("dependency removed", repaired.removed);
  for (const std::string& note : repaired.notes) out += fmt::format("  note: {}\n", note);
  out += repaired.written.empty() ? "nothing was written" : "wrote " + escape(repaired.written);
  return out + (repaired.findings == 0
                    ? "\n"
                    : fmt::format("; {} left, see `wheelcheck check`\n", count_of(repaired.findings, "finding")));
}

}  // namespace wheelcheck::report
