// How much of the process is known: what was opened and bound, and what was not, with the reason.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "conflicts/internal.h"
#include "model/requirements.h"

namespace wheelcheck::conflicts {
namespace {

class Coverage {
 public:
  explicit Coverage(Conflicts& conflicts) : conflicts_(conflicts) {}

  void measure() {
    for (std::size_t i = 0; i < conflicts_.outcomes.size(); ++i) count(conflicts_.outcomes[i]);
    count_opened_modules();
    for (const ImportFailure& failure : conflicts_.failures)
      if (failure.outside && (!failure.maybe || (failure.party && !opened_.contains(*failure.party))))
        add(lacking(failure));
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

  std::string lacking(const ImportFailure& failure) const {
    const Installation& all = conflicts_.installation;
    const std::string_view user = all.names[failure.missing->from.value];
    if (failure.missing->what == process::Missing::What::Symbol)
      return fmt::format(
          "{} cannot be opened: {} is in none of the files given, and a distribution that it requires "
          "is not among them",
          user, failure.missing->name);
    return fmt::format("{} cannot be opened: {} is neither in these distributions nor a library of the platform", user,
                       failure.missing->name);
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
