// How much of the process is known: what was opened and bound, and what was not, with the reason.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "conflicts/internal.h"
#include "model/loader_calls.h"
#include "model/requires_dist.h"

namespace wheelcheck::conflicts {

namespace {

class Coverage {
 public:
  explicit Coverage(Conflicts& conflicts) : conflicts_(conflicts) {}

  void measure() {
    for (std::size_t i = 0; i < conflicts_.outcomes.size(); ++i) count(conflicts_.outcomes[i]);
    count_opened_modules();
    lacking();
    other_namespaces();
    for (std::uint32_t p = 0; p < conflicts_.installation.parties.size(); ++p)
      unread(conflicts_.installation.parties[p]);
    if (conflicts_.files_opened == 0 && said_.empty() && has_code())
      add("no file of these distributions is opened: nothing says who loads their libraries");
  }

 private:
  // Of a distribution whose modules all fail, none is optional.
  void count_opened_modules() {
    for (std::size_t i = 0; i < conflicts_.outcomes.size(); ++i)
      for (const process::Loaded& each : conflicts_.outcomes[i].loaded)
        if (each.by)
          if (const PlannedOpen& open = planned(conflicts_.load_plans[i], *each.by);
              open.party && open.object == each.file && !open.module.empty())
            opened_.insert(*open.party);
  }

  void add(std::string text) {
    if (said_.insert(text).second) conflicts_.not_known.push_back(std::move(text));
  }

  void count(const process::Outcome& outcome) {
    if (outcome.refused) add(fmt::format("the interpreter does not start: {}", *outcome.refused));
    for (const process::Failure& failure : outcome.failures)
      if (failure.given_up) add(failure.error);
    const auto opened = static_cast<std::size_t>(std::ranges::count_if(
        outcome.loaded, [&](const auto& each) { return party_of(conflicts_.installation, each.file).has_value(); }));
    const auto bound = static_cast<std::size_t>(std::ranges::count_if(outcome.bound, [&](const auto& each) {
      return !each.undone && party_of(conflicts_.installation, each.from).has_value();
    }));
    conflicts_.files_opened = std::max(conflicts_.files_opened, opened);
    conflicts_.references_bound = std::max(conflicts_.references_bound, bound);
  }

  // The model has one namespace of link maps (dlmopen(3)).
  void other_namespaces() {
    for (std::size_t i = 0; i < conflicts_.outcomes.size(); ++i)
      for (const process::Loaded& each : conflicts_.outcomes[i].loaded) {
        const Installation& all = conflicts_.installation;
        if (!each.by || planned(conflicts_.load_plans[i], *each.by).maybe) continue;
        const ElfFacts* const facts = all.world.files[each.file.value].facts;
        if (facts == nullptr || !party_of(all, each.file) || !calls(*facts, LoaderCall::Function::Dlmopen)) continue;
        add(fmt::format("{} calls dlmopen: what it loads into another namespace is not modelled",
                        all.names[each.file.value]));
      }
  }

  // By distribution and what is missing: one library keeps all modules of a wheel from being opened.
  void lacking() {
    struct Lack {
      const ImportFailure* first = nullptr;
      std::set<process::ObjectIndex> files;
    };
    std::map<std::pair<std::optional<PartyIndex>, std::string_view>, Lack> lacks;
    for (const ImportFailure& failure : conflicts_.failures) {
      if (!failure.outside || (failure.maybe && (!failure.party || opened_.contains(*failure.party)))) continue;
      if (planned(conflicts_.load_plans[failure.load_plan], failure.at).in_code) continue;  // its caller may do without
      Lack& lack = lacks[{failure.party, failure.missing->name}];
      if (lack.first == nullptr) lack.first = &failure;
      lack.files.insert(failure.missing->from);
    }
    for (const auto& [key, lack] : lacks) add(lacking(*lack.first, lack.files.size()));
  }

  std::string lacking(const ImportFailure& failure, std::size_t files) const {
    const Installation& all = conflicts_.installation;
    std::string user = all.names[failure.missing->from.value];
    if (files > 1) user += fmt::format(" and {} more", files - 1);
    const bool symbol = failure.missing->what == process::Missing::What::Symbol;
    return fmt::format(
        "{} cannot be opened: {} is {}{}", user, failure.missing->name,
        symbol ? "in none of the files given" : "neither in these distributions nor a library of the platform",
        failure.party ? absent_requirements(all.parties[failure.party->value]) : "");
  }

  // "; it requires shiboken6, which is not here"
  std::string absent_requirements(const Party& party) const {
    constexpr std::size_t shown = 5;
    if (!party.facts.metadata) return "";
    std::set<std::string> given;
    for (const Party& each : conflicts_.installation.parties)
      given.insert(normal_project_name(name_of_distribution(each.facts)));
    for (const auto& [name, project] : conflicts_.installation.projects) given.insert(project);
    std::set<std::string> absent;
    for (const std::string& line : party.facts.metadata->requires_dist) {
      const Dependency dependency = parse_dependency(line);
      if (dependency.for_linux && !dependency.under && !given.contains(dependency.name)) absent.insert(dependency.name);
    }
    if (absent.empty()) return "";
    std::vector<std::string> names(absent.begin(), absent.end());
    const std::size_t left = names.size() > shown ? names.size() - shown : 0;
    names.resize(names.size() - left);
    return fmt::format("; it requires {}{}, which {} not here", join(names, ", "),
                       left > 0 ? fmt::format(" and {} more", left) : "", absent.size() == 1 ? "is" : "are");
  }

  void unread(const Party& party) {
    for (const ElfMember& file : party.facts.elfs)
      if (std::holds_alternative<BrokenElf>(file.role))
        add(fmt::format("{} of {} cannot be read", party.facts.members[file.member.value].path.text(),
                        name_of_distribution(party.facts)));
  }

  // Programs are run, not opened.
  bool has_code() const {
    const auto is_opened = [](const ElfMember& file) {
      return is_host_code(file) && !std::holds_alternative<Program>(file.role);
    };
    return std::ranges::any_of(conflicts_.installation.parties,
                               [&](const Party& party) { return std::ranges::any_of(party.facts.elfs, is_opened); });
  }

  Conflicts& conflicts_;
  std::set<std::string> said_;
  std::set<PartyIndex> opened_;  // of which a module was opened
};

}  // namespace

void measure_coverage(Conflicts& conflicts) { Coverage(conflicts).measure(); }

// Opens that fail, and what they lack: something that was given in another form, or something that was not given.

namespace {

using process::Missing;

// The opens of a plan that fail, by the name that they open.
std::set<std::string_view> failing_names(const process::Plan& plan, const process::Outcome& outcome) {
  std::set<std::string_view> names;
  for (const process::Failure& failure : outcome.failures)
    if (!failure.nested && failure.step < plan.steps.size() && failure.open < plan.steps[failure.step].opens.size())
      names.insert(plan.steps[failure.step].opens[failure.open].name);
  return names;
}

class Outside {
 public:
  explicit Outside(const Installation& installation) : installation_(installation) {
    for (std::uint32_t i = 0; i < installation.world.files.size(); ++i) {
      if (!party_of(installation, {i})) continue;
      const process::File& file = installation.world.files[i];
      names_.insert(base_name(file.path));
      if (file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname)
        names_.insert(*file.facts->dynamic->soname);
    }
    for (const Party& party : installation.parties)
      given_.insert(normal_project_name(name_of_distribution(party.facts)));
    for (const auto& [name, project] : installation.projects) given_.insert(project);
  }

  // Whether a distribution or a library of the system that is not there could have what is missing.
  bool may_have(const Missing& missing) const {
    switch (missing.what) {
      case Missing::What::Library:
        return !names_.contains(base_name(missing.name));
      case Missing::What::Symbol: {
        const auto party = party_of(installation_, missing.from);
        return party && !needs_another(missing.from, *party) && lacks_requirement(installation_.parties[party->value]);
      }
      case Missing::What::Version:
      case Missing::What::VersionOf:
      case Missing::What::StaticTls:
        break;
    }
    return false;
  }

 private:
  bool lacks_requirement(const Party& party) const {
    if (!party.facts.metadata) return false;
    return std::ranges::any_of(party.facts.metadata->requires_dist, [&](const std::string& line) {
      const Dependency dependency = parse_dependency(line);
      return dependency.for_linux && !dependency.under && !given_.contains(dependency.name);
    });
  }

  // A file that names a library of another distribution in DT_NEEDED gets its names there: the file was opened up to
  // its symbols, so all libraries that it names were found.
  bool needs_another(process::ObjectIndex from, PartyIndex party) const {
    const auto& dynamic = installation_.world.files[from.value].facts->dynamic;
    if (!dynamic) return false;
    const std::set<std::string_view> needed(dynamic->needed.begin(), dynamic->needed.end());
    for (std::uint32_t i = 0; i < installation_.world.files.size(); ++i) {
      const auto owner = party_of(installation_, {i});
      if (!owner || *owner == party) continue;
      const ElfFacts* const facts = installation_.world.files[i].facts;
      if (facts != nullptr && facts->dynamic && facts->dynamic->soname && needed.contains(*facts->dynamic->soname))
        return true;
    }
    return false;
  }

  const Installation& installation_;
  std::set<std::string_view> names_;
  std::set<std::string, std::less<>> given_;
};

}  // namespace

std::vector<ImportFailure> failures(const Installation& installation, std::span<const LoadPlan> load_plans,
                                    std::span<const process::Outcome> outcomes,
                                    std::span<const process::Plan> plans_alone,
                                    std::span<const process::Outcome> alone) {
  std::vector<ImportFailure> out;
  const Outside outside(installation);
  // Plans of the parties alone were made of the first load plan; an open is found again by what it opens.
  std::vector<std::set<std::string_view>> fail_alone;
  for (std::size_t i = 0; i < alone.size(); ++i) fail_alone.push_back(failing_names(plans_alone[i], alone[i]));
  for (std::uint32_t i = 0; i < load_plans.size(); ++i) {
    for (const process::Failure& failure : outcomes[i].failures) {
      if (failure.nested || failure.given_up) continue;
      const process::Moment at{failure.step, failure.open};
      const PlannedOpen& open = planned(load_plans[i], at);
      // A plugin host tries names, or makes paths of them, and goes on where a file is not there.
      if (open.in_code && open.maybe) continue;
      const std::string& name = load_plans[i].plan.steps[at.step].opens[at.open].name;
      const std::size_t own = open.party ? open.party->value : installation.parties.size();
      const bool fails_alone = alone[own].refused.has_value() || fail_alone[own].contains(name);
      if (load_plans[i].dependant_first && !fails_alone) continue;  // compiled code may import what it requires first
      out.push_back({.load_plan = i,
                     .at = at,
                     .party = open.party,
                     .module = open.module,
                     .error = failure.error,
                     .fatal = failure.fatal,
                     .maybe = open.maybe || open.in_code,
                     .missing = failure.missing,
                     .alone = fails_alone,
                     .outside = failure.missing && outside.may_have(*failure.missing)});
    }
  }
  return out;
}

}  // namespace wheelcheck::conflicts
