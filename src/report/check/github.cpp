// Workflow commands of GitHub Actions. The findings of one rule in one wheel become one annotation, worst first, within
// the limits of a step (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "report/check/ci_summary.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t max_of_a_kind = 10;  // of one step; GitHub drops further ones silently
constexpr std::size_t max_places = 5;      // in one annotation
constexpr std::size_t max_bytes = 1024;    // of one text in an annotation

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

std::string sentence(const ReportedFinding& reported) {
  const std::string path = place_path(reported.wheel->facts, reported.finding->place);
  const std::string message = escape(reported.finding->message, max_bytes);
  return path.empty() ? message : fmt::format("{}: {}", path, message);
}

// The findings of one rule in one wheel with the same severity.
Annotation annotation_of(std::span<const ReportedFinding> same) {
  const ReportedFinding& first = same.front();
  const Finding& finding = *first.finding;
  Annotation out{.severity = finding.severity,
                 .file = escape(first.wheel->facts.file),
                 .title = fmt::format("{} {}", finding.rule->code, finding.rule->name),
                 .message = sentence(first)};
  if (!finding.fix.empty()) out.message += fmt::format("\nfix: {}", escape(finding.fix, max_bytes));
  const std::size_t shown = same.size() <= max_places + 1 ? same.size() : max_places;
  for (const ReportedFinding& other : same.subspan(1, shown - 1)) out.message += fmt::format("\n{}", sentence(other));
  if (shown < same.size()) out.message += fmt::format("\nand {} more of this rule", same.size() - shown);
  return out;
}

std::vector<Annotation> annotations_of(const Report& report) {
  std::vector<Annotation> out;
  for (const Report::Entry& entry : report.entries)
    if (entry.unreadable)
      out.push_back({.severity = Severity::Error,
                     .file = escape(base_name(entry.unreadable->path)),
                     .title = unreadable_title(*entry.unreadable),
                     .message = unreadable_message(*entry.unreadable)});
  const std::vector<ReportedFinding> all = worst_first(report);
  for (std::span<const ReportedFinding> rest = all; !rest.empty();) {
    const ReportedFinding& first = rest.front();
    const auto other = std::ranges::find_if(rest, [&](const ReportedFinding& reported) {
      return reported.wheel != first.wheel || reported.finding->rule != first.finding->rule ||
             reported.finding->severity != first.finding->severity;
    });
    const auto count = static_cast<std::size_t>(other - rest.begin());
    out.push_back(annotation_of(rest.first(count)));
    rest = rest.subspan(count);
  }
  return out;
}

std::string render_github(const Report& report, const RenderOptions&) {
  std::string out;
  std::array<std::size_t, 3> of_a_kind{};
  std::size_t left_out = 0;
  for (const Annotation& annotation : annotations_of(report)) {
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

extern const Renderer github{"github", "annotations of GitHub Actions, highest severity first", &render_github};

}  // namespace wheelcheck::report
