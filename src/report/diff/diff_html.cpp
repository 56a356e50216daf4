// A comparison of two releases as an HTML page: what fails first, then the sections of the text format.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.h"
#include "report/diff/diff_outline.h"
#include "report/html/html_parts.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

std::string_view tone_class(DiffLine::Tone tone) {
  switch (tone) {
    case DiffLine::Tone::Bad:
      return "bad";
    case DiffLine::Tone::Doubtful:
      return "doubtful";
    case DiffLine::Tone::Good:
      return "good";
    case DiffLine::Tone::Plain:
      break;
  }
  return "plain";
}

std::string diff_section(const DiffSection& section) {
  std::string out =
      fmt::format("<section class=\"card\">\n<h2>{}</h2>\n<table class=\"changes\">\n<tbody>\n", markup(section.title));
  for (const DiffLine& line : section.lines) {
    out += fmt::format("<tr><th scope=\"row\" class=\"{}\">{}</th><td>{}", tone_class(line.tone), line.mark, line.text);
    for (const std::string& detail : line.details) out += fmt::format("<span class=\"detail\">{}</span>", detail);
    out += "</td></tr>\n";
  }
  return out + "</tbody>\n</table>\n</section>\n";
}

std::string diff_tiles(const Diff& diff) {
  std::size_t worse = 0, fixed = 0;
  for (const FindingChange& change : diff.findings.changes) {
    worse += change.course == FindingCourse::New || change.course == FindingCourse::Worse ? 1u : 0u;
    fixed += change.course == FindingCourse::Fixed ? 1u : 0u;
  }
  const auto& same = diff.findings.unchanged;
  return fmt::format(
      "<ul class=\"tiles\">{}{}{}{}</ul>\n",
      diff.platform.raised ? "<li class=\"hot\"><b>raised</b>floor</li>" : "<li><b>not raised</b>floor</li>",
      html::tile(worse, worse == 1 ? "new finding" : "new findings", diff.findings.failed ? "hot" : "warm"),
      html::tile(fixed, "fixed", ""), html::tile(same[0] + same[1] + same[2], "unchanged", ""));
}

}  // namespace

std::string render_diff_html(const Diff& diff, const DiffOptions& options) {
  DiffOptions plain = options;
  plain.paint = Paint();
  const DiffStyle style{.name = [](std::string_view text) { return markup(text); },
                        .prose = [](std::string_view text) { return markup(text); },
                        .arrow = "→",
                        .demangle = options.demangle};
  const std::string title = diff_title(diff, style);
  std::string body = fmt::format("<header>\n<h1>{} <small>wheelcheck {}</small></h1>\n<p>{}</p>\n{}</header>\n", title,
                                 markup(diff.version), markup_shown(diff_conclusion(diff, plain)), diff_tiles(diff));
  body += "<main id=\"main\">\n";
  const std::vector<DiffSection> sections = outline(diff, style);
  for (const DiffSection& section : sections) body += diff_section(section);
  if (sections.empty()) body += "<section class=\"card\"><p class=\"none\">Nothing changed.</p></section>\n";
  body += fmt::format("</main>\n<footer>Written by wheelcheck {}.</footer>", markup(diff.version));
  return html::page(title + " - wheelcheck", body, "page.graph.css");
}

}  // namespace wheelcheck::report
