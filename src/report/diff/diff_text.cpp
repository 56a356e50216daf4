// A comparison as text: sections of lines with a label in front of each, and the same as Markdown.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
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
                       paint.wrapped(line.text, used, indent + 2));
    for (const std::string& detail : line.details)
      out += fmt::format("{}{}\n", std::string(indent, ' '), paint.wrapped(detail, indent, indent + 2));
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
  const Paint& paint = options.paint;
  const DiffStyle style{.name = [](std::string_view text) { return escape(text); },
                        .prose = [](std::string_view text) { return escape(text); },
                        .arrow = "->",
                        .demangle = options.demangle};
  std::string out = paint.bold(diff_title(diff, style)) + "\n";
  const std::vector<DiffSection> sections = outline(diff, style);
  for (const DiffSection& section : sections) out += section_text(section, paint);
  return out + "\n" + diff_conclusion(diff, options) + "\n";
}

// What fails, or what would fail with another option.
std::string diff_conclusion(const Diff& diff, const DiffOptions& options) {
  const Paint& paint = options.paint;
  const bool changed = !outline(diff, {.name = [](auto text) { return std::string(text); },
                                       .prose = [](auto text) { return std::string(text); },
                                       .arrow = {},
                                       .demangle = {}})
                            .empty();
  std::vector<std::string> failing, others;
  if (diff.platform.raised) (options.fail_on_raised ? failing : others).push_back("--fail-on-raised-floor");
  if (diff.findings.failed) (options.fail_on_new ? failing : others).push_back("--fail-on-new");
  const bool gated = options.fail_on_new || options.fail_on_raised;
  const std::string word = !failing.empty() ? paint.red("FAILED")
                           : gated          ? paint.green("PASSED")
                                            : paint.bold(changed ? "CHANGED" : "UNCHANGED");
  std::string text = changed ? (diff.platform.raised ? "floor raised; " : "") + counts_text(diff)
                             : fmt::format("nothing changed; {} as before", plural(unchanged(diff), "finding"));
  if (!failing.empty())
    text += fmt::format(" ({} {})", join(failing, " and "), failing.size() == 1 ? "fails" : "fail");
  else if (!others.empty())
    text += fmt::format(" (exit 1 with {})", join(others, " or "));
  return fmt::format("{}: {}", word, text);
}

bool diff_fails(const Diff& diff, const DiffOptions& options) {
  return (options.fail_on_new && diff.findings.failed) || (options.fail_on_raised && diff.platform.raised);
}

// A comparison as a section of release notes in GitHub Flavored Markdown.

namespace {

// A code span whose fence is longer than any run of backticks inside (CommonMark 0.31, section 6.1).
std::string code_span(std::string_view text) {
  const std::string shown = escape(text);
  std::size_t run = 0, longest = 0;
  for (const char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const char* const pad = longest > 0 || shown.empty() ? " " : "";
  return fence + pad + shown + pad + fence;
}

// Escapes text so that it is shown literally: no emphasis, link, HTML or mention. An underscore inside a word has no
// meaning.
std::string prose(std::string_view text) {
  constexpr std::string_view special = "\\`*[]<>&~|#!";
  const std::string shown = escape(text);
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool inside = i > 0 && i + 1 < shown.size() && is_alnum(shown[i - 1]) && is_alnum(shown[i + 1]);
    const std::string_view rest = std::string_view(shown).substr(i);
    if (c == '@') {
      out += "`@`";
      continue;
    }
    const bool link = rest.starts_with("://") || (c == '.' && out.ends_with("www"));
    if (special.find(c) != special.npos || (c == '_' && !inside) || link) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string render_diff_markdown(const Diff& diff, const DiffOptions& options) {
  const DiffStyle style{.name = code_span, .prose = prose, .arrow = "→", .demangle = options.demangle};
  std::string out = fmt::format("## {}\n", diff_title(diff, style));
  const std::vector<DiffSection> sections = outline(diff, style);
  if (sections.empty()) out += "\nNothing changed\n";
  for (const DiffSection& section : sections) {
    out += fmt::format("\n### {}\n\n", section.title);
    for (const DiffLine& line : section.lines) {
      out += line.mark.empty() ? fmt::format("- {}\n", line.text) : fmt::format("- **{}** {}\n", line.mark, line.text);
      for (const std::string& detail : line.details) out += fmt::format("  - {}\n", detail);
    }
  }
  return out;
}

}  // namespace wheelcheck::report
