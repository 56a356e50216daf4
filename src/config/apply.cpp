#include "config/apply.h"

#include "base/text.h"

namespace wheelcheck::config {
namespace {

template <class From, class To>
void take(const std::optional<From>& from, To& to) {
  if (from) to = *from;
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void apply(const ConfigKeys& keys, Settings& settings) {
  take(keys.require_tags, settings.required_tags);
  take(keys.select, settings.select);
  take(keys.ignore, settings.ignore);
  take(keys.pedantic, settings.pedantic);
  RuleOptions& rules = settings.rules;
  take(keys.own_namespaces, rules.own_namespaces);
  take(keys.own_sonames, rules.own_sonames);
  take(keys.required_sm, rules.required_sm);
  take(keys.max_size, rules.max_wheel_bytes);
  take(keys.index, rules.index);
  take(keys.max_exports, rules.max_exports);
  take(keys.leak_threshold, rules.leak_threshold);
  take(keys.string_abi, rules.required_string_abi);
  if (keys.fail_on) {
    settings.never_fail = !keys.fail_on->least;
    settings.fail_on = keys.fail_on->least.value_or(settings.fail_on);
  }
  append(keys.severities, settings.severities);
  append(keys.ignores, settings.ignores);
  // The first match applies, so the entries of an override come before those of the file.
  rules.export_budgets.insert(rules.export_budgets.begin(), keys.export_budgets.begin(), keys.export_budgets.end());
  rules.size_budgets.insert(rules.size_budgets.begin(), keys.size_budgets.begin(), keys.size_budgets.end());
  append(keys.forbidden_exports, rules.forbidden_exports);
  append(keys.allowed_exports, rules.allowed_exports);
  append(keys.forbidden_needed, rules.forbidden_needed);
  append(keys.tags_of_machines, settings.tags_of_machines);
  append(keys.external, rules.external);
  for (const ExternalLibrary& library : keys.external) settings.external.push_back(library.library);
}

std::optional<Settings> settings_for(const std::string& file, const Settings& run) {
  std::optional<Settings> own;
  for (const ConfigOverride& one : run.overrides) {
    if (!glob_match(one.wheel, file)) continue;
    if (!own) own = run;
    apply(one.keys, *own);
  }
  return own;
}

}  // namespace wheelcheck::config
