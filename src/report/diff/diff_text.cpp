// A comparison for people at a terminal: sections of lines with a mark in front of each.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/diff/diff.h"
#include "report/diff/diff_outline.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t widest_mark = 16;

std::string painted(const DiffLine& line, const std::string& mark, const Paint& paint) {
  switch (line.tone) {
    case DiffLine::Tone::Bad:
      return paint.red(mark);
    case DiffLine::Tone::Doubtful:
      return paint.yellow(mark);
    case DiffLine::Tone::Good:
      return paint.green(mark);
    case DiffLine::Tone::Plain:
      break;
  }
  return paint.cyan(mark);
}

std::string section_text(const DiffSection& section, const Paint& paint) {
  std::size_t width = 0;
  for (const DiffLine& line : section.lines) width = std::max(width, columns(line.mark));
  width = std::min(width, widest_mark);
  const std::size_t indent = width == 0 ? 2 : width + 4;
  std::string out = fmt::format("\n{}\n", paint.bold(section.title));
  for (const DiffLine& line : section.lines) {
    const std::string mark = padded(line.mark, width);
    const std::size_t used = std::max(indent, columns(mark) + 4);
    out += fmt::format("  {}{}{}\n", painted(line, mark, paint), width == 0 ? "" : "  ",
                       wrapped(line.text, used, indent + 2));
    for (const std::string& detail : line.details)
      out += fmt::format("{}{}\n", std::string(indent, ' '), wrapped(detail, indent, indent + 2));
  }
  return out;
}

std::size_t unchanged(const Diff& diff) {
  const auto& same = diff.findings.unchanged;
  return same[0] + same[1] + same[2];
}

std::string counts_text(const Diff& diff) {
  std::size_t fresh = 0, fixed = 0;
  for (const FindingChange& change : diff.findings.changes) {
    fresh += change.course == FindingCourse::New || change.course == FindingCourse::Worse ? 1u : 0u;
    fixed += change.course == FindingCourse::Fixed ? 1u : 0u;
  }
  return fmt::format("{} new, {} fixed, {} unchanged", plural(fresh, "finding"), fixed, unchanged(diff));
}

}  // namespace

std::string render_diff_text(const Diff& diff, const DiffOptions& options) {
  const Paint paint(options.colour);
  const DiffStyle style{.name = [](std::string_view text) { return escape(text); },
                        .prose = [](std::string_view text) { return escape(text); },
                        .arrow = "->",
                        .demangle = options.demangle};
  std::string out = paint.bold(diff_title(diff, style)) + "\n";
  const std::vector<DiffSection> sections = outline(diff, style);
  if (sections.empty())
    return out + fmt::format("\nnothing changed; {} as before\n", plural(unchanged(diff), "finding"));
  for (const DiffSection& section : sections) out += section_text(section, paint);
  return out + fmt::format("\n{}{}\n", diff.platform.raised ? paint.red("floor RAISED") + "; " : "", counts_text(diff));
}

}  // namespace wheelcheck::report
