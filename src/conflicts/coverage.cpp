// How much of the process is known: what was opened and bound, and what was not, with the reason.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "conflicts/internal.h"
#include "model/dependency.h"
#include "model/requirements.h"

namespace wheelcheck::conflicts {
namespace {

class Coverage {
 public:
  explicit Coverage(Conflicts& conflicts) : conflicts_(conflicts) {}

  void measure() {
    for (std::size_t i = 0; i < conflicts_.outcomes.size(); ++i) count(conflicts_.outcomes[i]);
    count_opened_modules();
    lacking();
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

  // By distribution and what is missing: one library keeps all modules of a wheel from being opened.
  void lacking() {
    struct Lack {
      const ImportFailure* first = nullptr;
      std::set<process::ObjectIndex> files;
    };
    std::map<std::pair<std::optional<PartyIndex>, std::string_view>, Lack> lacks;
    for (const ImportFailure& failure : conflicts_.failures) {
      if (!failure.outside || (failure.maybe && (!failure.party || opened_.contains(*failure.party)))) continue;
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

}  // namespace wheelcheck::conflicts
