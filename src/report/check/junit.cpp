// JUnit XML for CI systems that show test reports: a suite for each wheel, a test for each rule with findings. There is
// no standard. The format follows the schema of Jenkins (xunit-plugin, junit-10.xsd), without time and host.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "report/check/ci_summary.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {
namespace {

constexpr std::string_view readable = "is a wheel";  // a test that every input has

struct Suite {
  std::string text;
  std::size_t tests = 1, failures = 0, errors = 0;
};

std::string lines_of(const WheelReport& wheel, std::span<const Finding> findings) {
  std::string out;
  for (const Finding& finding : findings) {
    const std::string path = place_path(wheel.facts, finding.place);
    out += fmt::format("{}{}: {}{}\n", name_of(finding.severity), path.empty() ? "" : " " + markup_shown(path),
                       markup(finding.message), finding.fix.empty() ? "" : "\n  fix: " + markup(finding.fix));
  }
  return out;
}

void add_rule(Suite& suite, const WheelReport& wheel, std::span<const Finding> findings, const RenderOptions& options) {
  const Finding& worst = findings.front();
  const bool failed = fails(wheel, worst, options);
  suite.text += fmt::format("    <testcase classname=\"{}\" name=\"{} {}\">\n", markup(wheel.facts.file),
                            worst.rule->code, worst.rule->name);
  if (failed)
    suite.text += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", name_of(worst.severity),
                              markup(worst.message), lines_of(wheel, findings));
  else
    suite.text += fmt::format("      <system-out>{}</system-out>\n", lines_of(wheel, findings));
  suite.text += "    </testcase>\n";
  ++suite.tests;
  suite.failures += failed ? 1u : 0u;
}

// The findings of one rule may have different severities, so they need not be adjacent.
Suite suite_of(const WheelReport& wheel, const RenderOptions& options) {
  Suite suite;
  suite.text = fmt::format("    <testcase classname=\"{}\" name=\"{}\"/>\n", markup(wheel.facts.file), readable);
  std::vector<const Rule*> rules;
  for (const Finding& finding : wheel.findings)
    if (std::ranges::find(rules, finding.rule) == rules.end()) rules.push_back(finding.rule);
  for (const Rule* const rule : rules) {
    std::vector<Finding> findings;
    std::ranges::copy_if(wheel.findings, std::back_inserter(findings),
                         [&](const Finding& finding) { return finding.rule == rule; });
    add_rule(suite, wheel, findings, options);
  }
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
