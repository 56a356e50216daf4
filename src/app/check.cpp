// The pipeline of `check`, from which those of the other commands start.
//
// For each wheel: read its facts (or take them from the cache), resolve each DT_NEEDED as ld.so does, assess what the
// files require against each level, judge the tags, analyse the files, apply the rules. A wheel is judged with its
// providers and without the other wheels, so wheels are judged in parallel. A wheel that lacks libraries is judged
// again if a distribution that it requires is among the others: what that has is then known exactly. No answer depends
// on the order of the wheels. Project settings come last: severities, ignore-rules and the baseline change which
// findings are reported, never what a rule sees. An input that cannot be read is an entry of the report, not the end of
// the run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "app/baseline.h"
#include "app/required_tags.h"
#include "app/rewriting.h"
#include "archive/archive.h"
#include "archive/file.h"
#include "base/fail.h"
#include "base/parallel.h"
#include "base/text.h"
#include "config/read.h"
#include "elf/code_digest.h"
#include "knowledge/tables.h"
#include "model/installed_with.h"
#include "model/required_tag.h"
#include "model/requirement.h"
#include "policy/assess.h"
#include "repair/fix_plan.h"
#include "repair/library_index.h"
#include "report/shared/text.h"
#include "rules/engine.h"
#include "verdict/judge.h"
#include "wheel/read.h"
#include "wheelcheck/environment.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

struct Context {
  const Settings& settings;
  const PolicySet& policies;
  const Knowledge* knowledge;
  std::span<const WheelFacts> providers;
  const archive::SecondReader* second_reader;  // null if not requested
  std::size_t given = 1;                       // number of wheels in the run
};

// For fewer symbols, starting a thread takes longer than judging them.
constexpr std::size_t symbols_worth_a_thread = 20'000;

unsigned useful_jobs(const WheelFacts& wheel, unsigned jobs) {
  std::size_t symbols = 0;
  for (const ElfMember& elf : wheel.elfs)
    if (elf.facts.dynamic) symbols += elf.facts.dynamic->exports.size() + elf.facts.dynamic->imports.size();
  return symbols < symbols_worth_a_thread ? 1 : jobs;
}

// Judges the required tags for the machine of the content. If the content has no machine that a tag can name, nothing
// is required.
Required judge_required(const WheelFacts& wheel, const Resolution& resolution, const Settings& settings,
                        const Context& context) {
  Required required;
  const std::vector<policy::TargetPlatform> content = policy::targets_of_content(wheel);
  std::vector<std::string> words = settings.required_tags;
  for (const TagsOfMachine& one : settings.tags_of_machines)
    if (!content.empty() && one.machine == name_of(content.front().arch))
      words.insert(words.end(), one.tags.begin(), one.tags.end());
  if (words.empty() || content.empty()) return required;
  std::vector<PlatformTag> tags;
  std::vector<policy::TargetPlatform> targets;
  for (const std::string& word : words) {
    tags.push_back(tag_for(*parse_required_tag(word), content.front().arch));
    policy::add_target(targets, tags.back());
  }
  required.assessments = policy::assess(wheel, resolution, context.providers, context.policies, targets);
  required.claims = verdict::judge_tags(tags, wheel, required.assessments);
  return required;
}

// The settings for one wheel, what is known besides its facts, and the use of its ignore rules, from reading the wheel
// to its report.
struct Judged {
  std::optional<Settings> own;  // nothing: those of the run apply
  std::map<ElfIndex, LibraryPackage> packages;
  std::vector<IgnoreUse> uses;
};

const Settings& settings_of(const Judged& judged, const Context& context) {
  return judged.own ? *judged.own : context.settings;
}
rules::RuleSelection selection_of(const Settings& settings) {
  return {settings.select, settings.ignore, settings.pedantic};
}

// See Settings::drop_symbols. The names of the imports that stay are copied, so that the string tables are freed.
void drop_symbols(WheelFacts& wheel) {
  for (ElfMember& elf : wheel.elfs) {
    if (!elf.facts.dynamic || !elf.facts.symbol_names) continue;
    DynamicFacts& dynamic = *elf.facts.dynamic;
    auto names = std::make_unique<StringPool>();
    std::vector<Import> versioned;
    for (const Import& import : dynamic.imports) {
      if (!import.need) {
        ++dynamic.dropped.imports;
        dynamic.dropped.weak_imports += import.weak ? 1 : 0;
        continue;
      }
      versioned.push_back(import);
      versioned.back().name = names->add(import.name);
    }
    dynamic.imports = std::move(versioned);
    dynamic.dropped.exports = dynamic.exports.size();
    // `= {}` would keep the memory.
    dynamic.exports = std::vector<Export>();
    dynamic.references = std::vector<Reference>();
    elf.facts.symbol_names = std::move(names);
  }
}

bool lacks_libraries(const WheelReport& report) {
  return std::ranges::any_of(report.findings,
                             [](const Finding& finding) { return std::string_view(finding.rule->code) == "WC103"; });
}

bool is_about_packaging(const Rule& rule) {
  return std::string_view(rule.code).starts_with("WC7") || std::string_view(rule.code).starts_with("WC8");
}

WheelReport judge_wheel(WheelFacts wheel, unsigned jobs, const Context& context, Judged& judged) {
  jobs = useful_jobs(wheel, jobs);
  judged.own = config::settings_for(wheel.file, context.settings);
  const Settings& settings = settings_of(judged, context);
  WheelReport report{.facts = std::move(wheel)};
  report.resolution = resolve(report.facts, context.providers, settings.external);
  if (!settings.rules.self_contained)
    mark_required(report.resolution, report.facts, *context.knowledge,
                  [&] { return manylinux_libraries(context.policies); });
  report.assessments =
      policy::assess_claims_or_content(report.facts, report.resolution, context.providers, context.policies);
  report.verdict = verdict::judge(report.facts, report.assessments);
  const Required required = judge_required(report.facts, report.resolution, settings, context);
  report.analysis = analyse(report.facts, report.resolution, *context.knowledge, settings.rules, jobs);
  for (const auto& [elf, package] : judged.packages) report.analysis.elfs[elf.value].package = package;
  const WheelView view{report.facts,          report.resolution, report.assessments,
                       report.verdict.claims, report.analysis,   *context.knowledge,
                       settings.rules,        context.providers, &required};
  std::vector<Finding> found = rules::find_all(view, selection_of(settings), jobs);
  // Of ELF files outside of wheels nothing is known that rules about archives, names and interpreters compare.
  if (report.facts.name.version.empty() && !report.facts.dist_info)
    std::erase_if(found, [](const Finding& finding) { return is_about_packaging(*finding.rule); });
  rules::set_severities(report.facts, found, settings.severities);
  rules::AppliedIgnores applied =
      rules::apply_ignores(report.facts, std::move(found), settings.ignores, selection_of(settings), settings.today);
  report.findings = std::move(applied.kept);
  repair::mark_fixable(report);
  report.ignored = std::move(applied.ignored);
  judged.uses = std::move(applied.uses);
  return report;
}

// Adds findings about the configuration to the first wheel that the entry applies to.
void judge_configuration(Report& report, std::span<const Judged> judged, const Context& context) {
  std::map<std::string_view, IgnoreUse> all;  // by the location of the entry in the file
  for (const Judged& one : judged)
    for (const IgnoreUse& use : one.uses) {
      IgnoreUse& sum = all.try_emplace(use.ignore->where, IgnoreUse{.ignore = use.ignore}).first->second;
      sum.findings += use.findings;
      sum.judged = sum.judged || use.judged;
      if (!sum.expired) sum.expired = use.expired;
    }
  for (std::size_t i = 0; i < judged.size() && !all.empty(); ++i) {
    std::vector<IgnoreUse> here;
    for (const IgnoreUse& use : judged[i].uses)
      if (const auto found = all.extract(use.ignore->where)) here.push_back(found.mapped());
    if (here.empty()) continue;
    WheelReport& wheel = *report.entries[i].wheel;
    const Settings& settings = settings_of(judged[i], context);
    std::vector<Finding> more = rules::run_config_rules({here}, selection_of(settings));
    std::ranges::move(more, std::back_inserter(wheel.findings));
    rules::set_severities(wheel.facts, wheel.findings, settings.severities);
    rules::sort_findings(wheel.facts, wheel.findings);
  }
}

// Removes the findings of the baseline, and determines whether the others fail the run.
void apply_baseline(WheelReport& wheel, const Settings& settings) {
  if (settings.make_baseline) wheel.new_baseline = app::known_findings(wheel);
  if (settings.baseline) {
    const auto is_judged = [&](std::string_view code) {
      const Rule* const rule = find_rule(code);
      return rule != nullptr && rules::is_selected(*rule, selection_of(settings));
    };
    app::remove_baseline(wheel, *settings.baseline, is_judged);
  }
  wheel.findings = rules::within_limits(std::move(wheel.findings));
  if (settings.never_fail || settings.make_baseline)
    wheel.fail_on = std::nullopt;
  else
    wheel.fail_on = settings.fail_on;
  wheel.failed = wheel.fail_on && std::ranges::any_of(wheel.findings, [&](const Finding& finding) {
                   return finding.severity >= *wheel.fail_on;
                 });
}

Result<void> read_twice(const OpenedInput& input, const Context& context) {
  if (context.second_reader == nullptr || input.kind != InputKind::Archive) return {};
  const auto file = archive::file_of(input);
  if (!file) return std::unexpected(file.error());
  const auto archive = archive::Archive::open(*file, context.settings.limits);
  if (!archive) return std::unexpected(archive.error());
  return context.second_reader->compare(*archive, **file);
}

// The packages of the files that are libraries of the index. Facts do not contain their code, so it is read again.
Result<std::map<ElfIndex, LibraryPackage>> packages_of(const OpenedInput& input, const WheelFacts& wheel,
                                                       const Settings& settings) {
  std::map<ElfIndex, LibraryPackage> out;
  if (settings.library_index == nullptr) return out;
  if (input.kind != InputKind::Archive)
    return fail(ErrorCode::Usage, "is not a wheel file; --library-index compares the code of its libraries");
  const auto file = archive::file_of(input);
  if (!file) return std::unexpected(file.error());
  const auto archive = archive::Archive::open(*file, settings.limits);
  if (!archive) return std::unexpected(archive.error());
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const ElfMember& elf = wheel.elfs[i];
    if (!is_host_code(elf) || !elf.facts.dynamic) continue;
    const auto bytes = app::text_of_member(*archive, wheel.members[elf.member.value].path.text());
    if (!bytes) return std::unexpected(bytes.error());
    const std::string code = elf::code_digest(std::as_bytes(std::span(*bytes)), elf.facts);
    if (const auto* const found = settings.library_index->find(code, elf.facts.build_id.value_or("")))
      out.emplace(ElfIndex{i}, LibraryPackage{found->purl, found->name, found->version});
  }
  return out;
}

// Whether a requirement that Python code imports first may have a library that is not found: one that is called like a
// requirement, or one that the claimed systems lack (WC103) and that no table lists, if the tables do not list the
// libraries of all requirements.
bool may_be_of_a_requirement(const WheelReport& report, const Knowledge& knowledge) {
  if (!report.facts.metadata || report.facts.metadata->requires_dist.empty()) return false;
  std::set<std::string_view> outside, lacking;
  for (const std::vector<NeededFound>& of_file : report.resolution.needed)
    for (const NeededFound& needed : of_file)
      if (needed.found == Found::Outside && !needed.unreached) outside.insert(needed.name);
  if (outside.empty()) return false;
  for (const Finding& finding : report.findings)
    for (const Evidence& evidence : finding.evidence)
      if (std::string_view(finding.rule->code) == "WC103" && evidence.label == "library")
        lacking.insert(evidence.value);
  const auto is_listed = [&](std::string_view library) {
    return std::ranges::find(report.analysis.gpu, library, &GpuReference::name) != report.analysis.gpu.end() ||
           std::ranges::any_of(knowledge.distributions, [&](const KnownDistribution& one) {
             return std::ranges::any_of(one.sonames, [&](std::string_view like) { return glob_match(like, library); });
           });
  };
  const auto is_known = [&](const std::string& line) {
    return std::ranges::binary_search(knowledge.distributions, std::string_view(parse_dependency(line).name), {},
                                      &KnownDistribution::name);
  };
  if (std::ranges::all_of(report.facts.metadata->requires_dist, is_known)) lacking.clear();
  const InstalledWith requirements(report.facts, {});
  return std::ranges::any_of(outside, [&](std::string_view library) {
    return !requirements.called_like(library).empty() ||
           (lacking.contains(library) && !is_of_compiler(library) && !is_listed(library));
  });
}

// Python code opens a library by a path that ends with a name which no file of the wheel has.
bool opens_absent_file(const WheelFacts& facts) {
  const auto is_absent = [&](const PythonCall& call) {
    if (!call.library || !call.library->starts_with("*/") || call.reach == Reach::Possible) return false;
    const std::string_view name = base_name(*call.library);
    return name.contains(".so") && name.find_first_of("*?[") == name.npos &&
           std::ranges::none_of(facts.members, [&](const MemberFacts& member) { return member.path.name() == name; });
  };
  return std::ranges::any_of(facts.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, is_absent); });
}

// How bad the findings of these rules are depends on what the import of the package runs. To read all imports costs
// more than everything else, so it is done only for wheels with such a finding.
bool asks_imports(const WheelReport& report, const Context& context) {
  const auto depends = [&](const Finding& finding) {
    const std::string_view code = finding.rule->code;
    if (code == "WC205" && finding.severity == Severity::Warning) {  // a module with a private name
      std::string_view path = path_of(report.facts, finding.place);
      if (path.ends_with("/__init__.py")) path.remove_suffix(12);
      return path.contains("/_");
    }
    const bool in_call =
        std::ranges::any_of(finding.evidence, [](const Evidence& e) { return e.label == "opened by"; });
    const bool may_be_opened = (code == "WC109" || code == "WC306" || code == "WC718") &&
                               finding.severity == Severity::Warning &&
                               std::ranges::any_of(report.facts.python, [](const auto& f) { return !f.calls.empty(); });
    return code == "WC610" || code == "WC823" || may_be_opened || code == "WC803" ||
           (code == "WC506" && (in_call || !context.providers.empty()));
  };
  return !report.facts.all_python &&
         (std::ranges::any_of(report.findings, depends) || opens_absent_file(report.facts) ||
          may_be_of_a_requirement(report, *context.knowledge));
}

Result<std::vector<PythonFile>> read_python(const OpenedInput& input, const Settings& settings, unsigned jobs) {
  if (input.kind == InputKind::Archive) return wheel::read_python_again(input, settings.limits, jobs);
  auto facts = read_any(input, settings, jobs);
  if (!facts) return std::unexpected(std::move(facts.error()));
  return std::move(facts->python);
}

Report::Entry check_one(const OpenedInput& input, unsigned jobs, const Context& context, Judged& judged) {
  Progress progress;
  if (context.settings.progress)
    progress = [&](std::uint64_t done, std::uint64_t total) { context.settings.progress(input.path, done, total); };
  auto wheel = read_any(input, context.settings, jobs, progress);
  if (!wheel) return {.unreadable = Unreadable{input.path, wheel.error()}};
  if (const auto same = read_twice(input, context); !same) return {.unreadable = Unreadable{input.path, same.error()}};
  auto packages = packages_of(input, *wheel, context.settings);
  if (!packages) return {.unreadable = Unreadable{input.path, packages.error()}};
  judged.packages = std::move(*packages);
  WheelReport report = judge_wheel(std::move(*wheel), jobs, context, judged);
  if (input.kind != InputKind::Facts && asks_imports(report, context)) {
    Settings with_imports = context.settings;
    with_imports.limits.imports = true;
    with_imports.limits.hashes = false;  // the other members have been read
    with_imports.cache.clear();          // one entry for each wheel
    auto python = read_python(input, with_imports, jobs);
    if (!python) return {.unreadable = Unreadable{input.path, python.error()}};
    report.facts.python = std::move(*python);
    report.facts.all_python = true;
    report = judge_wheel(std::move(report.facts), jobs, context, judged);
  }
  const bool again = lacks_libraries(report) && context.given > 1;
  if (settings_of(judged, context).drop_symbols && !again) drop_symbols(report.facts);
  return {.wheel = std::move(report)};
}

// The libraries of the wheels of this run, as entries of the tables, without those that a manylinux level has: nobody
// requires a wheel for its copy of libz.so.1.
class Siblings {
 public:
  Siblings(const Report& report, const Knowledge& knowledge, const PolicySet& policies)
      : names_(std::make_shared<std::deque<std::string>>()) {
    for (const PolicyLevels& set : policies.level_sets())
      if (set.family == PlatformTag::Family::Manylinux)
        for (const Policy& level : set.levels) of_systems_.insert(level.libraries.begin(), level.libraries.end());
    const auto lists = std::make_shared<std::deque<std::vector<std::string_view>>>();
    Knowledge own;
    own.owners = {names_, lists};
    std::map<std::string, std::vector<const WheelFacts*>> by_name;
    for (const Report::Entry& entry : report.entries)
      if (entry.wheel && !entry.wheel->facts.elfs.empty())
        by_name[normal_project_name(entry.wheel->facts.name.distribution)].push_back(&entry.wheel->facts);
    for (const auto& [name, wheels] : by_name) {
      std::set<std::string> libraries, requirements;
      for (const WheelFacts* wheel : wheels) {
        for (const ElfMember& elf : wheel->elfs) add_names(*wheel, elf, libraries);
        for (const std::string& line : wheel->metadata ? wheel->metadata->requires_dist : std::vector<std::string>())
          if (Dependency one = parse_dependency(line); one.for_linux && !one.under && is_project_name(one.name))
            requirements.insert(std::move(one.name));
      }
      own.distributions.push_back({keep(name), list(*lists, libraries), list(*lists, requirements), {}});
      given_.insert(name);
    }
    knowledge_ = knowledge::merged(knowledge, std::move(own));
  }

  // Whether the wheel requires one of them.
  bool concern(const WheelFacts& wheel) const {
    return wheel.metadata && std::ranges::any_of(wheel.metadata->requires_dist, [&](const std::string& line) {
             return given_.contains(parse_dependency(line).name);
           });
  }
  const Knowledge& knowledge() const { return knowledge_; }

 private:
  // Names that contain characters of patterns are left out.
  void add_names(const WheelFacts& wheel, const ElfMember& elf, std::set<std::string>& to) const {
    if (!is_host_code(elf) || !elf.facts.dynamic) return;
    const auto add = [&](std::string_view name) {
      if (!name.empty() && name.find_first_of("*?[]\\/") == name.npos && !of_systems_.contains(name)) to.emplace(name);
    };
    add(wheel.members[elf.member.value].path.name());
    if (elf.facts.dynamic->soname) add(*elf.facts.dynamic->soname);
  }
  std::string_view keep(std::string text) { return names_->emplace_back(std::move(text)); }
  TextSpan list(std::deque<std::vector<std::string_view>>& lists, const std::set<std::string>& texts) {
    std::vector<std::string_view>& out = lists.emplace_back();
    for (const std::string& text : texts) out.push_back(keep(text));
    return out;
  }

  std::shared_ptr<std::deque<std::string>> names_;
  std::set<std::string, std::less<>> given_, of_systems_;
  Knowledge knowledge_;
};

void judge_beside_siblings(Report& report, std::span<Judged> judged, const Context& context) {
  const auto is_open = [](const Report::Entry& entry) { return entry.wheel && lacks_libraries(*entry.wheel); };
  if (report.entries.size() < 2 || std::ranges::none_of(report.entries, is_open)) return;
  const Siblings siblings(report, *context.knowledge, context.policies);
  Context beside = context;
  beside.knowledge = &siblings.knowledge();
  for (std::size_t i = 0; i < report.entries.size(); ++i) {
    Report::Entry& entry = report.entries[i];
    if (!is_open(entry)) continue;
    if (siblings.concern(entry.wheel->facts))
      entry.wheel = judge_wheel(std::move(entry.wheel->facts), context.settings.jobs, beside, judged[i]);
    if (settings_of(judged[i], context).drop_symbols) drop_symbols(entry.wheel->facts);
  }
}

// In `together` each wheel has a thread; `alone` are read first, one after another, with all threads. These are all
// wheels if there are few, and else the large ones, the largest first. Two large wheels at a time would need twice the
// memory: tensorflow 2.21 needs 200 MB.
struct ReadingOrder {
  std::vector<std::size_t> alone, together;
};

ReadingOrder reading_order(std::span<const OpenedInput> wheels, unsigned jobs) {
  constexpr std::uint64_t large = 64 << 20;  // bytes
  const auto size_of = [&](std::size_t i) { return wheels[i].file ? wheels[i].file->size() : 0; };
  ReadingOrder order;
  for (std::size_t i = 0; i < wheels.size(); ++i)
    (wheels.size() < std::size_t{2} * jobs || size_of(i) >= large ? order.alone : order.together).push_back(i);
  std::ranges::stable_sort(order.alone, std::ranges::greater(), size_of);
  return order;
}

void count_findings(Report& report) {
  for (const Report::Entry& entry : report.entries) {
    if (!entry.wheel) continue;
    for (const Finding& finding : entry.wheel->findings)
      ++(finding.severity == Severity::Error     ? report.errors
         : finding.severity == Severity::Warning ? report.warnings
                                                 : report.notes);
  }
}

}  // namespace

Result<Report> check_opened(const OpenInputs& open, const Settings& settings) {
  const auto policies = load_policies(settings.policies);
  if (!policies) return std::unexpected(policies.error());
  const auto knowledge = knowledge::shared_knowledge(settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  if (auto found = app::find_required_levels(settings, *policies); !found)
    return std::unexpected(std::move(found.error()));
  std::optional<archive::SecondReader> second_reader;
  if (settings.verify_with_libarchive) second_reader.emplace();
  auto opened = open();
  if (!opened) return std::unexpected(opened.error());
  const std::span<OpenedInput> providers = std::span(*opened).first(settings.providers.size());
  const std::span<OpenedInput> wheels = std::span(*opened).subspan(providers.size());

  Report report{.version = std::string(version()), .configuration = settings.configuration};
  if (settings.baseline) report.baseline = settings.baseline->file;
  for (const OpenedInput& provider : providers) {
    auto wheel = read_any(provider, settings, settings.jobs);
    if (!wheel) return std::unexpected(report::named(provider.path, std::move(wheel.error())));
    report.providers.push_back(std::move(*wheel));
  }

  const Context context{
      settings,     *policies, knowledge->get(), report.providers, second_reader ? &*second_reader : nullptr,
      wheels.size()};
  report.entries.resize(wheels.size());
  std::vector<Judged> judged(wheels.size());
  const ReadingOrder order = reading_order(wheels, settings.jobs);
  const auto check_at = [&](std::size_t i, unsigned jobs) {
    const OpenedInput input = std::exchange(wheels[i], {});  // closes it after reading
    report.entries[i] = check_one(input, jobs, context, judged[i]);
  };
  for (const std::size_t i : order.alone) check_at(i, settings.jobs);
  parallel_for(order.together.size(), settings.jobs, [&](std::size_t at) { check_at(order.together[at], 1); });
  judge_beside_siblings(report, judged, context);
  judge_configuration(report, judged, context);
  for (std::size_t i = 0; i < judged.size(); ++i)
    if (report.entries[i].wheel) apply_baseline(*report.entries[i].wheel, settings_of(judged[i], context));
  count_findings(report);
  return report;
}

std::string_view version() { return WHEELCHECK_VERSION; }

Result<Report> check(std::span<const std::string> paths, const Settings& settings) {
  std::vector<std::string> all;
  for (const Provider& provider : settings.providers) all.push_back(provider.wheel);
  all.insert(all.end(), paths.begin(), paths.end());
  return check_opened([&] { return open_inputs(all, settings); }, settings);
}

StringSet manylinux_libraries(const PolicySet& policies) {
  std::vector<std::string> libraries;
  for (const PolicyLevels& policy_levels : policies.level_sets())
    if (policy_levels.family == PlatformTag::Family::Manylinux)
      for (const Policy& policy : policy_levels.levels)
        libraries.insert(libraries.end(), policy.libraries.begin(), policy.libraries.end());
  return {libraries.begin(), libraries.end()};
}

Result<Prediction> predict_environment(const EnvironmentInput& input) {
  const auto policies = load_policies({});
  if (!policies) return std::unexpected(policies.error());
  auto environment = read_environment(input, manylinux_libraries(*policies));
  if (!environment) return std::unexpected(environment.error());
  auto outcomes = process::predict(environment->world, std::span(&environment->plan, 1));
  return Prediction{std::move(*environment), std::move(outcomes.front())};
}

}  // namespace wheelcheck
