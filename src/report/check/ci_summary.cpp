#include "report/check/ci_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

int exit_code(const Report& report) {
  int code = 0;
  for (const Report::Entry& entry : report.entries)
    code = std::max(code, entry.unreadable ? 3 : entry.wheel && entry.wheel->failed ? 1 : 0);
  return code;
}

namespace report {
namespace {

struct Counts {
  std::size_t wheels = 0, unreadable = 0, incompatible = 0, foreign = 0, unhashed = 0;
  std::size_t ignored = 0, known = 0, gone = 0;  // findings
  std::set<std::optional<Severity>> thresholds;
};

Counts counts_of(const Report& report) {
  Counts out;
  for (const Report::Entry& entry : report.entries) {
    if (entry.unreadable) ++out.unreadable;
    if (!entry.wheel) continue;
    const WheelReport& wheel = *entry.wheel;
    ++out.wheels;
    if (overall(wheel.verdict) == TagResult::Incompatible) ++out.incompatible;
    if (!other_systems(wheel).empty()) ++out.foreign;
    if (wheel.facts.size != 0 && !is_hashed(wheel.facts)) ++out.unhashed;
    out.ignored += wheel.ignored.size();
    out.known += wheel.known.size();
    out.gone += wheel.mended.size();
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
  if (report.errors != 0) parts.push_back(plural(report.errors, "error"));
  if (report.warnings != 0) parts.push_back(plural(report.warnings, "warning"));
  return parts.empty() ? "no errors or warnings" : join(parts, ", ");
}

}  // namespace

std::string outcome_text(const Report& report, const RenderOptions& options) {
  const Counts counts = counts_of(report);
  std::vector<std::string> parts, remarks;
  if (counts.wheels != 0) {
    parts.push_back(plural(counts.wheels, "wheel"));
    if (counts.incompatible != 0) parts.back() += fmt::format(", {} not compatible", counts.incompatible);
  }
  if (counts.foreign != 0 && !parts.empty())
    parts.back() += fmt::format(", {} not for Linux and not checked", counts.foreign);
  if (counts.unreadable != 0) parts.push_back(plural(counts.unreadable, "input") + " not readable");
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
  if (report.infos != 0)
    remarks.push_back(plural(report.infos, "note") + (options.verbosity < 1 ? " hidden, -v shows all" : ""));
  if (counts.unhashed != 0) remarks.push_back("hashes of RECORD not compared");
  return fmt::format("{} ({})", fmt::join(parts, "; "), fmt::join(remarks, "; "));
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
  const int code = exit_code(report);
  return options.facts_only && code == 1 ? 0 : code;
}

std::vector<Said> worst_first(const Report& report) {
  std::vector<Said> all;
  for (const Report::Entry& entry : report.entries)
    if (entry.wheel)
      for (const Finding& finding : entry.wheel->findings) all.push_back({&*entry.wheel, &finding});
  std::ranges::stable_sort(all, [](const Said& a, const Said& b) { return a.finding->severity > b.finding->severity; });
  return all;
}

}  // namespace report
}  // namespace wheelcheck
