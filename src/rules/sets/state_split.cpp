// WC239: a system library uses variables or functions of a copy of itself in the distribution that loads it first.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "mangling/demangle.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::state_split {
namespace {

using process::ObjectIndex;

// A type of libstdc++ whose objects have another layout in another release, so that its functions must be of one copy:
// std::random_device has new members since GCC 9 (libstdc++-v3/include/bits/random.h).
constexpr std::string_view random_device = "_ZNSt13random_device";

bool is_of_distribution(const Installation& all, ObjectIndex object) {
  return all.origins[object.value].kind == Origin::Kind::Distribution;
}

// What must exist once: "" if the name is another function or variable. Other variables may be constants, which are
// equal in all copies (std::__detail::__prime_list).
std::string_view state_of(const Installation& all, const process::BoundReference& bound, std::string_view name) {
  if (name.starts_with(random_device)) return random_device;
  const DynamicFacts& facts = *all.world.files[bound.to->value].facts->dynamic;
  if (bound.definition >= facts.exports.size()) return {};
  const Export& symbol = facts.exports[bound.definition];
  return symbol.kind == SymbolKind::Tls ? symbol.name : std::string_view();
}

// A complete C++ runtime is another problem (WC232).
bool is_runtime(const Installation& all, ObjectIndex object) {
  const DynamicFacts& facts = *all.world.files[object.value].facts->dynamic;
  return std::ranges::any_of(facts.exports, [](const Export& symbol) { return symbol.name == "__cxa_throw"; });
}

struct Split {
  ObjectIndex library, provider;  // the system's library, and whose variable it uses
  std::string_view state;
  auto operator<=>(const Split&) const = default;
};

// For one order: the split variables, with the distributions that use the one of the library itself.
std::map<Split, std::set<DistributionIndex>> splits_of(const Conflicts& conflicts, std::uint32_t plan) {
  const Installation& all = conflicts.installation;
  const auto& bindings = conflicts.outcomes[plan].bound;
  const auto name_of_reference = [&](const process::BoundReference& bound) {
    return process::symbol_request(*all.world.files[bound.from.value].facts, bound.reference).name;
  };
  std::map<std::string_view, std::vector<Split>> taken;  // by state
  for (const process::BoundReference& bound : bindings) {
    if (bound.undone || !bound.to || is_of_distribution(all, bound.from) || !is_of_distribution(all, *bound.to) ||
        bound.way != process::Way::Plain || all.origins[bound.from.value].kind != Origin::Kind::Platform)
      continue;
    const std::string_view name = name_of_reference(bound);
    if (const std::string_view state = state_of(all, bound, name); !state.empty() && !is_runtime(all, *bound.to))
      taken[state].push_back({bound.from, *bound.to, state});
  }
  std::map<Split, std::set<DistributionIndex>> found;
  if (taken.empty()) return found;
  for (const process::BoundReference& bound : bindings) {
    if (bound.undone || !bound.to || !is_of_distribution(all, bound.from) || is_of_distribution(all, *bound.to))
      continue;
    const std::string_view name = name_of_reference(bound);
    const auto splits = taken.find(name.starts_with(random_device) ? random_device : name);
    if (splits == taken.end()) continue;
    const DistributionIndex user = all.origins[bound.from.value].distribution;
    for (const Split& split : splits->second)
      if (split.library == *bound.to && all.origins[split.provider.value].distribution != user)
        found[split].insert(user);
  }
  return found;
}

struct Found {
  std::set<std::string_view> states;
  std::set<std::uint32_t> load_plans;
};

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<std::tuple<ObjectIndex, ObjectIndex, std::set<DistributionIndex>>, Found> findings;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan)
    for (const auto& [split, users] : splits_of(conflicts, plan)) {
      Found& finding = findings[{split.library, split.provider, users}];
      finding.states.insert(split.state);
      finding.load_plans.insert(plan);
    }
  for (const auto& [where, finding] : findings) {
    const auto& [library, provider, users] = where;
    const std::vector<std::uint32_t> load_plans(finding.load_plans.begin(), finding.load_plans.end());
    const DistributionIndex owner = all.origins[provider.value].distribution;
    Concerned distributions(users.begin(), users.end());
    std::vector<std::string> names, states;
    for (const DistributionIndex user : users) names.push_back(name_of(all, user));
    for (const std::string_view state : finding.states)
      states.push_back(state == random_device ? "std::random_device" : demangle(state));
    distributions.push_back(owner);
    std::vector<Evidence> evidence{
        {"effect", fmt::format("{} sets {} of {}, which itself uses that of {}: expect a crash", list_of(names),
                               states.front(), file_name(all, library), file_name(all, provider))},
        {"names", list_of(states)}};
    add_orders(conflicts, load_plans, evidence, distributions);
    const auto order = safe_order(conflicts, load_plans, distributions);
    emit({.place = AtObject{provider},
          .message = fmt::format("{} uses {} of {}, and {} uses that of the system", file_name(all, library),
                                 states.front(), file_name(all, provider), list_of(names)),
          .evidence = std::move(evidence),
          .fix = fmt::format("{}in {}: keep the symbols of the C++ runtime out of its exports "
                             "(-Wl,--exclude-libs,ALL, or a version script with `local: *;`)",
                             order ? fmt::format("import in the order {}; ", *order) : "", name_of(all, owner)),
          .load_plans = load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC239",
    .name = "state-split",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::state_split
