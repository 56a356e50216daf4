// Workflow commands of GitHub Actions. The findings of one rule in one wheel become one annotation, worst first, within
// the limits of a step (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "base/text.h"
#include "report/shared/groups.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t max_of_a_kind = 10;  // of one step; GitHub drops further ones silently
constexpr std::size_t max_rows = 5;        // in one annotation
constexpr std::size_t max_text = 1024;     // columns of one text in an annotation

// Escapes as actions/toolkit does (packages/core/src/command.ts): the value after "::", and the value of a property.
std::string as_data(std::string_view text) {
  return replaced(replaced(replaced(text, "%", "%25"), "\r", "%0D"), "\n", "%0A");
}
std::string as_property(std::string_view text) { return replaced(replaced(as_data(text), ":", "%3A"), ",", "%2C"); }

struct Annotation {
  Severity severity = Severity::Error;
  std::string file, title, message;
};

std::string line_of(const Annotation& annotation) {
  const std::string_view command = annotation.severity == Severity::Error     ? "error"
                                   : annotation.severity == Severity::Warning ? "warning"
                                                                              : "notice";
  return fmt::format("::{} file={},title={}::{}\n", command, as_property(annotation.file),
                     as_property(annotation.title), as_data(annotation.message));
}

Annotation annotation_of(const WheelReport& wheel, const FindingGroup& group) {
  const Finding& first = group.findings.front();
  Annotation out{.severity = first.severity,
                 .file = escape(wheel.facts.file),
                 .title = fmt::format("{} {}", first.rule->code, first.rule->name),
                 .message = cut_at_word(group.heading, max_text)};
  const std::size_t count = group.rows.size(), shown = count <= max_rows + 1 ? count : max_rows;
  for (const std::string& row : std::span(group.rows).first(shown))
    out.message += fmt::format("\n{}", cut_at_word(row, max_text));
  if (shown < count) out.message += fmt::format("\nand {} more", count - shown);
  if (!group.fixes.empty()) out.message += fmt::format("\nfix: {}", cut_at_word(group.fixes.front(), max_text));
  return out;
}

// Notes are annotations only if they are asked for: no one has to act on them.
std::vector<Annotation> annotations_of(const Report& report, bool notes) {
  std::vector<Annotation> out;
  for (const Report::Entry& entry : report.entries)
    if (entry.unreadable)
      out.push_back({.severity = Severity::Error,
                     .file = escape(base_name(entry.unreadable->path)),
                     .title = unreadable_title(*entry.unreadable),
                     .message = unreadable_message(*entry.unreadable)});
  for (const Report::Entry& entry : report.entries)
    if (entry.wheel)
      for (const FindingGroup& group : grouped(*entry.wheel, entry.wheel->findings))
        out.push_back(annotation_of(*entry.wheel, group));
  if (!notes) std::erase_if(out, [](const Annotation& one) { return one.severity == Severity::Note; });
  std::ranges::stable_sort(out, std::greater<>(), &Annotation::severity);
  return out;
}

std::string render_github(const Report& report, const RenderOptions& options) {
  std::string out;
  std::array<std::size_t, 3> of_a_kind{};
  std::size_t left_out = 0;
  for (const Annotation& annotation : annotations_of(report, options.verbosity > 0)) {
    if (++of_a_kind[static_cast<std::size_t>(annotation.severity)] <= max_of_a_kind)
      out += line_of(annotation);
    else
      ++left_out;
  }
  if (left_out != 0)
    out += fmt::format("wheelcheck: {} more annotation{}, which a step cannot show; the other formats contain them\n",
                       left_out, left_out == 1 ? "" : "s");
  return out;
}

}  // namespace

extern const Renderer github{"github", "annotations of GitHub Actions, highest severity first; notes with -v",
                             &render_github};

}  // namespace wheelcheck::report
