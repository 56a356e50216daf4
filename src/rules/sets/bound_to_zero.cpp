// WC240: a file is bound to a function of another file that has no address.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "mangling/demangle.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::bound_to_zero {
namespace {

using process::ObjectIndex;

struct Pair {
  ObjectIndex user, provider;
  auto operator<=>(const Pair&) const = default;
};
struct Calls {
  std::set<std::string> names;
  std::vector<std::uint32_t> load_plans;
};

std::map<Pair, Calls> calls_of(const Conflicts& conflicts) {
  const Installation& all = conflicts.installation;
  std::map<ObjectIndex, std::set<std::string_view>> without_address;
  for (std::uint32_t i = 0; i < all.world.files.size(); ++i)
    if (const ElfFacts* const facts = all.world.files[i].facts; facts != nullptr && facts->dynamic)
      if (const auto& names = facts->dynamic->exports_at_zero; !names.empty())
        without_address[ObjectIndex{i}] = {names.begin(), names.end()};
  std::map<Pair, Calls> found;
  if (without_address.empty()) return found;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan)
    for (const process::BoundReference& bound : conflicts.outcomes[plan].bound) {
      if (bound.undone || !bound.to || *bound.to == bound.from) continue;
      const auto provider = without_address.find(*bound.to);
      if (provider == without_address.end()) continue;
      const std::string_view name =
          process::symbol_request(*all.world.files[bound.from.value].facts, bound.reference).name;
      if (!provider->second.contains(name)) continue;
      Calls& calls = found[{bound.from, *bound.to}];
      calls.names.insert(demangle(name));
      if (calls.load_plans.empty() || calls.load_plans.back() != plan) calls.load_plans.push_back(plan);
    }
  return found;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const auto& [pair, calls] : calls_of(conflicts)) {
    const Origin& origin = all.origins[pair.provider.value];
    if (origin.kind != Origin::Kind::Distribution) continue;
    const std::string owner = name_of(all, origin.distribution);
    std::vector<Evidence> evidence{{"functions", list_of({calls.names.begin(), calls.names.end()})}};
    if (all.origins[pair.user.value].kind != Origin::Kind::Distribution)
      evidence.push_back(
          {"called by", fmt::format("{}, which {} loads first and all share", file_name(all, pair.user), owner)});
    add_orders(conflicts, calls.load_plans, evidence);
    const auto order = safe_order(conflicts, calls.load_plans);
    emit({.place = AtObject{pair.provider},
          .message = fmt::format("{} is bound to {} of {} of {}, which {} no address: a call crashes",
                                 file_name(all, pair.user), count_of(calls.names.size(), "function"),
                                 file_name(all, pair.provider), owner, calls.names.size() == 1 ? "has" : "have"),
          .evidence = std::move(evidence),
          .fix = fmt::format("{}in {}: link again with a version script (`local: *;`), so that the names are not "
                             "exported",
                             order ? fmt::format("import in the order {}; ", *order) : "", owner),
          .load_plans = calls.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC240",
    .name = "bound-to-zero",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::bound_to_zero
