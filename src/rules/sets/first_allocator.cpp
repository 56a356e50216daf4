// WC233: a system library is bound to the operator new and delete of the distribution that loads it first.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::first_allocator {
namespace {

using process::ObjectIndex;

// operator new, new[], delete, delete[] in their sized, aligned and nothrow forms (Itanium C++ ABI 5.1.3).
bool is_operator(std::string_view name) {
  return name.starts_with("_Znwm") || name.starts_with("_Znam") || name.starts_with("_ZdlPv") ||
         name.starts_with("_ZdaPv");
}

// The forms that libstdc++ implements with malloc and free. Its other forms call these.
bool is_base_operator(std::string_view name) {
  return name == "_Znwm" || name == "_ZdlPv" || name == "_ZnwmSt11align_val_t" || name == "_ZdlPvSt11align_val_t";
}

// The forms with an alignment are a family of their own: what they return goes back to them alone ([expr.delete]).
bool is_aligned(std::string_view name) { return name.find("St11align_val_t") != name.npos; }

bool is_of_distribution(const Installation& all, ObjectIndex object) {
  return all.origins[object.value].kind == Origin::Kind::Distribution;
}

// A complete C++ runtime has its own operators, which call malloc. Mixing these is harmless.
bool is_runtime(const Installation& all, ObjectIndex object) {
  const DynamicFacts& facts = *all.world.files[object.value].facts->dynamic;
  return std::ranges::any_of(facts.exports, [](const Export& symbol) { return symbol.name == "__cxa_throw"; });
}

// An allocator replaces the forms that allocate and free. Toolchains with an older libstdc++.so link other forms into
// each library: operator delete with a size, which only calls the base form, and the forms with an alignment, which
// call aligned_alloc and free as those of the system do (libstdc++_nonshared.a of gcc-toolset, in hictkpy 0.0.5).
bool is_allocator(const Installation& all, ObjectIndex object, bool aligned) {
  const DynamicFacts& facts = *all.world.files[object.value].facts->dynamic;
  const auto replaces = [&](bool with_alignment) {
    return std::ranges::any_of(facts.exports, [&](const Export& symbol) {
      return is_base_operator(symbol.name) && is_aligned(symbol.name) == with_alignment;
    });
  };
  return replaces(false) && (!aligned || replaces(true));
}

struct Taken {
  ObjectIndex library, provider;  // the system's library, and whose operators it calls
  bool aligned = false;           // of which family
  auto operator<=>(const Taken&) const = default;
};

// For one order: the system libraries that call a distribution's operators, and the other users of these libraries.
class Order {
 public:
  Order(const Conflicts& conflicts, std::uint32_t plan) : all_(conflicts.installation) {
    const auto& bindings = conflicts.outcomes[plan].bound;
    for (const process::BoundReference& bound : bindings)
      if (!bound.undone && bound.to && !is_of_distribution(all_, bound.from) && is_of_distribution(all_, *bound.to) &&
          is_operator(name(bound)) && !is_runtime(all_, *bound.to) &&
          is_allocator(all_, *bound.to, is_aligned(name(bound))))
        taken.insert({bound.from, *bound.to, is_aligned(name(bound))});
    if (taken.empty()) return;
    for (const process::BoundReference& bound : bindings) {
      if (bound.undone || !bound.to || !is_of_distribution(all_, bound.from)) continue;
      const DistributionIndex user = all_.origins[bound.from.value].distribution;
      if (!is_of_distribution(all_, *bound.to)) uses[*bound.to].insert(user);
      if (is_base_operator(name(bound))) operators[{user, is_aligned(name(bound))}].insert(*bound.to);
    }
  }

  // Distributions whose files use the library and whose own operators come from the library.
  std::vector<DistributionIndex> victims(const Taken& one) const {
    std::vector<DistributionIndex> out;
    const auto users = uses.find(one.library);
    if (users == uses.end()) return out;
    for (const DistributionIndex user : users->second) {
      if (user == all_.origins[one.provider.value].distribution) continue;
      const auto own = operators.find({user, one.aligned});
      if (own != operators.end() && own->second.contains(one.library)) out.push_back(user);
    }
    return out;
  }

  std::set<Taken> taken;

 private:
  std::string_view name(const process::BoundReference& bound) const {
    return process::symbol_request(*all_.world.files[bound.from.value].facts, bound.reference).name;
  }

  const Installation& all_;
  std::map<ObjectIndex, std::set<DistributionIndex>> uses;
  std::map<std::pair<DistributionIndex, bool>, std::set<ObjectIndex>> operators;  // by distribution and family
};

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<std::pair<Taken, std::vector<DistributionIndex>>, std::vector<std::uint32_t>> found;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan) {
    const Order order(conflicts, plan);
    for (const Taken& one : order.taken)
      if (auto victims = order.victims(one); !victims.empty()) found[{one, std::move(victims)}].push_back(plan);
  }
  for (const auto& [what, load_plans] : found) {
    const auto& [taken, victims] = what;
    std::vector<std::string> names;
    for (const DistributionIndex victim : victims) names.push_back(name_of(all, victim));
    const std::string owner = name_of(all, all.origins[taken.provider.value].distribution);
    std::vector<Evidence> evidence{
        {"called by", fmt::format("{}, which {} loads first and all share", file_name(all, taken.library), owner)}};
    Concerned distributions = victims;
    distributions.push_back(all.origins[taken.provider.value].distribution);
    add_orders(conflicts, load_plans, evidence, distributions);
    const auto order = safe_order(conflicts, load_plans, distributions);
    emit({.place = AtObject{taken.provider},
          .message = fmt::format("{} is bound to operator new and delete of {}: what {} allocates with those of the "
                                 "system is freed with these, and the process aborts",
                                 file_name(all, taken.library), file_name(all, taken.provider), list_of(names)),
          .evidence = std::move(evidence),
          .fix = fmt::format(
              "{}in {}: keep operator new and delete out of its exports (a version script with `local: *;`)",
              order ? fmt::format("import in the order {}; ", *order) : "", owner),
          .load_plans = load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC233",
    .name = "first-allocator",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::first_allocator
