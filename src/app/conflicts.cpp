// The pipeline of `conflicts`: reads the wheels, installs them together, plans what is opened, predicts the bindings,
// and applies the rules.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/text.h"
#include "cache/cache.h"
#include "conflicts/find.h"
#include "environment/disk.h"
#include "import_plan/first_import.h"
#include "knowledge/tables.h"
#include "mangling/demangle.h"
#include "model/requires_dist.h"
#include "policy/assess.h"
#include "report/shared/text.h"
#include "rules/engine.h"
#include "verdict/judge.h"
#include "wheel/read_environment.h"
#include "wheelcheck/conflict_report.h"
#include "wheelcheck/environment.h"

namespace wheelcheck {
namespace {

Progress progress_of(const std::string& path, const Settings& settings) {
  if (!settings.progress) return {};
  return [&](std::uint64_t done, std::uint64_t total) { settings.progress(path, done, total); };
}

// Other paths that the run reads. The links and search paths of an interpreter and a sysroot may lead anywhere.
Result<std::vector<std::string>> read_besides(const ConflictSettings& requested) {
  std::vector<std::string> out;
  if (!requested.environment.empty()) {
    auto root = environment_root(requested.environment);
    if (!root) return std::unexpected(std::move(root.error()));
    out.push_back(std::move(*root));
  }
  if (reads_runtime(requested.python, requested.sysroot)) out.emplace_back("/");
  return out;
}

wheel::EnvironmentOptions environment_options(const ConflictSettings& requested) {
  // A module of --import may be of a distribution without machine code.
  wheel::EnvironmentOptions options{.every = !requested.load_plan.imports.empty(), .store = {}};
  const Settings& settings = requested.settings;
  if (settings.cache.empty()) return options;
  const cache::CacheLocation place{settings.cache, settings.cache_bytes};
  options.digests = [place](const wheel::InstalledState& state, const std::function<Result<std::string>()>& compute) {
    return cache::digest({.sha256 = state.sha256, .changed = state.changed, .is_unchanged = state.is_unchanged}, place,
                         compute);
  };
  options.store = [place](const wheel::InstalledContent& content, const std::function<Result<WheelFacts>()>& read) {
    return cache::read({.file = content.file, .sha256 = content.sha256, .is_unchanged = content.is_unchanged},
                       content.limits, place, read);
  };
  return options;
}

// Reads the environment first, because it is installed before the given wheels.
Result<std::vector<WheelFacts>> read_all(std::span<const OpenedInput> inputs, const ConflictSettings& requested,
                                         std::set<std::string>& left_out) {
  Settings settings = requested.settings;
  settings.limits.imports = true;  // the import order decides in which order modules are opened
  std::vector<WheelFacts> all;
  if (!requested.environment.empty()) {
    wheel::EnvironmentOptions options = environment_options(requested);
    options.left_out = &left_out;
    auto installed = wheel::read_environment(requested.environment, requested.distributions, settings.limits,
                                             settings.jobs, progress_of(requested.environment, settings), options);
    if (!installed) return std::unexpected(std::move(installed.error()));
    all = std::move(*installed);
  }
  for (const OpenedInput& input : inputs) {
    const Progress progress = progress_of(input.path, settings);
    auto wheel = read_any(input, settings, settings.jobs, progress);
    if (!wheel) return std::unexpected(report::named(input.path, std::move(wheel.error())));
    all.push_back(std::move(*wheel));
  }
  return all;
}

std::vector<Distribution> distributions_of(std::vector<WheelFacts> wheels, const Settings& settings,
                                           const Knowledge& knowledge) {
  std::vector<Distribution> distributions;
  for (WheelFacts& wheel : wheels) {
    Distribution distribution{.facts = std::move(wheel), .resolution = {}, .analysis = {}};
    distribution.resolution = resolve(distribution.facts, {}, settings.external);
    distribution.analysis = analyse(distribution.facts, distribution.resolution, knowledge, settings.rules);
    distributions.push_back(std::move(distribution));
  }
  return distributions;
}

// The distributions that the user named, in that order, then the `wheels` last ones, which were given as files. Empty
// if all distributions of the environment are wanted.
std::vector<DistributionIndex> named_distributions(const Installation& installation,
                                                   const std::vector<std::string>& names, std::size_t wheels) {
  std::vector<DistributionIndex> out;
  if (names.empty()) return out;
  const auto count = static_cast<std::uint32_t>(installation.distributions.size());
  for (const std::string& name : names)
    for (std::uint32_t i = 0; i < count - wheels; ++i)
      if (normal_project_name(name_of_distribution(installation.distributions[i].facts)) == normal_project_name(name) &&
          std::ranges::find(out, DistributionIndex{i}) == out.end())
        out.push_back({i});
  for (auto i = static_cast<std::uint32_t>(count - wheels); i < count; ++i) out.push_back({i});
  return out;
}

// Determines which distributions are the same project under another name.
void name_projects(Installation& installation, const Knowledge& knowledge) {
  for (const Distribution& distribution : installation.distributions) {
    const std::string name = normal_project_name(name_of_distribution(distribution.facts));
    for (const KnownDistribution& known : knowledge.distributions)
      for (const std::string_view pattern : known.alternatives)
        if (glob_match(pattern, name)) installation.projects.emplace(name, known.name);
  }
}

// A symbol may be named as its author wrote it, with arguments or without: each mangled name that fits takes its place.
// A name that fits none stays, and the report says that nobody has it.
std::vector<std::string> mangled_names(const Installation& installation, const std::vector<std::string>& words) {
  const auto is_plain = [](const std::string& word) {
    return word.find("::") != word.npos || word.find('(') != word.npos;
  };
  std::map<std::string, std::set<std::string>, std::less<>> found;
  for (const std::string& word : words)
    if (is_plain(word)) found.try_emplace(word);
  if (found.empty()) return words;
  const auto look = [&](std::string_view symbol) {
    if (!symbol.starts_with("_Z") && !symbol.starts_with("_R")) return;
    const std::string name = demangle(symbol);
    for (auto& [word, mangled] : found)
      if (name == word || name.starts_with(word + "(")) mangled.emplace(symbol);
  };
  for (const Distribution& distribution : installation.distributions)
    for (const ElfMember& elf : distribution.facts.elfs) {
      if (!elf.facts.dynamic) continue;
      for (const Export& symbol : elf.facts.dynamic->exports) look(symbol.name);
      for (const Import& symbol : elf.facts.dynamic->imports) look(symbol.name);
    }
  std::vector<std::string> out;
  for (const std::string& word : words) {
    const auto mangled = found.find(word);
    if (mangled == found.end() || mangled->second.empty())
      out.push_back(word);
    else
      out.insert(out.end(), mangled->second.begin(), mangled->second.end());
  }
  return out;
}

// The errors of `check` that stop the import of one of the `given` last distributions: what its process does then is
// not known. Each rule and file once.
void add_check_errors(Conflicts& conflicts, std::size_t given, const PolicySet& policies, const Knowledge& knowledge,
                      const Settings& settings) {
  rules::RuleSelection selection{{}, settings.ignore, false};
  for (const Rule* const rule : all_rules())
    if (rule->stops_import && std::string_view(rule->code) != "WC306")  // the simulation itself binds every name
      selection.select.emplace_back(rule->code);
  const std::span<const Distribution> all = conflicts.installation.distributions;
  for (const Distribution& one : all.last(std::min(given, all.size()))) {
    const std::vector<Assessment> assessments =
        policy::assess_claims_or_content(one.facts, one.resolution, {}, policies);
    const Verdict verdict = verdict::judge(one.facts, assessments);
    const WheelView view{one.facts,    one.resolution, assessments,   verdict.claims,
                         one.analysis, knowledge,      settings.rules};
    std::vector<std::string> reported;
    for (const Finding& finding : rules::run_rules(view, selection, settings.jobs)) {
      if (finding.severity != Severity::Error) continue;
      const std::string_view path = path_of(one.facts, finding.place);
      const bool is_known = std::ranges::any_of(
          conflicts.not_known, [&](const std::string& text) { return !path.empty() && text.contains(path); });
      if (is_known) continue;
      std::string text = fmt::format("what happens after the import of {} fails: check reports {} {}{}",
                                     name_of_distribution(one.facts), finding.rule->code, finding.rule->name,
                                     path.empty() ? "" : fmt::format(" ({})", path));
      if (std::ranges::find(reported, text) == reported.end()) reported.push_back(std::move(text));
    }
    std::ranges::move(reported, std::back_inserter(conflicts.not_known));
  }
}

void answer(ConflictReport& report, const ConflictSettings& requested) {
  const Settings& settings = requested.settings;
  for (const Finding& finding : report.findings) {
    ++(finding.severity == Severity::Error     ? report.errors
       : finding.severity == Severity::Warning ? report.warnings
                                               : report.notes);
    report.failed = report.failed || (!settings.never_fail && finding.severity >= settings.fail_on);
  }
  const bool incomplete = !report.conflicts.not_known.empty();
  report.answer = report.errors > 0 ? ConflictAnswer::Conflict
                  : incomplete      ? ConflictAnswer::Incomplete
                                    : ConflictAnswer::None;
  report.failed = report.failed || (!settings.never_fail && incomplete && !requested.allow_incomplete);
}

// --import asks what happens with these modules. What only concerns distributions that they neither load nor require is
// left out.
void keep_imported(ConflictReport& report) {
  const Installation& all = report.conflicts.installation;
  std::vector<bool> used(all.distributions.size());
  const auto use = [&](DistributionIndex one) {
    if (used[one.value]) return;
    const std::vector<bool> required = required_by(all, one);
    for (std::size_t i = 0; i < used.size(); ++i) used[i] = used[i] || required[i];
    used[one.value] = true;
  };
  for (const LoadPlan& plan : report.conflicts.load_plans)
    for (const auto& step : plan.opens)
      for (const PlannedOpen& open : step)
        if (open.distribution) use(*open.distribution);
  const auto concerns = [&](const Finding& finding) {
    if (const AtObject* const at = std::get_if<AtObject>(&finding.place)) {
      const Origin& origin = all.origins[at->object.value];
      return origin.kind != Origin::Kind::Distribution || used[origin.distribution.value];
    }
    const AtPath* const at = std::get_if<AtPath>(&finding.place);
    if (at == nullptr) return true;
    bool any = false, one_used = false;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const WheelFacts& facts = all.distributions[i].facts;
      const bool has = facts.file == at->path || std::ranges::any_of(facts.members, [&](const auto& each) {
                         return each.path.text() == at->path;
                       });
      any = any || has;
      one_used = one_used || (has && used[i]);
    }
    return one_used || !any;
  };
  std::erase_if(report.findings, [&](const Finding& finding) { return !concerns(finding); });
}

// The process of a virtual environment is that of its own interpreter, on this system, unless the user names others.
ConflictSettings with_interpreter(ConflictSettings requested) {
  if (requested.environment.empty() || !requested.python.empty() || !requested.sysroot.empty()) return requested;
  const auto root = environment_root(requested.environment);
  if (!root) return requested;
  requested.python = environment::interpreter_of(*root);
  if (!requested.python.empty()) requested.sysroot = "/";
  return requested;
}

}  // namespace

Result<ConflictReport> check_conflicts(std::span<const std::string> paths, const ConflictSettings& given) {
  const ConflictSettings requested = with_interpreter(given);
  const Settings& settings = requested.settings;
  const auto policies = load_policies(settings.policies);
  if (!policies) return std::unexpected(policies.error());
  const auto knowledge = knowledge::shared_knowledge(settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  auto besides = read_besides(requested);
  if (!besides) return std::unexpected(besides.error());
  const std::vector<std::string> replacing = conflicts::replacing_wheels(requested.what_if);
  std::vector<std::string> all_paths(paths.begin(), paths.end());
  all_paths.insert(all_paths.end(), replacing.begin(), replacing.end());
  const auto inputs = open_inputs(all_paths, settings, std::move(*besides));
  if (!inputs) return std::unexpected(inputs.error());
  std::set<std::string> left_out;
  auto wheels = read_all(*inputs, requested, left_out);
  if (!wheels) return std::unexpected(wheels.error());
  if (auto replaced = conflicts::replace_wheels(*wheels, replacing.size()); !replaced)
    return std::unexpected(std::move(replaced.error()));

  const auto libc = conflicts::can_share_a_process(*wheels);
  if (!libc) return std::unexpected(libc.error());

  auto installation = conflicts::install(distributions_of(std::move(*wheels), settings, **knowledge),
                                         {.python = requested.python,
                                          .sysroot = requested.sysroot,
                                          .promised = manylinux_libraries(*policies),
                                          .limits = settings.limits,
                                          .jobs = settings.jobs,
                                          .libc = *libc});
  if (!installation) return std::unexpected(installation.error());
  if (auto changed = conflicts::apply_what_if(*installation, requested.what_if); !changed)
    return std::unexpected(std::move(changed.error()));
  name_projects(*installation, **knowledge);
  installation->is_environment = !requested.environment.empty() && !requested.sysroot.empty();
  // Distributions without machine code are no part of the simulation, but they are here for those who require them.
  for (const std::string& name : left_out) installation->projects.emplace(name, name);
  LoadPlanOptions options = requested.load_plan;
  options.first = named_distributions(*installation, requested.distributions, paths.size());
  options.stdlib = requested.stdlib || installation->distributions.size() == 1;
  const std::vector<std::string> traced = mangled_names(*installation, requested.traced);
  auto load_plans = plan_imports(*installation, options);
  if (!load_plans) return std::unexpected(load_plans.error());
  if (auto changed = conflicts::apply_what_if(*load_plans, *installation, requested.what_if); !changed)
    return std::unexpected(std::move(changed.error()));
  for (LoadPlan& load_plan : *load_plans) load_plan.plan.traced = traced;

  ConflictReport report{.version = std::string(version()),
                        .conflicts = conflicts::find_conflicts(
                            std::move(*installation), std::move(*load_plans), **knowledge, &demangle,
                            [&](const Installation& all, std::span<const DistributionIndex> distributions) {
                              if (!options.imports.empty()) return std::vector<LoadPlan>();  // the user's own order
                              auto first = import_plan::plan_first_imports(all, options, distributions);
                              // A change that concerns none of these is no error here.
                              (void)conflicts::apply_what_if(first, all, requested.what_if);
                              return first;
                            }),
                        .traced = traced,
                        .what_if = requested.what_if};
  add_check_errors(report.conflicts, paths.size(), *policies, **knowledge, settings);
  report.findings = rules::run_set_rules({report.conflicts, **knowledge, settings.rules},
                                         {settings.select, settings.ignore, settings.pedantic});
  if (!options.imports.empty()) keep_imported(report);
  answer(report, requested);
  return report;
}

process::Outcome first_outcome(const Conflicts& conflicts) {
  if (conflicts.assumed_files == 0) return conflicts.outcomes.front();
  process::World world = conflicts.installation.world;
  world.files.erase(world.files.end() - static_cast<std::ptrdiff_t>(conflicts.assumed_files), world.files.end());
  const process::Plan& plan = conflicts.load_plans.front().plan;
  return std::move(process::Predictor(world).predict(std::span(&plan, 1)).front());
}

}  // namespace wheelcheck
