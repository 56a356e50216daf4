// A comparison as a section of release notes: GitHub Flavored Markdown that a person reads and edits.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/diff/diff.h"
#include "report/diff/diff_outline.h"

namespace wheelcheck::report {
namespace {

// A code span that ends where it should: in a fence longer than any run of backticks inside (CommonMark 0.31, 6.1).
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

// Shown as it stands: no emphasis, link, HTML or mention. An underscore inside a word means nothing.
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
