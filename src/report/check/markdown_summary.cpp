// A job summary in GitHub Flavored Markdown: a table of verdicts, then a collapsible section for each wheel.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "base/text.h"
#include "report/check/ci_summary.h"
#include "report/shared/groups.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/report.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t max_summary_bytes = 900'000;  // GitHub accepts 1 MiB for a step
constexpr std::size_t max_group_rows = 10;          // of one group
constexpr std::string_view cut_line =
    "\nThis summary is cut at 900 kB. Other formats, such as `--format json`, contain everything.\n";

// Collects whole lines until the page is full.
class Page {
 public:
  void add(std::string_view line) {
    full_ = full_ || text_.size() + line.size() + closing.size() + cut_line.size() + 2 >= max_summary_bytes;
    if (full_) return;
    text_.append(line).append("\n");
    if (line.starts_with("<details")) open_ = true;
    if (line == closing) open_ = false;
  }
  std::string text() && {
    if (full_ && open_) text_.append("\n").append(closing).append("\n");
    if (full_) text_ += cut_line;
    return std::move(text_);
  }
  static constexpr std::string_view closing = "</details>";

 private:
  std::string text_;
  bool full_ = false, open_ = false;
};

std::string icon_of(TagResult result) {
  std::string_view icon;
  if (result == TagResult::Compatible) icon = ":white_check_mark: ";
  if (result == TagResult::Incompatible) icon = ":x: ";
  if (result == TagResult::Unknown) icon = ":grey_question: ";
  return fmt::format("{}{}", icon, tag_result_text(result));
}

std::string_view icon_of(Severity severity) {
  if (severity == Severity::Error) return ":x: error";
  return severity == Severity::Warning ? ":warning: warning" : "note";
}

std::size_t number_of(const WheelReport& wheel, Severity severity) {
  return static_cast<std::size_t>(std::ranges::count(wheel.findings, severity, &Finding::severity));
}

std::string row_of(const Report::Entry& entry) {
  if (entry.unreadable)
    return fmt::format("| {} | :x: cannot be read: {} | | | | |", markdown_code(base_name(entry.unreadable->path)),
                       markdown_shown(unreadable_message(*entry.unreadable)));
  const WheelReport& wheel = *entry.wheel;
  return fmt::format("| {} | {} | {} | {} | {} | {} |", markdown_code(wheel.facts.file),
                     icon_of(wheel.verdict.overall()), markdown_code(wheel.verdict.best_tag),
                     number_of(wheel, Severity::Error), number_of(wheel, Severity::Warning),
                     number_of(wheel, Severity::Note));
}

std::string claim_line(const Claim& claim) {
  const std::string reason = claim.reason.empty() ? "" : ": " + markdown(claim.reason);
  return fmt::format("- {} {}{}", markdown_code(claim.tag.text), icon_of(claim.tag_result), reason);
}

std::string group_row(const FindingGroup& group) {
  const Finding& first = group.findings.front();
  std::string text = markdown_shown(group.heading);
  const std::size_t count = group.rows.size(), shown = count <= max_group_rows + 1 ? count : max_group_rows;
  for (const std::string& row : std::span(group.rows).first(shown)) text += "<br>" + markdown_shown(row);
  if (shown < count) text += fmt::format("<br>and {} more", count - shown);
  if (!group.fixes.empty()) text += "<br>fix: " + markdown_shown(group.fixes.front());
  if (group.fixes.size() > 1) text += fmt::format(" (the first of {})", group.fixes.size());
  return fmt::format("| {} | {} {} | {} |", icon_of(first.severity), first.rule->code, first.rule->name, text);
}

void add_wheel(Page& page, const WheelReport& wheel) {
  page.add("");
  page.add(fmt::format("<details{}><summary>{}: {}</summary>", wheel.failed ? " open" : "",
                       markdown_code(wheel.facts.file), count_of(wheel.findings.size(), "finding")));
  page.add("");
  for (const Claim& claim : wheel.verdict.claims) page.add(claim_line(claim));
  if (!wheel.findings.empty()) {
    page.add("");
    page.add("| Severity | Rule | Finding |");
    page.add("|---|---|---|");
    for (const FindingGroup& group : grouped(wheel, wheel.findings)) page.add(group_row(group));
  }
  page.add("");
  page.add(Page::closing);
}

std::string render_markdown_summary(const Report& report, const RenderOptions& options) {
  RenderOptions all = options;
  all.verbosity = 1;
  Page page;
  page.add("## wheelcheck");
  page.add("");
  page.add(markdown_shown(last_line(report, all)));
  page.add("");
  page.add("| Wheel | Verdict | Lowest compatible tag | Errors | Warnings | Notes |");
  page.add("|---|---|---|--:|--:|--:|");
  for (const Report::Entry& entry : report.entries) page.add(row_of(entry));
  for (const Report::Entry& entry : report.entries)
    if (entry.wheel) add_wheel(page, *entry.wheel);
  return std::move(page).text();
}

}  // namespace

extern const Renderer markdown_summary{"markdown", "a job summary in GitHub Flavored Markdown",
                                       &render_markdown_summary};

}  // namespace wheelcheck::report
