#include "rules/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "wheelcheck/version.h"

namespace wheelcheck {

extern const std::span<const Rule* const> rule_list;  // written by the build

std::span<const Rule* const> all_rules() {
  static const std::vector<const Rule*> sorted = [] {
    std::vector<const Rule*> rules(rule_list.begin(), rule_list.end());
    std::ranges::sort(rules, {}, [](const Rule* rule) { return rule->code; });
    return rules;
  }();
  return sorted;
}

const Rule* find_rule(std::string_view code_or_name) {
  const std::string wanted = lower(code_or_name);
  for (const Rule* rule : all_rules())
    if (lower(rule->code) == wanted || rule->name == wanted) return rule;
  return nullptr;
}

namespace rules {
namespace {

std::size_t best_exactness(const Rule& rule, const std::vector<std::string>& words) {
  std::size_t best = 0;
  for (const std::string& word : words) best = std::max(best, exactness(rule, word));
  return best;
}

bool comes_first(const WheelFacts& wheel, const Finding& a, const Finding& b) {
  if (a.severity != b.severity) return a.severity > b.severity;
  if (a.rule->code != b.rule->code) return a.rule->code < b.rule->code;
  if (const auto order = natural_order(path_of(wheel, a.place), path_of(wheel, b.place)); order != 0) return order < 0;
  return natural_order(a.message, b.message) < 0;
}

using Before = std::function<bool(const Finding&, const Finding&)>;

std::vector<Finding> findings_of(const Rule& rule, std::vector<Emit::Draft> drafts, const Before& before) {
  std::vector<Finding> findings;
  findings.reserve(drafts.size());
  for (Emit::Draft& draft : drafts) {
    findings.push_back({.rule = &rule,
                        .severity = draft.severity.value_or(rule.severity),
                        .confidence = draft.confidence.value_or(rule.confidence),
                        .place = std::move(draft.place),
                        .message = std::move(draft.message),
                        .evidence = std::move(draft.evidence),
                        .fix = std::move(draft.fix),
                        .load_plans = std::move(draft.load_plans)});
  }
  std::ranges::stable_sort(findings, before);
  return findings;
}

// Stands for those of a rule that are cut; at the severity of the worst of them, so that an exit code stays the same.
Finding count_of_cut(const Rule& rule, Severity worst, std::size_t cut) {
  return {.rule = &rule,
          .severity = worst,
          .confidence = rule.confidence,
          .place = WholeWheel{},
          .message = fmt::format("{} more finding{} of {} {} not shown", cut, cut == 1 ? "" : "s", rule.name,
                                 cut == 1 ? "is" : "are"),
          .evidence = {},
          .fix = "fix those that are shown and check again"};
}

// `drafts_of` gives what a rule says, or nothing where it has nothing to ask of such a view.
template <class DraftsOf>
std::vector<Finding> run(const RuleSelection& selection, unsigned jobs, const DraftsOf& drafts_of,
                         const Before& before) {
  std::vector<const Rule*> rules(all_rules().begin(), all_rules().end());
  std::erase_if(rules, [&](const Rule* rule) { return !is_selected(*rule, selection); });
  std::vector<std::vector<Finding>> found(rules.size());
  parallel_for(rules.size(), jobs,
               [&](std::size_t i) { found[i] = findings_of(*rules[i], drafts_of(*rules[i]), before); });
  std::vector<Finding> all;
  for (std::vector<Finding>& findings : found) std::ranges::move(findings, std::back_inserter(all));
  // Each rule's findings are in order already; a stable sort keeps that.
  std::ranges::stable_sort(all, [](const Finding& a, const Finding& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.rule->code < b.rule->code;
  });
  return all;
}

}  // namespace

std::size_t exactness(const Rule& rule, std::string_view word) {
  const std::string wanted = lower(word);
  if (wanted.empty()) return 0;
  if (rule.name == wanted) return rule.code.size();
  return lower(rule.code).starts_with(wanted) ? wanted.size() : 0;
}

bool is_selector(std::string_view word) {
  return std::ranges::any_of(all_rules(), [&](const Rule* rule) { return exactness(*rule, word) > 0; });
}

bool is_selected(const Rule& rule, const RuleSelection& selection) {
  const std::size_t ignored = best_exactness(rule, selection.ignore);
  if (rule.pedantic && !selection.pedantic && best_exactness(rule, selection.select) < rule.code.size()) return false;
  if (selection.select.empty()) return ignored == 0;
  const std::size_t selected = best_exactness(rule, selection.select);
  return selected > ignored;
}

std::string_view path_of(const WheelFacts& wheel, const Place& place) {
  struct PathOf {
    const WheelFacts& wheel;
    std::string_view operator()(const WholeWheel&) const { return {}; }
    std::string_view operator()(const AtMember& at) const { return wheel.members[at.member.value].path.text(); }
    std::string_view operator()(const AtPath& at) const { return at.path; }
    std::string_view operator()(const AtObject&) const { return {}; }
    std::string_view operator()(const AtElf& at) const {
      return wheel.members[wheel.elfs[at.elf.value].member.value].path.text();
    }
  };
  return std::visit(PathOf{wheel}, place);
}

void sort_findings(const WheelFacts& wheel, std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [&](const Finding& a, const Finding& b) { return comes_first(wheel, a, b); });
}

std::vector<Finding> within_limits(std::vector<Finding> findings) {
  struct Seen {
    std::size_t count = 0, place_of_rest = 0;
  };
  std::map<const Rule*, Seen> seen;
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    Seen& rule = seen[finding.rule];
    if (++rule.count <= most_findings_of_one_rule) {
      kept.push_back(std::move(finding));
    } else if (rule.count == most_findings_of_one_rule + 1) {
      rule.place_of_rest = kept.size();
      kept.push_back(count_of_cut(*finding.rule, finding.severity, 1));
    }
  }
  for (const auto& [rule, one] : seen)
    if (one.count > most_findings_of_one_rule)
      kept[one.place_of_rest] =
          count_of_cut(*rule, kept[one.place_of_rest].severity, one.count - most_findings_of_one_rule);
  return kept;
}

std::vector<Finding> run_rules(const WheelView& view, const RuleSelection& selection, unsigned jobs) {
  return within_limits(find_all(view, selection, jobs));
}

std::vector<Finding> find_all(const WheelView& view, const RuleSelection& selection, unsigned jobs) {
  const auto drafts_of = [&](const Rule& rule) {
    std::vector<Emit::Draft> drafts;
    if (rule.check != nullptr) rule.check(view, Emit(drafts));
    return drafts;
  };
  return run(selection, jobs, drafts_of,
             [&](const Finding& a, const Finding& b) { return comes_first(view.wheel, a, b); });
}

std::vector<Finding> run_set_rules(const SetView& view, const RuleSelection& selection) {
  const auto drafts_of = [&](const Rule& rule) {
    std::vector<Emit::Draft> drafts;
    if (rule.check_set != nullptr) rule.check_set(view, Emit(drafts));
    return drafts;
  };
  // Relations come with the worst first.
  return within_limits(
      run(selection, 1, drafts_of, [](const Finding& a, const Finding& b) { return a.severity > b.severity; }));
}

std::vector<Finding> run_config_rules(const ConfigView& view, const RuleSelection& selection) {
  const auto drafts_of = [&](const Rule& rule) {
    std::vector<Emit::Draft> drafts;
    if (rule.check_config != nullptr) rule.check_config(view, Emit(drafts));
    return drafts;
  };
  return run(selection, 1, drafts_of, [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
}

}  // namespace rules
}  // namespace wheelcheck
