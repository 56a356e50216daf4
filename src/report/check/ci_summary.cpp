// The result of a run in one line, its exit code, and the score of each policy family.
#include "report/check/ci_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/requirement.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

int exit_code(const Report& report) {
  int code = 0;
  for (const Report::Entry& entry : report.entries) {
    const bool failed = entry.wheel ? entry.wheel->failed : entry.unreadable->refused();
    code = std::max(code, failed ? 1 : entry.unreadable ? 3 : 0);
  }
  return code;
}

namespace report {
namespace {

struct ReportCounts {
  std::size_t wheels = 0, unreadable = 0, refused = 0, incompatible = 0, foreign = 0, unhashed = 0;
  std::size_t ignored = 0, known = 0, gone = 0, fixable = 0;  // findings
  std::set<std::optional<Severity>> thresholds;
  std::set<std::pair<std::string, std::string>> releases;  // distribution and version
};

ReportCounts counts_of(const Report& report) {
  ReportCounts out;
  for (const Report::Entry& entry : report.entries) {
    if (entry.unreadable) ++(entry.unreadable->refused() ? out.refused : out.unreadable);
    if (!entry.wheel) continue;
    const WheelReport& wheel = *entry.wheel;
    ++out.wheels;
    out.releases.emplace(normal_project_name(wheel.facts.name.distribution), wheel.facts.name.version);
    if (wheel.verdict.overall() == TagResult::Incompatible) ++out.incompatible;
    if (!other_systems(wheel).empty()) ++out.foreign;
    if (wheel.facts.size != 0 && !is_hashed(wheel.facts)) ++out.unhashed;
    out.ignored += wheel.ignored.size();
    out.known += wheel.known.size();
    out.gone += wheel.resolved.size();
    out.fixable += static_cast<std::size_t>(std::ranges::count_if(wheel.findings, &Finding::fixable));
    out.thresholds.insert(wheel.fail_on);
  }
  return out;
}

std::string threshold_text(const std::set<std::optional<Severity>>& thresholds) {
  if (thresholds.size() != 1) return "the threshold differs by wheel";
  const std::optional<Severity> fail_on = *thresholds.begin();
  if (!fail_on) return "no finding fails";
  if (*fail_on == Severity::Error) return "errors fail";
  return *fail_on == Severity::Warning ? "errors and warnings fail" : "every finding fails";
}

std::string findings_count(const Report& report) {
  std::vector<std::string> parts;
  if (report.errors != 0) parts.push_back(count_of(report.errors, "error"));
  if (report.warnings != 0) parts.push_back(count_of(report.warnings, "warning"));
  return parts.empty() ? "no errors or warnings" : join(parts, ", ");
}

}  // namespace

std::string outcome_text(const Report& report, const RenderOptions& options) {
  const ReportCounts counts = counts_of(report);
  std::vector<std::string> parts, remarks;
  if (counts.wheels != 0) {
    parts.push_back(count_of(counts.wheels, "wheel"));
    if (counts.incompatible != 0) parts.back() += fmt::format(", {} not compatible", counts.incompatible);
  }
  if (counts.foreign != 0 && !parts.empty())
    parts.back() += fmt::format(", {} not for Linux and not checked", counts.foreign);
  if (counts.refused != 0) parts.push_back(count_of(counts.refused, "wheel") + " refused");
  if (counts.unreadable != 0) parts.push_back(count_of(counts.unreadable, "input") + " not readable");
  if (counts.wheels == 0) return parts.empty() ? "no wheel was checked" : join(parts, "; ");
  parts.push_back(findings_count(report));

  if (!options.facts_only) remarks.push_back(threshold_text(counts.thresholds));
  if (counts.ignored != 0)
    remarks.push_back(fmt::format("{} ignored{}", counts.ignored,
                                  report.configuration ? " by " + escape(report.configuration->name) : ""));
  if (report.baseline && counts.known != 0)
    remarks.push_back(fmt::format("{} known from {}", counts.known, escape(*report.baseline)));
  if (report.baseline && counts.gone != 0)
    remarks.push_back(fmt::format("{} of {} no longer found", counts.gone, escape(*report.baseline)));
  if (report.notes != 0)
    remarks.push_back(count_of(report.notes, "note") + (options.verbosity < 1 ? " hidden, -v shows all" : ""));
  if (counts.fixable != 0) remarks.push_back(fmt::format("{} fixable with `wheelcheck fix`", counts.fixable));
  if (counts.unhashed != 0) remarks.push_back("hashes of RECORD not compared");
  if (counts.wheels > 1 && counts.releases.size() == 1)
    remarks.push_back("`wheelcheck release` judges the wheels of a release together");
  const std::string text = join(parts, "; ");
  return remarks.empty() ? text : fmt::format("{} ({})", text, fmt::join(remarks, "; "));
}

std::string last_line(const Report& report, const RenderOptions& options) {
  const std::string text = outcome_text(report, options);
  if (options.facts_only) return text;
  return (exit_code_of(report, options) == 0 ? "PASSED: " : "FAILED: ") + text;
}

bool fails(const WheelReport& wheel, const Finding& finding, const RenderOptions& options) {
  return !options.facts_only && wheel.fail_on && finding.severity >= *wheel.fail_on;
}

int exit_code_of(const Report& report, const RenderOptions& options) {
  const bool refused = std::ranges::any_of(
      report.entries, [](const Report::Entry& entry) { return entry.unreadable && entry.unreadable->refused(); });
  const int code = exit_code(report);
  return options.facts_only && code == 1 && !refused ? 0 : code;
}

std::vector<ReportedFinding> worst_first(const Report& report) {
  std::vector<ReportedFinding> all;
  for (const Report::Entry& entry : report.entries)
    if (entry.wheel)
      for (const Finding& finding : entry.wheel->findings) all.push_back({&*entry.wheel, &finding});
  std::ranges::stable_sort(all, [](const ReportedFinding& a, const ReportedFinding& b) {
    return a.finding->severity > b.finding->severity;
  });
  return all;
}

}  // namespace report

}  // namespace wheelcheck

namespace wheelcheck::report {

// The score of each policy family. Each unmet requirement is listed once, at the newest level that does not meet it.

namespace {

constexpr std::size_t shown_unmet = 8;

struct LevelRow {
  LevelIndex newest, oldest;
};

// The claim that is judged by a level; the worst if there are several.
const Claim* claim_at(const WheelReport& wheel, std::size_t assessment, LevelIndex level) {
  const Claim* out = nullptr;
  for (const Claim& claim : wheel.verdict.claims) {
    if (claim.assessment != assessment || claim.level != level) continue;
    if (out == nullptr || claim.tag_result == TagResult::Incompatible) out = &claim;
  }
  return out;
}

// Merges levels with the same unmet requirements. A claimed level and the best level always have their own row.
std::vector<LevelRow> rows_of(const WheelReport& wheel, std::size_t index) {
  const Assessment& assessment = wheel.assessments[index];
  const auto stands_alone = [&](std::uint32_t level) {
    return claim_at(wheel, index, LevelIndex{level}) != nullptr || assessment.best == LevelIndex{level};
  };
  std::vector<LevelRow> rows;
  const auto count = static_cast<std::uint32_t>(assessment.levels.size());
  for (std::uint32_t i = 1; i < count; ++i) {  // 0 is `linux`, which has no requirements
    const bool same = !rows.empty() && !stands_alone(i) && !stands_alone(i - 1) &&
                      assessment.levels[i].unmet_requirements == assessment.levels[i - 1].unmet_requirements;
    if (same)
      rows.back().oldest = LevelIndex{i};
    else
      rows.push_back({LevelIndex{i}, LevelIndex{i}});
  }
  return rows;
}

std::string unmet_text(const Assessment& assessment, const std::vector<RequirementIndex>& now,
                       const std::vector<RequirementIndex>& before) {
  std::vector<RequirementIndex> sorted_now = now, sorted_before = before, fresh;
  std::ranges::sort(sorted_now);
  std::ranges::sort(sorted_before);
  const bool adds = !before.empty() && std::ranges::includes(sorted_now, sorted_before);
  if (adds)
    std::ranges::set_difference(sorted_now, sorted_before, std::back_inserter(fresh));
  else
    fresh = sorted_now;
  std::string out = fmt::format("{}: ", count_of(now.size(), "unmet requirement"));
  if (adds && fresh.empty()) return out + "as above";
  if (adds) out += before.size() == 1 ? "the one above, " : "those above, ";
  const std::vector<std::string> names = short_names(assessment, fresh);
  out += first_few(names, shown_unmet);
  if (names.size() > shown_unmet + 1) out += " (see wheelcheck why)";
  return out;
}

std::string remark(const WheelReport& wheel, std::size_t index, const LevelRow& row, const LevelRow* previous) {
  const Assessment& assessment = wheel.assessments[index];
  std::vector<std::string> parts;
  if (claim_at(wheel, index, row.oldest)) parts.emplace_back("claimed");
  if (assessment.best == row.oldest) parts.emplace_back("lowest compatible");
  std::string out = fmt::format("{}", fmt::join(parts, ", "));
  const std::vector<RequirementIndex>& now = assessment.levels[row.oldest.value].unmet_requirements;
  if (now.empty()) return out;
  static const std::vector<RequirementIndex> none;
  const std::vector<RequirementIndex>& before =
      previous ? assessment.levels[previous->oldest.value].unmet_requirements : none;
  if (!out.empty()) out += "; ";
  return out + unmet_text(assessment, now, before);
}

std::string block(const WheelReport& wheel, std::size_t index, const Paint& paint) {
  const Assessment& assessment = wheel.assessments[index];
  const std::size_t total = assessment.requirements.size();
  std::string out =
      fmt::format("\n{} on {} {}: {} of {}\n", paint.bold("Score"), name_of(assessment.family),
                  name_of(assessment.arch), count_of(total, "requirement"), count_of(assessment.files, "ELF file"));
  const std::vector<ScoreRow> rows = score_rows(wheel, index);
  std::size_t label_width = 0, count_width = 0;
  for (const ScoreRow& row : rows) {
    label_width = std::max(label_width, columns(row.levels));
    count_width = std::max(count_width, fmt::formatted_size("{}", row.met));
  }
  for (const ScoreRow& row : rows) {
    const bool met = row.met == row.total;
    const std::string mark = row.claimed ? (met ? paint.green("> ") : paint.red("> ")) : "  ";
    const std::string label = padded(row.levels, label_width);
    const std::string count = fmt::format("{:>{}} of {}", row.met, count_width, row.total);
    const std::size_t used = 4 + label_width + 2 + columns(count) + 2;
    std::string line = paint.wrapped(row.remark, used, used);
    if (!line.empty()) line.insert(0, "  ");
    const std::string shown = met ? paint.green(count) : row.claimed ? paint.red(count) : count;
    out += fmt::format("  {}{}  {}{}\n", mark, row.claimed ? paint.bold(label) : label, shown, line);
  }
  return out;
}

}  // namespace

std::vector<ScoreRow> score_rows(const WheelReport& wheel, std::size_t index) {
  const Assessment& assessment = wheel.assessments[index];
  const std::size_t total = assessment.requirements.size();
  const std::vector<LevelRow> rows = rows_of(wheel, index);
  std::vector<ScoreRow> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LevelRow& row = rows[i];
    out.push_back({.levels = level_range(assessment, row.newest, row.oldest),
                   .met = total - assessment.levels[row.oldest.value].unmet_requirements.size(),
                   .total = total,
                   .claimed = claim_at(wheel, index, row.oldest) != nullptr,
                   .remark = remark(wheel, index, row, i == 0 ? nullptr : &rows[i - 1])});
  }
  return out;
}

std::string score_text(const WheelReport& wheel, const Paint& paint) {
  std::string out;
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i) out += block(wheel, i, paint);
  return out;
}

}  // namespace wheelcheck::report
