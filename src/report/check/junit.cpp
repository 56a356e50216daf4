// JUnit XML for CI systems that show test reports: a suite for each wheel, a test for each rule with findings. There is
// no standard. The format follows the schema of Jenkins (xunit-plugin, junit-10.xsd), without time and host.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "report/check/ci_summary.h"
#include "report/shared/groups.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::string_view readable = "is a wheel";  // a test that every input has

struct Suite {
  std::string text;
  std::size_t tests = 1, failures = 0, errors = 0;
};

std::string lines_of(std::span<const FindingGroup> groups) {
  std::string out;
  for (const FindingGroup& group : groups) {
    out += fmt::format("{}: {}\n", name_of(group.findings.front().severity), markup_shown(group.heading));
    for (const std::string& row : group.rows) out += fmt::format("  {}\n", markup_shown(row));
    for (const std::string& fix : group.fixes) out += fmt::format("  fix: {}\n", markup_shown(fix));
  }
  return out;
}

// groups: of one rule, the worst first.
void add_rule(Suite& suite, const WheelReport& wheel, std::span<const FindingGroup> groups,
              const RenderOptions& options) {
  const Finding& worst = groups.front().findings.front();
  const bool failed = fails(wheel, worst, options);
  suite.text += fmt::format("    <testcase classname=\"{}\" name=\"{} {}\">\n", markup(wheel.facts.file),
                            worst.rule->code, worst.rule->name);
  if (failed)
    suite.text += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", name_of(worst.severity),
                              markup_shown(groups.front().heading), lines_of(groups));
  else
    suite.text += fmt::format("      <system-out>{}</system-out>\n", lines_of(groups));
  suite.text += "    </testcase>\n";
  ++suite.tests;
  suite.failures += failed ? 1u : 0u;
}

Suite suite_of(const WheelReport& wheel, const RenderOptions& options) {
  Suite suite;
  suite.text = fmt::format("    <testcase classname=\"{}\" name=\"{}\"/>\n", markup(wheel.facts.file), readable);
  std::vector<std::pair<const Rule*, std::vector<FindingGroup>>> rules;  // one may have several severities
  for (FindingGroup& group : grouped(wheel, wheel.findings)) {
    const Rule* const rule = group.findings.front().rule;
    auto at = std::ranges::find(rules, rule, [](const auto& one) { return one.first; });
    if (at == rules.end()) at = rules.insert(at, {rule, {}});
    at->second.push_back(std::move(group));
  }
  for (const auto& [rule, groups] : rules) add_rule(suite, wheel, groups, options);
  return suite;
}

// A refused wheel is a failure; what could not be opened is an error of the run.
Suite suite_of(const Unreadable& unreadable) {
  const bool refused = unreadable.refused();
  Suite suite{.text = {}, .failures = refused ? 1u : 0u, .errors = refused ? 0u : 1u};
  suite.text = fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\">\n      <{} type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
      markup(base_name(unreadable.path)), readable, refused ? "failure" : "error", unreadable_title(unreadable),
      markup_shown(unreadable_message(unreadable)));
  return suite;
}

std::string render_junit(const Report& report, const RenderOptions& options) {
  std::string suites;
  Suite sum{.text = {}, .tests = 0};
  for (const Report::Entry& entry : report.entries) {
    const Suite suite = entry.wheel ? suite_of(*entry.wheel, options) : suite_of(*entry.unreadable);
    const std::string name = entry.wheel ? entry.wheel->facts.file : std::string(base_name(entry.unreadable->path));
    suites += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}  </testsuite>\n",
                          markup(name), suite.tests, suite.failures, suite.errors, suite.text);
    sum.tests += suite.tests;
    sum.failures += suite.failures;
    sum.errors += suite.errors;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"wheelcheck\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
      sum.tests, sum.failures, sum.errors, suites);
}

}  // namespace

extern const Renderer junit{"junit", "JUnit XML: one suite per wheel, one test per rule", &render_junit};

}  // namespace wheelcheck::report
