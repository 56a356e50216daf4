// WC230: a module or library cannot be opened, even with everything that its distribution requires.
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "mangling/demangle.h"
#include "model/requires_dist.h"
#include "rules/sets/set_common.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules::cannot_be_opened {
namespace {

using process::Missing;
using process::ObjectIndex;

DistributionIndex distribution_of(const Installation& all, ObjectIndex object) {
  return all.origins[object.value].distribution;
}

class Explanation {
 public:
  Explanation(const Conflicts& conflicts, const FailureGroup& group)
      : conflicts_(conflicts), all_(conflicts.installation), group_(group), failure_(*group.first) {
    if (failure_.missing) provider_ = provider_of(*failure_.missing);
  }

  std::string message() const {
    const std::string what = what_fails(all_, *group_.open) + " fails";
    if (!failure_.missing) return what;
    if (failure_.import_first) return needs_import(what);
    const Missing& missing = *failure_.missing;
    switch (missing.what) {
      case Missing::What::Library:
        if (failure_.lost)
          return fmt::format("{}: {} requires {}, which RECORD of {} lists, but the file is gone", what,
                             file_name(all_, missing.from), missing.name, name_and_version(all_, *failure_.lost));
        if (is_other_release())
          return fmt::format("{}: {} requires {}, but {} contains {}", what, file_name(all_, missing.from),
                             missing.name, name_and_version(all_, distribution_of(all_, *provider_)),
                             base_name(file_name(all_, *provider_)));
        return provider_ ? fmt::format("{}: {} is in {}, but no search path of {} leads there", what, missing.name,
                                       name_and_version(all_, distribution_of(all_, *provider_)),
                                       file_name(all_, missing.from))
                         : fmt::format("{}: {} requires {}, which is not found", what, file_name(all_, missing.from),
                                       missing.name);
      case Missing::What::Symbol:
        return fmt::format("{}: {} requires {}, which {}", what, file_name(all_, missing.from), symbol(),
                           provider_ ? provider_words() + " does not define" : "no file in its scopes defines");
      case Missing::What::Version:
        return fmt::format("{}: {} requires {} of {}, which {} does not define", what, file_name(all_, missing.from),
                           missing.version, missing.name, provider_ ? provider_words() : "the library of that name");
      case Missing::What::VersionOf:
        return fmt::format("{}: {} requires {} of {}, which no DT_NEEDED loads; ld.so ends the process", what,
                           file_name(all_, missing.from), missing.version, missing.name);
      case Missing::What::StaticTls:
        break;
    }
    return what;
  }

  // Files that fail for one reason are one finding: what is missing, in which distribution, for whose files.
  // For whose files does not matter if the release that they require of the provider is not here.
  using Reason = std::tuple<int, std::optional<DistributionIndex>, std::optional<DistributionIndex>, std::string>;
  Reason reason() const {
    if (!failure_.missing) return {-1, failure_.distribution, std::nullopt, failure_.error};
    const Missing& missing = *failure_.missing;
    const auto owner = [&](ObjectIndex file) {
      return is_of_distribution(all_, file) ? std::optional(distribution_of(all_, file)) : std::nullopt;
    };
    // Of symbols that nothing provides, each is a reason.
    const bool by_name = missing.what != Missing::What::Symbol || !provider_;
    const std::string name = by_name ? missing.name + '@' + missing.version : "";
    const auto user = owner(missing.from), provider = provider_ ? owner(*provider_) : std::nullopt;
    const std::string wanted = user && provider && user != provider ? required_release(*user, *provider) : "";
    return {static_cast<int>(missing.what), wanted.empty() ? user : std::nullopt, provider, name + '@' + wanted};
  }
  // The missing library of the same wheel that Python code opens before, and that cannot be opened itself.
  std::optional<ObjectIndex> own_library() const {
    const bool own = failure_.missing && failure_.missing->what == Missing::What::Library && provider_ &&
                     is_of_distribution(all_, *provider_) && is_of_distribution(all_, failure_.missing->from) &&
                     distribution_of(all_, *provider_) == distribution_of(all_, failure_.missing->from);
    return own ? provider_ : std::nullopt;
  }
  // The other wheel that contains the missing library.
  std::optional<DistributionIndex> other_owner() const {
    const bool other = failure_.missing && failure_.missing->what == Missing::What::Library && provider_ &&
                       is_of_distribution(all_, *provider_) && !own_library();
    return other ? std::optional(distribution_of(all_, *provider_)) : std::nullopt;
  }
  const ImportFailure& failure() const { return failure_; }
  std::string failing_file() const { return std::string(file_name(all_, *group_.open->object)); }

  // maybe: no certain import comes to it.
  std::vector<Evidence> evidence(bool maybe) const {
    std::vector<Evidence> out{{failure_.fatal ? "ld.so ends it" : "ImportError", failure_.error}};
    if (failure_.missing && is_of_distribution(all_, failure_.missing->from)) {
      const DistributionIndex user = distribution_of(all_, failure_.missing->from);
      if (provider_ && is_of_distribution(all_, *provider_)) {
        const DistributionIndex provider = distribution_of(all_, *provider_);
        if (provider != user) out.push_back({"Requires-Dist", requirement(user, provider)});
      }
    }
    if (failure_.maybe && maybe)
      out.push_back({"if imported", group_.open->module.empty() ? "the library" : group_.open->module});
    if (failure_.import_first) return out;  // the fix says what has to be imported before
    if (const auto order = works_in()) out.push_back({"works in the order", *order});
    add_orders(conflicts_, group_.load_plans, out, concerned(all_, failure_));
    return out;
  }

  std::string fix() const {
    if (!failure_.missing) return "";
    const Missing& missing = *failure_.missing;
    if (failure_.import_first)
      return failure_.maybe ? fmt::format("import {} before {}", loading_module(*provider_), failure_.module)
                            : fmt::format("in {}: import {} before {}", name_of(all_, failure_.distribution),
                                          top_level(*provider_), failure_.module);
    if (failure_.lost)
      return fmt::format("pip install --force-reinstall --no-deps {}",
                         shell_word(fmt::format("{}=={}", name_of(all_, failure_.lost),
                                                version_of(all_.distributions[failure_.lost->value].facts))));
    if (missing.what == Missing::What::VersionOf)
      return fmt::format("link {} with {}, so that DT_NEEDED names it: patchelf --add-needed {}",
                         file_name(all_, missing.from), missing.name, shell_word(missing.name));
    if (!provider_ && missing.what == Missing::What::Library && is_of_distribution(all_, missing.from))
      return installing(distribution_of(all_, missing.from));
    if (!provider_ || !is_of_distribution(all_, *provider_) || !is_of_distribution(all_, missing.from))
      return missing.what == Missing::What::Symbol
                 ? fmt::format("link {} with the library that defines the name", file_name(all_, missing.from))
                 : "";
    if (missing.what == Missing::What::Library && !is_other_release()) return reach_fix(missing);
    return other_release(distribution_of(all_, missing.from), distribution_of(all_, *provider_));
  }

 private:
  // libfoo.so.2 instead of libfoo.so.1 (conflicts/coverage.cpp).
  bool is_other_release() const {
    return failure_.missing->what == Missing::What::Library && failure_.missing->library.has_value() &&
           files_called(all_, base_name(failure_.missing->name)).empty();
  }
  // A requirement is met, but nothing loads it before the module.
  std::string needs_import(const std::string& what) const {
    const Missing& missing = *failure_.missing;
    const std::string head = fmt::format("{} where {} was not imported before: {} requires", what,
                                         name_of(all_, *failure_.import_first), file_name(all_, missing.from));
    return missing.what == Missing::What::Symbol
               ? fmt::format("{} {} of {}", head, symbol(), file_name(all_, *provider_))
               : fmt::format("{} {}, to which no search path of it leads", head, file_name(all_, *provider_));
  }
  // The package that contains the file: "torch" of torch/lib/libc10.so.
  std::string top_level(ObjectIndex file) const {
    const std::string_view path = file_name(all_, file);
    const std::size_t slash = path.find('/');
    return slash == path.npos || path.substr(0, slash).find('.') != path.npos ? name_of(all_, failure_.import_first)
                                                                              : std::string(path.substr(0, slash));
  }
  // The module that needs the file and least besides, if no code of its wheel imports it: PyQt5.QtCore for
  // libQt5Core.so.5.
  std::string loading_module(ObjectIndex file) const {
    std::string_view found;
    std::size_t least = 0;
    for (const auto& step : conflicts_.load_plans.front().opens)
      for (const PlannedOpen& open : step) {
        const DynamicFacts* const dynamic = open.object ? dynamic_of(all_, *open.object) : nullptr;
        if (dynamic == nullptr || open.module.empty() || open.distribution == failure_.distribution ||
            std::ranges::find(dynamic->needed, base_name(file_name(all_, file))) == dynamic->needed.end())
          continue;
        if (!open.maybe) return top_level(file);
        if (!found.empty() && dynamic->needed.size() >= least) continue;
        found = open.module;
        least = dynamic->needed.size();
      }
    return found.empty() ? top_level(file) : std::string(found);
  }
  std::string symbol() const {
    const Missing& missing = *failure_.missing;
    const std::string name = demangle(missing.name);
    return missing.version.empty() ? name : name + '@' + missing.version;
  }
  std::string provider_words() const {
    if (!is_of_distribution(all_, *provider_)) return std::string(file_name(all_, *provider_));
    return fmt::format("{} of {}", file_name(all_, *provider_),
                       name_and_version(all_, distribution_of(all_, *provider_)));
  }

  // The file that should provide the missing item. For a symbol, it is the library that its version names, else the
  // only needed library of another distribution, or of its own.
  std::optional<ObjectIndex> provider_of(const Missing& missing) const {
    if (missing.library) return missing.library;
    if (missing.what == Missing::What::Library) {
      const auto files = files_called(all_, base_name(missing.name));
      return files.empty() ? std::nullopt : std::optional(files.front());
    }
    const ElfFacts* const facts = all_.world.files[missing.from.value].facts;
    if (missing.what != Missing::What::Symbol || facts == nullptr || !facts->dynamic) return std::nullopt;
    if (const auto named = named_by_version(missing, *facts->dynamic)) return named;
    std::optional<ObjectIndex> other, own;
    bool several = false;  // distributions, any of which could be meant
    for (const std::string_view name : facts->dynamic->needed)
      for (const ObjectIndex file : files_called(all_, base_name(name))) {
        const DistributionIndex owner = distribution_of(all_, file);
        const bool same = is_of_distribution(all_, missing.from) && distribution_of(all_, missing.from) == owner;
        std::optional<ObjectIndex>& place = same ? own : other;
        several = several || (!same && other && distribution_of(all_, *other) != owner);
        if (!place) place = file;
      }
    if (several) return std::nullopt;
    return other ? other : own;
  }

  // The library that the version need of the symbol names (gABI, "Version Needs").
  std::optional<ObjectIndex> named_by_version(const Missing& missing, const DynamicFacts& dynamic) const {
    if (missing.version.empty()) return std::nullopt;
    for (const VersionNeed& need : dynamic.needs) {
      if (need.version != missing.version) continue;
      const auto files = files_called(all_, need.library);
      if (!files.empty()) return files.front();
    }
    return std::nullopt;
  }

  std::string requirement(DistributionIndex user, DistributionIndex provider) const {
    const auto line = requirement_on(all_, user, provider);
    const std::string version = version_of(all_.distributions[provider.value].facts);
    if (!line) return fmt::format("{} does not name {}", name_of(all_, user), name_of(all_, provider));
    const auto fits = allows(specifier_of(*line), version);
    return fmt::format("{} has `{}`, which {} {}", name_of(all_, user), *line,
                       !fits   ? "may allow"
                       : *fits ? "allows"
                               : "does not allow",
                       version);
  }

  // "tensorlib<2" if the user requires that and another release is here.
  std::string required_release(DistributionIndex user, DistributionIndex provider) const {
    const auto line = requirement_on(all_, user, provider);
    const std::string specifier = line ? specifier_of(*line) : "";
    const bool fits = allows(specifier, version_of(all_.distributions[provider.value].facts)) != std::optional(false);
    return fits ? "" : name_of(all_, provider) + specifier;
  }

  std::string other_release(DistributionIndex user, DistributionIndex provider) const {
    const std::string name = name_of(all_, provider), version = version_of(all_.distributions[provider.value].facts);
    if (user == provider) return fmt::format("build {} again: its files do not fit each other", name);
    if (const std::string wanted = required_release(user, provider); !wanted.empty())
      return fmt::format("pip install {}", shell_word(wanted));
    const auto line = requirement_on(all_, user, provider);
    const std::string specifier = line ? specifier_of(*line) : "";
    const std::string since = release_in_name(version);
    const auto age = age_beside(user, provider);
    // Nothing says which of the two is too old.
    if (since.empty() && !line && age == std::partial_ordering::unordered)
      return fmt::format(
          "pip install --upgrade {0} {1}, or install releases of the two that were built for each other; {0} should "
          "require the releases of {1} that it works with",
          shell_word(name_of(all_, user)), shell_word(name));
    const auto [which, wanted] = !since.empty()                          ? std::pair("a later", ">=" + since)
                                 : age == std::partial_ordering::greater ? std::pair("an earlier", "<" + version)
                                 : age == std::partial_ordering::less    ? std::pair("a later", ">" + version)
                                                                         : std::pair("another", "!=" + version);
    return fmt::format(
        "install {} release of {}: pip install {}; {} should require the releases that it works "
        "with",
        which, name, shell_word(fmt::format("{}{}{}", name, specifier.empty() ? "" : specifier + ",", wanted)),
        name_of(all_, user));
  }

  // Of a distribution that was installed without what it requires.
  std::string installing(DistributionIndex user) const {
    std::set<std::string> names;
    for (const Dependency& each : absent_requirements(all_.distributions[user.value], given_projects(all_)))
      names.insert(each.name);
    if (names.empty()) return "";
    return fmt::format(
        "pip install {}, which installs what it requires and is not here: {}",
        shell_word(fmt::format("{}=={}", name_of(all_, user), version_of(all_.distributions[user.value].facts))),
        list_of({names.begin(), names.end()}));
  }

  // Which of two distributions of one project is newer, the provider compared with the user: PyQt6-Qt6 6.6.1 is greater
  // than PyQt6 6.6.0. Other projects have other numbers.
  std::partial_ordering age_beside(DistributionIndex user, DistributionIndex provider) const {
    const std::string one = normal_project_name(name_of(all_, user)),
                      two = normal_project_name(name_of(all_, provider));
    Version used, there;
    if (!parse_version(version_of(all_.distributions[user.value].facts), used) ||
        !parse_version(version_of(all_.distributions[provider.value].facts), there) || used == there ||
        used.parts[0] != there.parts[0] || (!one.starts_with(two + '-') && !two.starts_with(one + '-')))
      return std::partial_ordering::unordered;
    return there < used ? std::partial_ordering::less : std::partial_ordering::greater;
  }

  // "12.4" for __nvJitLinkComplete_12_4 if the provider defines the name for an earlier release only: libraries of CUDA
  // name the release that a function belongs to.
  std::string release_in_name(std::string_view installed) const {
    const Missing& missing = *failure_.missing;
    const ElfFacts* const facts = provider_ ? all_.world.files[provider_->value].facts : nullptr;
    if (missing.what != Missing::What::Symbol || facts == nullptr || !facts->dynamic) return "";
    const auto release_of = [](std::string_view name) -> std::optional<std::pair<std::string_view, Version>> {
      const std::size_t minor = name.rfind('_');
      const std::size_t major = minor == name.npos || minor == 0 ? name.npos : name.rfind('_', minor - 1);
      Version version;
      if (major == name.npos) return std::nullopt;
      std::string text(name.substr(major + 1));
      std::ranges::replace(text, '_', '.');
      if (!parse_version(text, version)) return std::nullopt;
      return std::pair(name.substr(0, major), version);
    };
    const auto wanted = release_of(missing.name);
    Version newest, own;
    if (!wanted || !parse_version(installed, own) || wanted->second <= own) return "";
    for (const Export& each : facts->dynamic->exports)
      if (each.name.starts_with(wanted->first))
        if (const auto found = release_of(each.name); found && found->first == wanted->first)
          newest = std::max(newest, found->second);
    return newest != Version{} && newest <= own ? to_string(wanted->second) : "";
  }

  std::string reach_fix(const Missing& missing) const {
    const std::string &from = all_.world.files[missing.from.value].path, &to = all_.world.files[provider_->value].path;
    return fmt::format("patchelf --add-rpath {} {}", shell_word(origin_path(from, to)),
                       shell_word(file_name(all_, missing.from)));
  }

  std::optional<std::string> works_in() const {
    for (std::uint32_t i = 0; i < conflicts_.load_plans.size(); ++i)
      if (imports_all(conflicts_, i) && std::ranges::none_of(conflicts_.failures, [&](const ImportFailure& each) {
            return each.load_plan == i && each.distribution == failure_.distribution && each.module == failure_.module;
          }))
        return order_of(conflicts_, i) + " (only because another file loads it first)";
    return std::nullopt;
  }

  const Conflicts& conflicts_;
  const Installation& all_;
  const FailureGroup& group_;
  const ImportFailure& failure_;
  std::optional<ObjectIndex> provider_;
};

struct Entry {
  Explanation explanation;
  const FailureGroup* group;
  std::vector<std::string> others;  // files that fail likewise
  std::set<std::uint32_t> load_plans;
  bool maybe = true;
};

// The files that cannot be opened.
struct FailingFile {
  bool is_said = false;    // by a finding or by the answer "incomplete"
  bool is_needed = false;  // Python code opens it for a certain import of a module that has no search path to it
};
std::map<ObjectIndex, FailingFile> failing_files(const Conflicts& conflicts, const std::vector<FailureGroup>& groups) {
  std::map<ObjectIndex, FailingFile> failing;
  for (const FailureGroup& group : groups)
    if (group.open->object)
      failing.emplace(*group.open->object, FailingFile{!group.first->outside || !group.first->maybe});
  for (const FailureGroup& group : groups)
    if (const auto library = Explanation(conflicts, group).own_library(); library && !group.first->maybe)
      if (const auto at = failing.find(*library); at != failing.end()) at->second.is_needed = true;
  return failing;
}

// Libraries of the own wheel that a file would have loaded, which cannot be opened because something outside of the run
// is missing. Whether they are there for other files is not known.
std::set<std::pair<DistributionIndex, std::string_view>> not_loaded(const Conflicts& conflicts,
                                                                    const std::vector<FailureGroup>& groups) {
  std::set<std::pair<DistributionIndex, std::string_view>> out;
  for (const FailureGroup& group : groups) {
    if (!group.first->outside || group.first->maybe || !group.open->object || !group.open->distribution) continue;
    const ElfFacts* const facts = conflicts.installation.world.files[group.open->object->value].facts;
    if (facts == nullptr || !facts->dynamic) continue;
    for (const std::string_view name : facts->dynamic->needed) out.insert({*group.open->distribution, name});
  }
  return out;
}

// The distributions of which a module cannot be opened, because a library is gone. Whether its other libraries are
// there for other files is not known.
std::set<DistributionIndex> failing_distributions(const std::vector<FailureGroup>& groups) {
  std::set<DistributionIndex> out;
  for (const FailureGroup& group : groups)
    if (group.first->lost && !group.first->maybe && group.open->distribution && !group.open->module.empty())
      out.insert(*group.open->distribution);
  return out;
}

// A missing library of the own wheel that could not be opened before is the fault, and not the search path.
bool is_consequence(const Explanation& explanation, const std::map<ObjectIndex, FailingFile>& failing,
                    const std::set<std::pair<DistributionIndex, std::string_view>>& absent,
                    const std::set<DistributionIndex>& broken) {
  if (const auto owner = explanation.other_owner(); owner && broken.contains(*owner)) return true;
  const auto library = explanation.own_library();
  if (!library) return false;
  const auto file = failing.find(*library);
  if (file != failing.end() && (file->second.is_said || explanation.failure().maybe)) return true;
  const std::optional<DistributionIndex> user = explanation.failure().distribution;
  return user && absent.contains({*user, explanation.failure().missing->name});
}

// Several files of a package fail for one reason, and no other file of it was opened: Python code that opens them at
// the first use finds none (tensorflow-addons, which has an empty _foo.so beside its package).
bool is_of_no_use(const Conflicts& conflicts, const Entry& entry, const std::map<ObjectIndex, FailingFile>& failing) {
  const Installation& all = conflicts.installation;
  const std::optional<ObjectIndex>& file = entry.group->open->object;
  if (!file || !is_of_distribution(all, *file) || entry.others.empty()) return false;
  const auto package_of = [&](ObjectIndex object) {
    const Origin& origin = all.origins[object.value];
    const std::string_view path = below_site(path_of(all.distributions[origin.distribution.value].facts, origin.elf));
    return std::pair(origin.distribution, path.substr(0, path.find('/')));
  };
  return std::ranges::none_of(conflicts.outcomes, [&](const process::Outcome& outcome) {
    return std::ranges::any_of(outcome.loaded, [&](const process::Loaded& each) {
      return is_of_distribution(all, each.file) && package_of(each.file) == package_of(*file) &&
             !failing.contains(each.file);
    });
  });
}

void report(const Entry& entry, const Emit& emit) {
  const FailureGroup& group = *entry.group;
  std::string message = entry.explanation.message();
  std::vector<Evidence> evidence = entry.explanation.evidence(entry.maybe);
  if (!entry.others.empty()) {
    message += fmt::format("; {} fail the same way", count_of(entry.others.size(), "more file"));
    for (std::size_t i = 0; i < entry.others.size() && i < shown_items; ++i)
      evidence.push_back({"fails the same way", entry.others[i]});
  }
  emit({.place = group.open->object ? Place(AtObject{*group.open->object}) : Place(WholeWheel{}),
        .message = std::move(message),
        .evidence = std::move(evidence),
        .fix = entry.explanation.fix(),
        .severity = entry.maybe ? Severity::Warning : Severity::Error,
        .load_plans = {entry.load_plans.begin(), entry.load_plans.end()}});
}

void check_set(const SetView& view, const Emit& emit) {
  const std::vector<FailureGroup> groups = grouped_failures(view.conflicts);
  std::vector<Entry> entries;
  std::map<Explanation::Reason, std::size_t> places;
  const std::map<ObjectIndex, FailingFile> failing = failing_files(view.conflicts, groups);
  const auto absent = not_loaded(view.conflicts, groups);
  const std::set<DistributionIndex> broken = failing_distributions(groups);
  const auto is_maybe = [&](const FailureGroup& group) {
    const auto file = group.open->object ? failing.find(*group.open->object) : failing.end();
    return group.first->maybe && (file == failing.end() || !file->second.is_needed);
  };
  // What fails for certain is shown, and what fails likewise if it is imported is counted.
  std::vector<const FailureGroup*> sorted;
  for (const FailureGroup& group : groups) sorted.push_back(&group);
  std::ranges::stable_sort(sorted, {}, [&](const FailureGroup* group) { return is_maybe(*group); });
  for (const FailureGroup* const group : sorted) {
    const ImportFailure& failure = *group->first;
    // A wheel that is not part of the run may provide it: the result is incomplete, and these wheels are not at fault.
    if (!failure.alone || failure.outside) continue;
    if (failure.missing && failure.missing->what == process::Missing::What::StaticTls) continue;  // WC541
    Explanation explanation(view.conflicts, *group);
    if (is_consequence(explanation, failing, absent, broken)) continue;
    const auto [at, is_new] = places.try_emplace(explanation.reason(), entries.size());
    if (is_new)
      entries.push_back({explanation, group, {}, {}, is_maybe(*group)});
    else if (group->open->object && group->open->object != entries[at->second].group->open->object)
      entries[at->second].others.push_back(explanation.failing_file());
    entries[at->second].load_plans.insert(group->load_plans.begin(), group->load_plans.end());
  }
  for (Entry& entry : entries)
    if (entry.maybe && is_of_no_use(view.conflicts, entry, failing)) entry.maybe = false;
  for (const Entry& entry : entries) report(entry, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC230",
    .name = "cannot-be-opened",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::cannot_be_opened
