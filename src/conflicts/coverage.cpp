// How much of the process is known: the number of opened files and bound references, and what could not be opened, with
// the reason. The second part lists failed opens.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "conflicts/internal.h"
#include "mangling/cxx_name.h"
#include "mangling/mangled.h"
#include "model/plugins.h"
#include "model/required_needs.h"
#include "model/requires_dist.h"

namespace wheelcheck::conflicts {

namespace {

class Coverage {
 public:
  explicit Coverage(Conflicts& conflicts) : conflicts_(conflicts) {}

  void measure() {
    for (std::size_t i = 0; i < conflicts_.outcomes.size(); ++i) count(conflicts_.outcomes[i]);
    for (const LoadPlan& plan : conflicts_.load_plans)
      if (!plan.cut.empty()) add(plan.cut);
    count_opened_modules();
    unread_python();
    lacking();
    other_namespaces();
    for (std::uint32_t p = 0; p < conflicts_.installation.distributions.size(); ++p)
      unread(conflicts_.installation.distributions[p]);
    if (conflicts_.files_opened == 0 && said_.empty() && has_code())
      add("no file of these distributions is opened: no known code loads their libraries");
  }

 private:
  // If all modules of a distribution fail, none of its opens is considered optional. Libraries of one without modules
  // are variants (bitsandbytes: one for each CUDA and ROCm, and one for processors).
  void count_opened_modules() {
    for (std::size_t i = 0; i < conflicts_.outcomes.size(); ++i)
      for (const process::Loaded& each : conflicts_.outcomes[i].loaded)
        if (each.by)
          if (const PlannedOpen& open = planned(conflicts_.load_plans[i], *each.by);
              open.distribution && open.object == each.file &&
              (!open.module.empty() || !has_modules(*open.distribution)))
            opened_.insert(*open.distribution);
  }
  bool has_modules(DistributionIndex distribution) const {
    return std::ranges::any_of(
        conflicts_.installation.distributions[distribution.value].facts.elfs,
        [](const ElfMember& file) { return std::holds_alternative<ExtensionModule>(file.role); });
  }

  void add(std::string text) {
    if (said_.insert(text).second) conflicts_.not_known.push_back(std::move(text));
  }

  // The model follows the tables as far as they can be read. What the loader does with such a file is not known.
  void malformed(process::ObjectIndex object) {
    const Installation& all = conflicts_.installation;
    const ElfFacts* const facts = all.world.files[object.value].facts;
    if (facts == nullptr || !distribution_of(all, object)) return;
    const auto flaw = std::ranges::find(facts->flaws, true, &Flaw::fatal);
    if (flaw != facts->flaws.end())
      add(fmt::format("{} is malformed (WC708): {}", all.names[object.value], flaw->reason));
  }

  void count(const process::Outcome& outcome) {
    if (outcome.refused) add(fmt::format("the interpreter does not start: {}", *outcome.refused));
    for (const process::Failure& failure : outcome.failures)
      if (failure.given_up) add(failure.error);
    for (const process::Loaded& each : outcome.loaded) malformed(each.file);
    const auto opened = static_cast<std::size_t>(std::ranges::count_if(outcome.loaded, [&](const auto& each) {
      return distribution_of(conflicts_.installation, each.file).has_value();
    }));
    const auto bound = static_cast<std::size_t>(std::ranges::count_if(outcome.bound, [&](const auto& each) {
      return !each.undone && distribution_of(conflicts_.installation, each.from).has_value();
    }));
    conflicts_.files_opened = std::max(conflicts_.files_opened, opened);
    conflicts_.references_bound = std::max(conflicts_.references_bound, bound);
  }

  // The model has one namespace of link maps (dlmopen(3)). A call by a function runs after the import, and what it
  // opens sees no name of this namespace; libcudart, libcupti and libtorch_nvshmem have such calls. A constructor may
  // open into this one.
  void other_namespaces() {
    for (std::size_t i = 0; i < conflicts_.outcomes.size(); ++i)
      for (const process::Loaded& each : conflicts_.outcomes[i].loaded) {
        const Installation& all = conflicts_.installation;
        if (!each.by || planned(conflicts_.load_plans[i], *each.by).maybe) continue;
        const ElfFacts* const facts = all.world.files[each.file.value].facts;
        if (facts == nullptr || !distribution_of(all, each.file) || !opens_namespace_at_load(*facts)) continue;
        add(fmt::format("{} calls dlmopen when it is loaded: what that opens is not modelled",
                        all.names[each.file.value]));
      }
  }

  static bool opens_namespace_at_load(const ElfFacts& facts) {
    return std::ranges::any_of(facts.loader_calls, [](const LoaderCall& call) {
      return call.function == LoaderCall::Function::Dlmopen && call.at_load;
    });
  }

  // Grouped by distribution and missing name, because one missing library often prevents all modules of a wheel from
  // being opened.
  void lacking() {
    struct Lack {
      const ImportFailure* first = nullptr;
      std::set<process::ObjectIndex> files;
    };
    std::map<std::pair<std::optional<DistributionIndex>, std::string_view>, Lack> lacks;
    for (const ImportFailure& failure : conflicts_.failures) {
      const PlannedOpen& open = planned(conflicts_.load_plans[failure.load_plan], failure.at);
      if (!failure.outside || open.in_code) continue;  // the caller of machine code may do without
      // torchaudio 0.12.1 to 2.0.2 without FFmpeg: the rest of it works.
      if ((failure.maybe || open.tried) && (!failure.distribution || opened_.contains(*failure.distribution))) continue;
      Lack& lack = lacks[{failure.distribution, failure.missing->name}];
      if (lack.first == nullptr) lack.first = &failure;
      lack.files.insert(failure.missing->from);
    }
    for (const auto& [key, lack] : lacks) add(lacking(*lack.first, lack.files.size()));
  }

  std::string lacking(const ImportFailure& failure, std::size_t files) const {
    const Installation& all = conflicts_.installation;
    std::string user = all.names[failure.missing->from.value];
    if (files > 1) user += fmt::format(" and {} more", files - 1);
    const std::string absent =
        failure.distribution
            ? words_of(absent_requirements(all.distributions[failure.distribution->value], given_projects(all)))
            : "";
    const bool symbol = failure.missing->what == process::Missing::What::Symbol;
    return fmt::format(
        "{} cannot be opened: {} is {}{}", user, failure.missing->name,
        symbol ? "in none of the files given" : place_of(base_name(failure.missing->name), absent.empty()), absent);
  }

  // of_system: nothing that is required is absent, so that it is not in a copy that a repair tool made for another
  // wheel.
  std::string place_of(std::string_view library, bool of_system) const {
    const Installation& all = conflicts_.installation;
    for (std::uint32_t i = 0; i < all.world.files.size(); ++i) {
      const process::File& file = all.world.files[i];
      const auto soname = file.facts != nullptr && file.facts->dynamic ? file.facts->dynamic->soname : std::nullopt;
      const bool same = base_name(file.path) == library || soname == library;
      const ElfMember* const member = same ? all.member({i}) : nullptr;
      if (member == nullptr || (of_system && std::holds_alternative<BundledLibrary>(member->role))) continue;
      return fmt::format("only in {}, which it does not require",
                         name_of_distribution(all.distributions[distribution_of(all, {i})->value].facts));
    }
    std::string out = "neither in these distributions nor a library of the platform";
    if (of_system) out += fmt::format(" (`apt-file search {}` names its package)", library);
    return out;
  }

  // "; it requires shiboken6, which is not here"
  static std::string words_of(const std::vector<Dependency>& absent) {
    constexpr std::size_t shown = 5;
    if (absent.empty()) return "";
    std::set<std::string> all;
    for (const Dependency& each : absent) all.insert(each.name);
    std::vector<std::string> names(all.begin(), all.end());
    const std::size_t left = names.size() > shown ? names.size() - shown : 0;
    names.resize(names.size() - left);
    return fmt::format("; it requires {}{}, which {} not here", join(names, ", "),
                       left > 0 ? fmt::format(" and {} more", left) : "", all.size() == 1 ? "is" : "are");
  }

  // If no import of an extension module is certain, a file that was not read completely may import them.
  void unread_python() {
    std::set<DistributionIndex> certain;
    for (const LoadPlan& load_plan : conflicts_.load_plans)
      for (const auto& step : load_plan.opens)
        for (const PlannedOpen& open : step)
          if (open.distribution && !open.module.empty() && !open.maybe) certain.insert(*open.distribution);
    for (const DistributionIndex each : opened_) {
      const WheelFacts& facts = conflicts_.installation.distributions[each.value].facts;
      const auto cut =
          std::ranges::find_if(facts.python, [](const PythonFile& file) { return file.cut != PythonCut::None; });
      if (!certain.contains(each) && cut != facts.python.end())
        add(fmt::format("{} of {} was not read completely (WC717): what it imports is not known",
                        facts.members[cut->member.value].path.text(), name_of_distribution(facts)));
    }
  }

  void unread(const Distribution& distribution) {
    if (const std::string& cut = distribution.resolution.cut; !cut.empty())
      add(fmt::format("in {}, {}", name_of_distribution(distribution.facts), cut));
    for (const ElfMember& file : distribution.facts.elfs)
      if (std::holds_alternative<BrokenElf>(file.role))
        add(fmt::format("{} of {} cannot be read", distribution.facts.members[file.member.value].path.text(),
                        name_of_distribution(distribution.facts)));
  }

  // Programs are run, not opened.
  bool has_code() const {
    const auto is_opened = [](const ElfMember& file) {
      return is_host_code(file) && !std::holds_alternative<Program>(file.role);
    };
    return std::ranges::any_of(conflicts_.installation.distributions, [&](const Distribution& distribution) {
      return std::ranges::any_of(distribution.facts.elfs, is_opened);
    });
  }

  Conflicts& conflicts_;
  std::set<std::string> said_;
  std::set<DistributionIndex> opened_;  // distributions with an opened module
};

}  // namespace

void measure_coverage(Conflicts& conflicts) { Coverage(conflicts).measure(); }

// --- failed opens, and whether what they lack is part of the installation -----------------------------------------

namespace {

using process::Missing;

// The names of the opens that fail in a plan.
std::set<std::string_view> failing_names(const process::Plan& plan, const process::Outcome& outcome) {
  std::set<std::string_view> names;
  for (const process::Failure& failure : outcome.failures)
    if (!failure.nested && failure.step < plan.steps.size() && failure.open < plan.steps[failure.step].opens.size())
      names.insert(plan.steps[failure.step].opens[failure.open].name);
  return names;
}

class Outside {
 public:
  explicit Outside(const Installation& installation)
      : installation_(installation), given_(given_projects(installation)) {
    for (std::uint32_t i = 0; i < installation.world.files.size(); ++i) {
      if (!distribution_of(installation, {i})) continue;
      const process::File& file = installation.world.files[i];
      names_.emplace(base_name(file.path), i);
      stems_.emplace(stem_of(file.path), process::ObjectIndex{i});
      if (file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname)
        names_.emplace(*file.facts->dynamic->soname, i);
    }
    for (std::uint32_t i = 0; i < installation.distributions.size() && installation.is_environment; ++i)
      for (const WheelFlaw& flaw : installation.distributions[i].facts.flaws)
        if (flaw.area == WheelArea::Absent) lost_.try_emplace(base_name(flaw.subject), DistributionIndex{i});
  }

  // The missing library in another release: a required distribution contains libfoo.so.2 instead of libfoo.so.1.
  std::optional<process::ObjectIndex> other_release(const Missing& missing) const {
    const auto user = distribution_of(installation_, missing.from);
    if (missing.what != Missing::What::Library || names_.contains(base_name(missing.name)) || !user) return {};
    const std::vector<bool> required = required_by(installation_, *user);
    const auto [first, last] = stems_.equal_range(stem_of(missing.name));
    for (auto at = first; at != last; ++at)
      if (required[distribution_of(installation_, at->second)->value]) return at->second;
    return {};
  }

  // The distribution that installed the library, if the file is gone since: pip uninstalled another distribution that
  // had a file of that name (nvidia-cudnn-cu12 beside nvidia-cudnn-cu13).
  std::optional<DistributionIndex> lost_by(const Missing& missing) const {
    const auto lost = lost_.find(base_name(missing.name));
    if (missing.what != Missing::What::Library || lost == lost_.end() || names_.contains(lost->first)) return {};
    return lost->second;
  }

  // True if an environment, which has no other distributions, has no library of that name, and lacks a distribution
  // that the user requires: the import fails.
  bool is_nowhere(const Missing& missing) const {
    const auto user = distribution_of(installation_, missing.from);
    return installation_.is_environment && user && missing.what == Missing::What::Library && !missing.library &&
           !names_.contains(base_name(missing.name)) &&
           std::ranges::any_of(absent_requirements(installation_.distributions[user->value], given_),
                               [](const Dependency& each) { return each.marker.empty(); });
  }

  // True if the missing library or symbol could be in a distribution or system library that is not part of the run.
  bool may_have(const Missing& missing) const {
    switch (missing.what) {
      case Missing::What::Library:
        return !missing.library &&
               (!names_.contains(base_name(missing.name)) || is_unrelated(missing) || is_copied(missing));
      case Missing::What::Symbol: {
        const auto distribution = distribution_of(installation_, missing.from);
        return distribution && !needs_another(missing.from, *distribution) && lacks_requirement(*distribution);
      }
      case Missing::What::Version:
      case Missing::What::VersionOf:
      case Missing::What::StaticTls:
        break;
    }
    return false;
  }

 private:
  // "libhdf5" of libhdf5.so.310 and of libhdf5-8c29085d.so.310, as auditwheel names a copy.
  static std::string_view stem_of(std::string_view path) {
    constexpr std::size_t hash = 8;
    std::string_view name = base_name(path);
    name = name.substr(0, name.find(".so"));
    const std::size_t dash = name.rfind('-');
    const bool hashed = dash != name.npos && name.size() - dash - 1 == hash &&
                        name.find_first_not_of("0123456789abcdef", dash + 1) == name.npos;
    return hashed ? name.substr(0, dash) : name;
  }

  bool lacks_requirement(DistributionIndex distribution) const {
    return !absent_requirements(installation_.distributions[distribution.value], given_).empty();
  }

  // True if only distributions that the user does not require contain the library, and one that it requires is absent.
  bool is_unrelated(const Missing& missing) const {
    const auto user = distribution_of(installation_, missing.from);
    if (!user) return false;
    std::vector<bool> used = required_by(installation_, *user);
    used[user->value] = true;
    const auto [first, last] = names_.equal_range(base_name(missing.name));
    for (auto at = first; at != last; ++at)
      if (used[distribution_of(installation_, {at->second})->value]) return false;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i] && lacks_requirement(DistributionIndex{static_cast<std::uint32_t>(i)})) return true;
    return false;
  }

  // True if only copies that a repair tool made for other wheels have the name: the file means the system's library.
  bool is_copied(const Missing& missing) const {
    const auto user = distribution_of(installation_, missing.from);
    if (!user) return false;
    std::vector<bool> used = required_by(installation_, *user);
    used[user->value] = true;
    const auto [first, last] = names_.equal_range(base_name(missing.name));
    return std::all_of(first, last, [&](const auto& each) {
      const ElfMember* const file = installation_.member({each.second});
      return !used[distribution_of(installation_, {each.second})->value] && file != nullptr &&
             std::holds_alternative<BundledLibrary>(file->role);
    });
  }

  // True if a DT_NEEDED of the file names a library of another distribution. The symbol is then expected there: the
  // file was opened up to its symbols, so all needed libraries were found.
  bool needs_another(process::ObjectIndex from, DistributionIndex distribution) const {
    const auto& dynamic = installation_.world.files[from.value].facts->dynamic;
    if (!dynamic) return false;
    const std::set<std::string_view> needed(dynamic->needed.begin(), dynamic->needed.end());
    for (std::uint32_t i = 0; i < installation_.world.files.size(); ++i) {
      const auto owner = distribution_of(installation_, {i});
      if (!owner || *owner == distribution) continue;
      const ElfFacts* const facts = installation_.world.files[i].facts;
      if (facts != nullptr && facts->dynamic && facts->dynamic->soname && needed.contains(*facts->dynamic->soname))
        return true;
    }
    return false;
  }

  const Installation& installation_;
  std::multimap<std::string_view, std::uint32_t> names_;  // index of the file
  std::multimap<std::string_view, process::ObjectIndex> stems_;
  std::map<std::string_view, DistributionIndex> lost_;  // files that RECORD lists and that are not there
  const std::set<std::string> given_;
};

// A file that lacks a library of the system tells nothing about its other names and versions, although these libraries
// are here. A C++ name belongs to them if they define other names of its outermost namespace, and no file has it.
class FoundLibraries {
 public:
  explicit FoundLibraries(const Installation& installation) : installation_(installation) {}

  // A version or a name that a library of another distribution lacks.
  std::optional<Missing> lacks(process::ObjectIndex file) {
    const DynamicFacts* const facts = dynamic(file);
    if (facts == nullptr) return std::nullopt;
    if (auto version = lacks_version(file, *facts)) return version;
    for (const Import& symbol : facts->imports) {
      if (symbol.weak || symbol.need || !is_cxx_name(symbol.name)) continue;
      if (const auto library = owner(file, symbol.name); library && !is_defined(symbol.name))
        return Missing{
            .what = Missing::What::Symbol, .from = file, .name = std::string(symbol.name), .library = library};
    }
    return std::nullopt;
  }

  // The library of another distribution that the file needs, and to which the namespace of the name belongs.
  std::optional<process::ObjectIndex> owner(process::ObjectIndex file, std::string_view name) {
    const std::string_view scope = is_cxx_name(name) ? read_mangled(name).outermost() : std::string_view();
    if (scope.empty() || scope == "std") return std::nullopt;
    std::optional<process::ObjectIndex> found;
    std::size_t most = own_namespace - 1;
    for (const process::ObjectIndex library : needed(file))
      if (const std::size_t names = names_of(library, scope); names > most) {
        most = names;
        found = library;
      }
    return found;
  }

 private:
  // Qt_6.8 of libQt6Core.so.6. glibc accepts a library without any version definitions.
  std::optional<Missing> lacks_version(process::ObjectIndex file, const DynamicFacts& facts) {
    const std::vector<bool> required = required_needs(facts);
    for (std::size_t i = 0; i < facts.needs.size(); ++i) {
      const VersionNeed& need = facts.needs[i];
      const auto lacking = std::ranges::find(needed(file), need.library,
                                             [&](process::ObjectIndex library) { return *dynamic(library)->soname; });
      if (required[i] && lacking != needed(file).end() && !is_version_defined(need))
        return Missing{.what = Missing::What::Version,
                       .from = file,
                       .name = std::string(need.library),
                       .version = std::string(need.version),
                       .library = *lacking};
    }
    return std::nullopt;
  }
  // Whether any file of that name has the version: PySide2 and PyQt5 each have a libQt5Core.so.5.
  bool is_version_defined(const VersionNeed& need) const {
    for (std::uint32_t i = 0; i < installation_.world.files.size(); ++i) {
      const DynamicFacts* const facts = dynamic({i});
      if (facts == nullptr || facts->soname != std::optional(need.library)) continue;
      if (facts->provides.empty() ||
          std::ranges::find(facts->provides, need.version, &VersionDefinition::version) != facts->provides.end())
        return true;
    }
    return false;
  }

  static constexpr std::size_t own_namespace = 20;  // with fewer, the names are templates of another library

  const DynamicFacts* dynamic(process::ObjectIndex file) const {
    const ElfFacts* const facts = installation_.world.files[file.value].facts;
    return facts != nullptr && facts->dynamic ? &*facts->dynamic : nullptr;
  }
  // The libraries of other distributions in its DT_NEEDED.
  const std::vector<process::ObjectIndex>& needed(process::ObjectIndex file) {
    const auto [at, is_new] = needed_.try_emplace(file);
    const DynamicFacts* const facts = is_new ? dynamic(file) : nullptr;
    if (facts == nullptr) return at->second;
    const auto user = distribution_of(installation_, file);
    for (std::uint32_t i = 0; i < installation_.world.files.size(); ++i) {
      const auto owner = distribution_of(installation_, {i});
      const DynamicFacts* const library = owner && owner != user ? dynamic({i}) : nullptr;
      if (library != nullptr && library->soname &&
          std::ranges::find(facts->needed, *library->soname) != facts->needed.end())
        at->second.push_back({i});
    }
    return at->second;
  }
  bool is_defined(std::string_view name) {
    if (!defined_) {
      defined_.emplace();
      for (std::uint32_t i = 0; i < installation_.world.files.size(); ++i)
        if (const DynamicFacts* const facts = dynamic({i}))
          for (const Export& symbol : facts->exports)
            if (is_cxx_name(symbol.name)) defined_->push_back(symbol.name);
      std::ranges::sort(*defined_);
    }
    return std::ranges::binary_search(*defined_, name);
  }
  std::size_t names_of(process::ObjectIndex library, std::string_view scope) {
    auto [at, is_new] = scopes_.try_emplace(library);
    if (is_new)
      for (const Export& symbol : dynamic(library)->exports)
        if (is_cxx_name(symbol.name)) ++at->second[read_mangled(symbol.name).outermost()];
    const auto found = at->second.find(scope);
    return found == at->second.end() ? 0 : found->second;
  }

  const Installation& installation_;
  std::optional<std::vector<std::string_view>> defined_;  // C++ names of all files, sorted
  std::map<process::ObjectIndex, std::vector<process::ObjectIndex>> needed_;
  std::map<process::ObjectIndex, std::map<std::string_view, std::size_t>> scopes_;  // by library: names of a namespace
};

// Whether the code of the distribution loads the library only under a condition, so that the file finds it or not.
bool may_be_preloaded(const Installation& installation, const Missing& missing) {
  const auto user = distribution_of(installation, missing.from);
  if (missing.what != Missing::What::Library || !user) return false;
  const auto opens = [&](const PythonCall& call) {
    return call.reach == Reach::Possible && call.library &&
           glob_match(base_name(*call.library), base_name(missing.name));
  };
  return std::ranges::any_of(installation.distributions[user->value].facts.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, opens); });
}

// Whether Python code catches that no library of that name is found, and goes on: tables 3.9.2 looks in three places.
bool is_tried(const Installation& installation, const PlannedOpen& open, std::string_view name,
              const Missing& missing) {
  if (!open.distribution || !open.module.empty() || missing.what != Missing::What::Library || missing.name != name)
    return false;
  const auto tries = [&](const PythonFile& file) {
    return std::ranges::any_of(file.events, [&](const PythonEvent& event) {
      return event.action == PythonAction::Load && event.attempt != no_python_index &&
             file.calls[event.call].library == name;
    });
  };
  return std::ranges::any_of(installation.distributions[open.distribution->value].facts.python, tries);
}

// Whether a library of another distribution is there and does not have what the file was linked with.
bool was_built_for_another(const Installation& installation, const ImportFailure& failure) {
  if (!failure.alone || !failure.missing || !failure.missing->library) return false;
  const auto owner = distribution_of(installation, *failure.missing->library);
  return failure.missing->what != Missing::What::Library && owner &&
         owner != distribution_of(installation, failure.missing->from);
}

// A package whose Python code imports none of its modules leaves that to its users (PyQt6, PySide6). If most of its
// public modules fail, or one fails because another distribution is of a release that does not fit, so does what a user
// imports. A distribution without modules consists of the libraries that it opens (torchcodec).
void fail_for_certain(const Installation& installation, std::span<const LoadPlan> load_plans,
                      std::vector<ImportFailure>& failures) {
  struct Count {
    bool certain = false, modules = false;
    std::size_t opened = 0, failed = 0;
  };
  const auto is_public = [](std::string_view module) {
    return !module.empty() && !module.substr(module.rfind('.') + 1).starts_with('_');
  };
  std::map<std::pair<std::uint32_t, DistributionIndex>, Count> counts;
  std::map<std::pair<std::uint32_t, DistributionIndex>, std::size_t> libraries;  // that are opened
  // A library that Python code only names may be for another process.
  const auto is_named = [&](std::uint32_t plan, const process::Moment& at) {
    return planned(load_plans[plan], at).module.empty() &&
           load_plans[plan].plan.steps[at.step].opens[at.open].by != process::OpenBy::Ctypes;
  };
  for (std::uint32_t i = 0; i < load_plans.size(); ++i)
    for (std::uint32_t step = 0; step < load_plans[i].opens.size(); ++step)
      for (std::uint32_t at = 0; at < load_plans[i].opens[step].size(); ++at) {
        const PlannedOpen& open = load_plans[i].opens[step][at];
        if (!open.distribution || open.in_code || is_named(i, {step, at})) continue;
        Count& count = counts[{i, *open.distribution}];
        if (open.module.empty()) {
          libraries[{i, *open.distribution}] += 1U;
          continue;
        }
        count.modules = true;
        count.certain = count.certain || !open.maybe;
        count.opened += is_public(open.module) ? 1U : 0U;
      }
  for (auto& [key, count] : counts)
    if (!count.modules) count.opened = libraries[key];
  const auto count_of = [&](const ImportFailure& each) -> Count* {
    if (!each.distribution || !each.maybe || each.outside || is_named(each.load_plan, each.at)) return nullptr;
    Count& count = counts[{each.load_plan, *each.distribution}];
    return is_public(each.module) || (each.module.empty() && !count.modules) ? &count : nullptr;
  };
  for (const ImportFailure& each : failures)
    if (Count* const count = count_of(each)) ++count->failed;
  for (ImportFailure& each : failures)
    if (const Count* const count = count_of(each); count != nullptr && !count->certain)
      each.maybe = count->failed * 2 <= count->opened && !was_built_for_another(installation, each);
}

bool is_plugin_of_toolkit(const Installation& installation, const PlannedOpen& open) {
  if (!open.object) return false;
  const process::File& file = installation.world.files[open.object->value];
  return file.facts != nullptr && is_plugin(file.path, *file.facts);
}

}  // namespace

std::vector<ImportFailure> failures(const Installation& installation, std::span<const LoadPlan> load_plans,
                                    std::span<const process::Outcome> outcomes,
                                    std::span<const process::Plan> plans_alone,
                                    std::span<const process::Outcome> alone) {
  std::vector<ImportFailure> out;
  const Outside outside(installation);
  FoundLibraries found(installation);
  // The baseline plans are made from the first load plan. An open is identified by the name that it opens.
  std::vector<std::set<std::string_view>> fail_alone;
  for (std::size_t i = 0; i < alone.size(); ++i) fail_alone.push_back(failing_names(plans_alone[i], alone[i]));
  for (std::uint32_t i = 0; i < load_plans.size(); ++i) {
    for (const process::Failure& failure : outcomes[i].failures) {
      if (failure.nested || failure.given_up) continue;
      const process::Moment at{failure.step, failure.open};
      const PlannedOpen& open = planned(load_plans[i], at);
      // A plugin host tries names, or makes paths of them, and goes on where a file is not there. A plugin that is
      // there and lacks a symbol is a fault.
      const bool lacks_symbol = failure.missing && (failure.missing->what == process::Missing::What::Symbol ||
                                                    failure.missing->what == process::Missing::What::Version);
      if (open.in_code && open.maybe && (!lacks_symbol || is_plugin_of_toolkit(installation, open))) continue;
      const std::string& name = load_plans[i].plan.steps[at.step].opens[at.open].name;
      if (failure.missing && is_tried(installation, open, name, *failure.missing)) continue;
      const std::size_t own = open.distribution ? open.distribution->value : installation.distributions.size();
      const bool fails_alone = alone[own].refused.has_value() || fail_alone[own].contains(name);
      // Compiled code may import the required distribution first.
      if (load_plans[i].dependant_first && !fails_alone) continue;
      std::optional<Missing> missing = failure.missing;
      const auto lost = missing ? outside.lost_by(*missing) : std::nullopt;
      if (missing && !missing->library && !lost) missing->library = outside.other_release(*missing);
      if (missing && !missing->library && missing->what == Missing::What::Symbol && fails_alone)
        missing->library = found.owner(missing->from, missing->name);
      out.push_back(
          {.load_plan = i,
           .at = at,
           .distribution = open.distribution,
           .module = open.module,
           .error = failure.error,
           .fatal = failure.fatal,
           .maybe = open.maybe || open.in_code || (missing && !lost && may_be_preloaded(installation, *missing)),
           .missing = missing,
           .alone = fails_alone,
           .outside = missing && !lost && outside.may_have(*missing) &&
                      (open.maybe || open.in_code || open.tried || !outside.is_nowhere(*missing)),
           .lost = lost});
      if (out.back().outside && missing->what == Missing::What::Library)
        if (std::optional<Missing> lack = found.lacks(missing->from)) {
          ImportFailure other = out.back();
          other.error = lack->what == Missing::What::Version
                            ? fmt::format("{}: version `{}' not found", lack->name, lack->version)
                            : "undefined symbol: " + lack->name;
          other.missing = std::move(lack);
          other.outside = false;
          out.push_back(std::move(other));
        }
    }
  }
  fail_for_certain(installation, load_plans, out);
  return out;
}

}  // namespace wheelcheck::conflicts
