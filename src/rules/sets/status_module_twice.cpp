// WC242: wheels of two pybind11 builds make the same Python module of absl::Status.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::status_module_twice {
namespace {

using process::ObjectIndex;

using Ids = std::vector<std::string_view>;

bool have_common(const Ids& one, const Ids& two) {
  return std::ranges::any_of(one, [&](std::string_view id) { return std::ranges::find(two, id) != two.end(); });
}

struct Maker {
  ObjectIndex file;  // the first of the distribution
  Ids ids;
  bool maybe = true;
};
using Makers = std::map<DistributionIndex, Maker>;

Makers makers_in(const Conflicts& conflicts, std::uint32_t plan) {
  const Installation& all = conflicts.installation;
  Makers makers;
  for (const process::Loaded& each : conflicts.outcomes[plan].loaded) {
    const ElfFacts* const facts = all.world.files[each.file.value].facts;
    if (facts == nullptr || !each.by || all.origins[each.file.value].kind != Origin::Kind::Distribution ||
        !facts->interfaces.pybind11_status)
      continue;
    const Ids& ids = facts->interfaces.pybind11_ids;
    if (ids.empty()) continue;
    const bool maybe = is_opened_uncertainly(conflicts, plan, each);
    Maker& maker = makers.try_emplace(all.origins[each.file.value].distribution, Maker{each.file, ids}).first->second;
    maker.maybe = maker.maybe && maybe;
  }
  return makers;
}

struct Found {
  Maker one, two;
  std::vector<std::uint32_t> load_plans;
  bool maybe = true;
};

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<std::pair<DistributionIndex, DistributionIndex>, Found> found;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan) {
    const Makers makers = makers_in(conflicts, plan);
    for (auto one = makers.begin(); one != makers.end(); ++one)
      for (auto two = std::next(one); two != makers.end(); ++two) {
        if (have_common(one->second.ids, two->second.ids)) continue;
        Found& pair = found.try_emplace({one->first, two->first}, Found{one->second, two->second, {}}).first->second;
        pair.load_plans.push_back(plan);
        pair.maybe = pair.maybe && (one->second.maybe || two->second.maybe);
      }
  }
  for (const auto& [distributions, pair] : found) {
    const auto [first, second] = distributions;
    std::vector<Evidence> evidence{{"internals of " + name_of(all, first), std::string(pair.one.ids.front())},
                                   {"internals of " + name_of(all, second), std::string(pair.two.ids.front())}};
    add_orders(conflicts, pair.load_plans, evidence, {first, second});
    emit({.place = AtObject{pair.two.file},
          .message = fmt::format(
              "{} of {} and {} of {} both make the module pybind11_abseil.status, with pybind11 builds that share no "
              "types: the import of the second fails (\"cannot initialize type \"StatusCode\": an object with that "
              "name is already defined\")",
              file_name(all, pair.one.file), name_of(all, first), file_name(all, pair.two.file), name_of(all, second)),
          .evidence = std::move(evidence),
          .fix = fmt::format("import {} and {} in different processes, or build one of them with the pybind11 and the "
                             "compiler of the other",
                             name_of(all, first), name_of(all, second)),
          .severity = pair.maybe ? Severity::Warning : Severity::Error,
          .load_plans = pair.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC242",
    .name = "status-module-twice",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::status_module_twice
