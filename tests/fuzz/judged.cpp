#include "tests/fuzz/judged.h"

#include <string>
#include <utility>

#include "mangling/demangle.h"
#include "policy/assess.h"
#include "report/answers/answers.h"
#include "report/answers/symbols.h"
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

void show_answer(const report::Answer& answer, std::string_view name) {
  for (const std::string& format : answer_formats()) {
    const std::string text = render_answer(format, answer, {});
    demand_plain_text(text, name);
    if (format == "json") demand_strict_json(text, name);
  }
}

void show_symbols(const WheelReport& wheel, const Knowledge& knowledge) {
  static const Attributor whose(knowledge);
  const auto attribute = [](std::string_view symbol) { return whose(symbol); };
  show_answer(report::symbol_counts_answer(wheel.facts, wheel.analysis, knowledge,
                                           {.by = report::SymbolQuestion::By::Namespace, .attribute = attribute}),
              "symbols");
  show_answer(report::symbol_list_answer(
                  wheel.facts, wheel.analysis, knowledge,
                  {.attribute = attribute, .matches = [](std::string_view) { return true; }, .demangle = demangle}),
              "symbols --match");
}

void show_loads(const WheelReport& wheel) {
  const report::Tree tree{.wheel = wheel, .loads = trace(wheel.facts, {}, {}, wheel.resolution.roots)};
  show_answer(report::tree_answer(std::span(&tree, 1), {}), "tree");
  for (const std::string_view tag : {"manylinux_2_17", "musllinux_1_2", "linux_x86_64"}) {
    const auto why = report::why_answer(wheel, tag);
    if (why) show_answer(*why, "why");
    if (!why) demand_plain_text(why.error().message, "why");
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
