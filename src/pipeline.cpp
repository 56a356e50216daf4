// The whole story in one page: read, resolve, assess, judge, analyse, apply the rules, report.
#include <algorithm>
#include <optional>
#include <utility>

#include "archive/archive.h"
#include "archive/file.h"
#include "base/parallel.h"
#include "policy/assess.h"
#include "rules/engine.h"
#include "verdict/judge.h"
#include "wheelcheck/environment.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

struct Context {
  const Settings& settings;
  const PolicySet& policies;
  const Knowledge& knowledge;
  std::span<const WheelFacts> providers;
  const archive::SecondReader* second_reader;  // null: not asked for
};

// The ladders that the wheel claims; where no file fits any of them, those that its content calls for as well.
std::vector<Assessment> assess_claims_or_content(const WheelFacts& wheel, const Resolution& resolution,
                                                 const Context& context) {
  const auto assess = [&](std::span<const policy::Wanted> wanted) {
    return policy::assess(wheel, resolution, context.providers, context.policies, wanted);
  };
  std::vector<Assessment> assessments = assess(policy::wanted_ladders(wheel, context.policies));
  const auto judged_none = [](const Assessment& assessment) { return assessment.files == 0; };
  if (std::ranges::all_of(assessments, judged_none))
    for (Assessment& found : assess(policy::ladders_of_content(wheel)))
      if (found.files > 0) assessments.push_back(std::move(found));
  return assessments;
}

// Less is judged before a thread has begun.
constexpr std::size_t symbols_worth_a_thread = 20'000;

unsigned useful_jobs(const WheelFacts& wheel, unsigned jobs) {
  std::size_t symbols = 0;
  for (const ElfMember& elf : wheel.elfs)
    if (elf.facts.dynamic) symbols += elf.facts.dynamic->exports.size() + elf.facts.dynamic->imports.size();
  return symbols < symbols_worth_a_thread ? 1 : jobs;
}

WheelReport judge_wheel(WheelFacts wheel, unsigned jobs, const Context& context) {
  jobs = useful_jobs(wheel, jobs);
  WheelReport report{.facts = std::move(wheel)};
  report.resolution = resolve(report.facts, context.providers, context.settings.external);
  report.assessments = assess_claims_or_content(report.facts, report.resolution, context);
  report.verdict = verdict::judge(report.facts, report.assessments);
  const Settings& settings = context.settings;
  report.analysis = analyse(report.facts, report.resolution, context.knowledge, settings.rules, jobs);
  const WheelView view{report.facts,    report.resolution, report.assessments, report.verdict.claims,
                       report.analysis, context.knowledge, settings.rules,     context.providers};
  report.findings = rules::run_rules(view, {settings.select, settings.ignore, settings.pedantic}, jobs);
  report.failed = !settings.never_fail && std::ranges::any_of(report.findings, [&](const Finding& finding) {
    return finding.severity >= settings.fail_on;
  });
  return report;
}

Result<void> read_twice(const OpenedInput& input, const Context& context) {
  if (context.second_reader == nullptr || input.kind != InputKind::Archive) return {};
  const auto file = archive::file_of(input);
  if (!file) return std::unexpected(file.error());
  const auto archive = archive::Archive::open(*file, context.settings.limits);
  if (!archive) return std::unexpected(archive.error());
  return context.second_reader->compare(*archive, **file);
}

Report::Entry check_one(const OpenedInput& input, unsigned jobs, const Context& context) {
  Progress progress;
  if (context.settings.progress)
    progress = [&](std::uint64_t done, std::uint64_t total) { context.settings.progress(input.path, done, total); };
  auto wheel = read_any(input, context.settings, jobs, progress);
  if (!wheel) return {.unreadable = Unreadable{input.path, wheel.error()}};
  if (const auto same = read_twice(input, context); !same) return {.unreadable = Unreadable{input.path, same.error()}};
  return {.wheel = judge_wheel(std::move(*wheel), jobs, context)};
}

void count_findings(Report& report) {
  for (const Report::Entry& entry : report.entries) {
    if (!entry.wheel) continue;
    for (const Finding& finding : entry.wheel->findings)
      ++(finding.severity == Severity::Error     ? report.errors
         : finding.severity == Severity::Warning ? report.warnings
                                                 : report.infos);
  }
}

}  // namespace

std::string_view version() { return WHEELCHECK_VERSION; }

Result<Report> check(std::span<const std::string> paths, const Settings& settings) {
  const auto policies = load_policies(settings.policies);
  if (!policies) return std::unexpected(policies.error());
  const auto knowledge = load_knowledge(settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  std::optional<archive::SecondReader> second_reader;
  if (settings.verify_with_libarchive) second_reader.emplace();
  std::vector<std::string> all;
  for (const Provider& provider : settings.providers) all.push_back(provider.wheel);
  all.insert(all.end(), paths.begin(), paths.end());
  auto opened = open_inputs(all, settings);
  if (!opened) return std::unexpected(opened.error());
  const std::span<OpenedInput> providers = std::span(*opened).first(settings.providers.size());
  const std::span<OpenedInput> wheels = std::span(*opened).subspan(providers.size());

  Report report{.version = std::string(version())};
  report.fail_on = settings.never_fail ? std::nullopt : std::optional(settings.fail_on);
  for (const OpenedInput& provider : providers) {
    auto wheel = read_any(provider, settings, settings.jobs);
    if (!wheel) return std::unexpected(wheel.error());
    report.providers.push_back(std::move(*wheel));
  }

  const Context context{settings, *policies, *knowledge, report.providers, second_reader ? &*second_reader : nullptr};
  report.entries.resize(wheels.size());
  // Many wheels: a thread a wheel. Few: the threads share the members of one wheel after the other.
  const bool thread_per_wheel = wheels.size() >= std::size_t{2} * settings.jobs;
  parallel_for(wheels.size(), thread_per_wheel ? settings.jobs : 1, [&](std::size_t i) {
    const OpenedInput input = std::exchange(wheels[i], {});  // closed when it was read
    report.entries[i] = check_one(input, thread_per_wheel ? 1 : settings.jobs, context);
  });
  count_findings(report);
  return report;
}

StringSet promised_libraries(const PolicySet& policies) {
  std::vector<std::string> libraries;
  for (const Ladder& ladder : policies.ladders())
    if (ladder.family == PlatformTag::Family::Manylinux)
      for (const Policy& policy : ladder.rungs)
        libraries.insert(libraries.end(), policy.libraries.begin(), policy.libraries.end());
  return {libraries.begin(), libraries.end()};
}

Result<Prediction> predict_environment(const EnvironmentInput& input) {
  const auto policies = load_policies({});
  if (!policies) return std::unexpected(policies.error());
  auto environment = read_environment(input, promised_libraries(*policies));
  if (!environment) return std::unexpected(environment.error());
  auto outcomes = process::predict(environment->world, std::span(&environment->plan, 1));
  return Prediction{std::move(*environment), std::move(outcomes.front())};
}

}  // namespace wheelcheck
