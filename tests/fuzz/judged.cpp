#include "tests/fuzz/judged.h"

#include <string>
#include <utility>

#include "mangling/demangle.h"
#include "policy/assess.h"
#include "report/symbols/symbols.h"
#include "report/tree/tree.h"
#include "report/why/why.h"
#include "rules/engine.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/shown_text.h"
#include "verdict/judge.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::fuzz {
namespace {

WheelReport judge(WheelFacts wheel, const PolicySet& policies, const Knowledge& knowledge) {
  WheelReport report{.facts = std::move(wheel)};
  report.resolution = resolve(report.facts, {}, {});
  report.assessments =
      policy::assess(report.facts, report.resolution, {}, policies, policy::claimed_targets(report.facts, policies));
  report.verdict = verdict::judge(report.facts, report.assessments);
  const RuleOptions options;
  report.analysis = analyse(report.facts, report.resolution, knowledge, options);
  const WheelView view{
      report.facts, report.resolution, report.assessments, report.verdict.claims, report.analysis, knowledge, options};
  report.findings = rules::run_rules(view, {.pedantic = true});
  return report;
}

void show_report(const Report& report) {
  for (const Renderer* const renderer : all_renderers()) {
    const std::string text = renderer->render(report, {});
    demand_plain_text(text, renderer->name);
    if (renderer->name == "json" || renderer->name == "auditwheel-json") demand_strict_json(text, renderer->name);
    if (renderer->name == "json-lines")
      for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        demand_strict_json(std::string_view(text).substr(at, text.find('\n', at) - at), renderer->name);
    demand_plain_text(renderer->render(report, {.facts_only = true}), renderer->name);
  }
}

void show_symbols(const WheelReport& wheel, const Knowledge& knowledge) {
  static const Attributor whose(knowledge);
  const auto attribute = [](std::string_view symbol) { return whose(symbol); };
  for (const bool json : {false, true}) {
    std::string text =
        report::count_symbols(wheel.facts, wheel.analysis, knowledge,
                              {.by = report::SymbolQuestion::By::Namespace, .json = json, .attribute = attribute});
    demand_plain_text(text, "symbols");
    if (json) demand_strict_json(text, "symbols --format json");
    text = report::list_symbols(
        wheel.facts, wheel.analysis, knowledge,
        {.json = json, .attribute = attribute, .matches = [](std::string_view) { return true; }, .demangle = demangle});
    demand_plain_text(text, "symbols --match");
    if (json) demand_strict_json(text, "symbols --match --format json");
  }
}

void show_loads(const WheelReport& wheel) {
  for (const bool json : {false, true}) {
    const report::Tree tree{.wheel = wheel, .loads = trace(wheel.facts, {}, {}, wheel.resolution.roots)};
    const std::string text = report::render_trees(std::span(&tree, 1), {}, {.json = json});
    demand_plain_text(text, "tree");
    if (json) demand_strict_json(text, "tree --format json");
    for (const std::string_view tag : {"manylinux_2_17", "musllinux_1_2", "linux_x86_64"}) {
      const auto why = report::render_why(wheel, tag, {.json = json});
      demand_plain_text(why ? *why : why.error().message, "why");
      if (why && json) demand_strict_json(*why, "why --format json");
    }
  }
}

}  // namespace

void show_everything(WheelFacts wheel) {
  static const PolicySet policies;
  static const Knowledge knowledge = *load_knowledge({});
  Report report{.version = std::string(version())};
  report.entries.push_back({.wheel = judge(std::move(wheel), policies, knowledge)});
  show_report(report);
  show_symbols(*report.entries.front().wheel, knowledge);
  show_loads(*report.entries.front().wheel);
}

}  // namespace wheelcheck::fuzz
