// The report of several wheels in one process, for people.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"
#include "model/requirements.h"
#include "report/check/findings_text.h"
#include "report/conflicts/conflicts.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

std::string title_of(const Party& party) {
  const WheelFacts& facts = party.facts;
  const std::string& version =
      facts.metadata && !facts.metadata->version.empty() ? facts.metadata->version : facts.name.version;
  return escape(name_of_distribution(facts) + (version.empty() ? "" : " ") + version);
}

std::string short_name(const Party& party) { return escape(name_of_distribution(party.facts)); }

std::string order_text(const ConflictReport& report, std::uint32_t load_plan) {
  std::vector<std::string> names;
  for (const PartyIndex party : report.conflicts.load_plans[load_plan].order)
    names.push_back(short_name(report.conflicts.installation.parties[party.value]));
  return first_few(names, 8) + (names.size() > 1 ? "" : " alone");
}

// The worst that is said of one order.
std::string verdict_of(const ConflictReport& report, std::uint32_t load_plan, const Paint& paint) {
  std::size_t errors = 0, warnings = 0;
  for (const Finding& finding : report.findings) {
    if (!finding.load_plans.empty() && !std::ranges::binary_search(finding.load_plans, load_plan)) continue;
    errors += finding.severity == Severity::Error ? 1U : 0U;
    warnings += finding.severity == Severity::Warning ? 1U : 0U;
  }
  if (errors + warnings == 0) return paint.green("no harm seen");
  std::string out = errors > 0 ? paint.red(plural(errors, "error")) : "";
  if (warnings > 0) out += (out.empty() ? "" : ", ") + paint.yellow(plural(warnings, "warning"));
  return out;
}

std::string heading(const ConflictReport& report, const Paint& paint) {
  const Conflicts& conflicts = report.conflicts;
  std::vector<std::string> names;
  for (const Party& party : conflicts.installation.parties) names.push_back(title_of(party));
  std::string out = paint.bold(wrapped(first_few(names, 12), 0, 2)) + "\n";
  out += fmt::format("  in one process of {}\n", escape(conflicts.installation.description));
  std::size_t width = 0;
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    width = std::max(width, columns(order_text(report, i)));
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    out += fmt::format("  imported as {}  {}\n", padded(order_text(report, i), width), verdict_of(report, i, paint));
  return out;
}

// An open that fails alone too says nothing about the others, but the prediction ends there.
std::string not_played(const ConflictReport& report) {
  const Conflicts& conflicts = report.conflicts;
  if (conflicts.outcomes.empty()) return "";
  std::size_t count = 0;
  std::string example;
  std::set<std::string> names;  // in whatever order it is met
  for (std::size_t i = 0; i < conflicts.outcomes.size(); ++i) {
    for (const process::Failure& failure : conflicts.outcomes[i].failures) {
      const PlannedOpen& open = conflicts.load_plans[i].opens[failure.step][failure.open];
      const std::string& name = conflicts.load_plans[i].plan.steps[failure.step].opens[failure.open].name;
      if (failure.given_up) return fmt::format("  {}\n", wrapped(escape(failure.error), 2, 4));
      if (failure.nested || open.maybe || !names.insert(name).second) continue;
      if (count++ == 0) example = failure.error;
    }
  }
  if (count == 0) return "";
  return fmt::format("  {} cannot be opened: {}\n", plural(count, "file"), wrapped(escape(example), 30, 4));
}

}  // namespace

std::string render_conflicts(const ConflictReport& report, bool colour) {
  const Paint paint(colour);
  std::string out = heading(report, paint);
  if (const auto& refused =
          report.conflicts.outcomes.empty() ? std::nullopt : report.conflicts.outcomes.front().refused)
    out += fmt::format("  the interpreter does not start: {}\n", escape(*refused));
  out += not_played(report);
  if (!report.traced.empty()) return out + searches_text(report, colour);
  const auto place_of = [&](const Place& place) {
    const AtObject* const at = std::get_if<AtObject>(&place);
    return at == nullptr ? std::string() : escape(report.conflicts.installation.names[at->object.value]);
  };
  out += findings_text(report.findings, place_of, paint);
  return out + fmt::format("\n{}: {}, {}, {}\n", plural(report.conflicts.load_plans.size(), "order"),
                           plural(report.errors, "error"), plural(report.warnings, "warning"),
                           plural(report.infos, "info", "info"));
}

}  // namespace wheelcheck::report
