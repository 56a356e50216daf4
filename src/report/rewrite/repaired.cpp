// The text of `repair`.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/rewrite/rewrite_text.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
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
                    : fmt::format("; {} left, see `wheelcheck check`\n", plural(repaired.findings, "finding")));
}

}  // namespace wheelcheck::report
