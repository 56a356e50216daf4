// Compares the bindings of a load plan with the baseline, and groups the differences by the file that would provide the
// symbols and the file that provides them. The second part compares the two definitions of each symbol.

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "conflicts/internal.h"
#include "mangling/mangled.h"

namespace wheelcheck::conflicts {

namespace {

using process::BindingResult;
using process::BoundReference;
using process::Outcome;

struct Key {
  RelationKind kind = RelationKind::Capture;
  ObjectIndex own, provider;
  auto operator<=>(const Key&) const = default;
};
struct Difference {
  Key key;
  std::string_view name;
  ObjectIndex from;
  std::uint32_t own = process::unknown_definition, taken = process::unknown_definition;
  std::uint32_t load_plan = 0;
};

// What one outcome contains about each file, by object.
struct LoadState {
  std::vector<bool> loaded, maybe;
  std::vector<bool> late;                                // loaded by a module whose import is uncertain
  std::vector<std::optional<DistributionIndex>> loader;  // the distribution whose import loaded it
  std::vector<const PlannedOpen*> published;             // the open that added it to the global scope
};

LoadState load_state(const Installation& installation, const LoadPlan& load_plan, const Outcome& outcome) {
  const std::size_t count = installation.world.files.size();
  LoadState states{std::vector<bool>(count), std::vector<bool>(count), std::vector<bool>(count),
                   std::vector<std::optional<DistributionIndex>>(count), std::vector<const PlannedOpen*>(count)};
  for (const process::Loaded& each : outcome.loaded) {
    states.loaded[each.file.value] = true;
    if (!each.by) continue;
    const PlannedOpen& open = planned(load_plan, *each.by);
    states.maybe[each.file.value] = open.maybe;
    states.late[each.file.value] = open.maybe && !open.module.empty();
    states.loader[each.file.value] = open.distribution;
  }
  for (const process::Published& each : outcome.published)
    states.published[each.file.value] = &planned(load_plan, {each.step, each.open});
  return states;
}

std::string_view soname_of(const Installation& installation, ObjectIndex object) {
  const process::File& file = installation.world.files[object.value];
  return file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname ? *file.facts->dynamic->soname
                                                                                     : base_name(file.path);
}

class Collector {
 public:
  Collector(const Installation& installation, const Baseline& alone, const Baseline& own_first)
      : installation_(installation), alone_(alone), own_first_(own_first) {}

  void add(std::uint32_t load_plan, const Outcome& outcome, const LoadState& states) {
    for (const BoundReference& bound : outcome.bound) {
      if (bound.undone || !bound.to) continue;
      const auto provider = distribution_of(installation_, *bound.to);
      if (!provider) continue;
      if (provider == distribution_of(installation_, bound.from)) {
        inside(load_plan, bound, states);
        continue;
      }
      if (const auto own = own_first_.find(bound.from, bound.reference); own && is_strong_own(bound, *own)) {
        consider(load_plan, bound, own, states);
        continue;
      }
      // A library of the system has the scope of the file that loads it first, also in the baseline.
      if (!distribution_of(installation_, bound.from) && states.loader[bound.from.value] == provider) continue;
      const auto alone = alone_.find(bound.from, bound.reference);
      if (alone && alone->to == bound.to) continue;
      consider(load_plan, bound, alone, states);
    }
  }

  std::vector<Difference> take() && { return std::move(found_); }

 private:
  // True if the wheel with only its own libraries binds the name to a strong definition of its own. A dependency on the
  // provider does not excuse the difference.
  bool is_strong_own(const BoundReference& bound, const Bound& own) const {
    const auto user = distribution_of(installation_, bound.from);
    return user && own.to && own.to != bound.to && distribution_of(installation_, *own.to) == user &&
           bound.way == BindingResult::Plain && is_strong(*own.to, own.definition);
  }
  bool is_strong(ObjectIndex object, std::uint32_t definition) const {
    const ElfFacts* const facts = installation_.world.files[object.value].facts;
    return facts != nullptr && facts->dynamic && definition < facts->dynamic->exports.size() &&
           facts->dynamic->exports[definition].binding == Binding::Global;
  }

  // True if the distribution of the file contains a library with the same name as the other one.
  bool has_copy(ObjectIndex file, ObjectIndex library) {
    const auto [at, fresh] = copies_.try_emplace({file, library});
    const auto user = distribution_of(installation_, file);
    if (fresh && user)
      at->second = std::ranges::any_of(installation_.objects[user->value], [&](const std::optional<ObjectIndex>& each) {
        return each && soname_of(installation_, *each) == soname_of(installation_, library);
      });
    return at->second;
  }

  // Records a file's own definition that is replaced by that of a global file of the same wheel, which the file does
  // not need.
  void inside(std::uint32_t load_plan, const BoundReference& bound, const LoadState& states) {
    if (bound.to == bound.from || states.published[bound.to->value] == nullptr || bound.way != BindingResult::Plain)
      return;
    const DynamicFacts& facts = *installation_.world.files[bound.from.value].facts->dynamic;
    const Reference& reference = facts.references[bound.reference];
    if (!reference.own || !is_strong(bound.from, reference.symbol)) return;
    if (std::ranges::find(facts.needed, soname_of(installation_, *bound.to)) != facts.needed.end()) return;
    found_.push_back({.key = {.kind = RelationKind::Capture, .own = bound.from, .provider = *bound.to},
                      .name = facts.exports[reference.symbol].name,
                      .from = bound.from,
                      .own = reference.symbol,
                      .taken = bound.definition,
                      .load_plan = load_plan});
  }

  void consider(std::uint32_t load_plan, const BoundReference& bound, const std::optional<Bound>& alone,
                const LoadState& states) {
    const ElfFacts& facts = *installation_.world.files[bound.from.value].facts;
    Difference difference{.key = {.provider = *bound.to},
                          .name = process::symbol_request(facts, bound.reference).name,
                          .from = bound.from,
                          .taken = bound.definition,
                          .load_plan = load_plan};
    if (alone && alone->to) {
      if (distribution_of(installation_, *alone->to) == distribution_of(installation_, *bound.to)) return;
      difference.key.own = *alone->to;
      difference.own = alone->definition;
      difference.key.kind = bound.way == BindingResult::Unique ? RelationKind::SharedUnique
                            : states.loaded[alone->to->value]  ? RelationKind::Capture
                                                               : RelationKind::Displaced;
    } else {
      if (alone && alone->way == BindingResult::Platform) return;  // the platform defines it, but it is not known where
      if (!alone && has_copy(bound.from, *bound.to)) return;       // its own copy defines it as well
      difference.key.own = bound.from;
      difference.key.kind = RelationKind::Borrow;
    }
    found_.push_back(difference);
  }

  const Installation& installation_;
  const Baseline &alone_, &own_first_;
  std::map<std::pair<ObjectIndex, ObjectIndex>, bool> copies_;
  std::vector<Difference> found_;
};

void add_once(std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  const auto at = std::ranges::lower_bound(sorted, value);
  if (at == sorted.end() || *at != value) sorted.insert(at, value);
}

// Moves the load plans in which the user precedes the provider and only modules whose import is uncertain look the
// symbols up. Libraries that no import opens are no such modules: whoever opens them does so later in every order.
void set_late_plans(Relation& relation, std::span<const Difference> group, std::span<const LoadState> states,
                    std::span<const LoadPlan> load_plans) {
  if (!relation.distribution) return;
  const auto is_early = [&](std::uint32_t plan) {
    const auto& order = load_plans[plan].order;
    return std::ranges::find(order, *relation.distribution) < std::ranges::find(order, relation.provider_distribution);
  };
  const auto is_sure_in = [&](std::uint32_t plan) {
    return std::ranges::any_of(
        group, [&](const Difference& each) { return each.load_plan == plan && !states[plan].late[each.from.value]; });
  };
  std::vector<std::uint32_t> others;
  for (const std::uint32_t plan : relation.load_plans)
    (is_early(plan) && !is_sure_in(plan) ? relation.late_plans : others).push_back(plan);
  relation.load_plans = others.empty() ? relation.late_plans : std::move(others);
}

// Builds the relation of the differences with one key, which are sorted by name.
Relation relation_of(const Installation& installation, std::span<const Difference> group,
                     std::span<const LoadState> states, std::span<const LoadPlan> load_plans) {
  const Key& key = group.front().key;
  Relation relation{.kind = key.kind, .own = key.own, .provider = key.provider};
  relation.provider_distribution = *distribution_of(installation, key.provider);
  relation.maybe = true;
  for (const Difference& each : group) {
    if (!relation.distribution) relation.distribution = distribution_of(installation, each.from);
    if (relation.symbols.empty() || relation.symbols.back().name != each.name)
      relation.symbols.push_back({.name = each.name, .from = each.from, .own = each.own, .taken = each.taken});
    if (std::ranges::find(relation.by, each.from) == relation.by.end()) relation.by.push_back(each.from);
    add_once(relation.load_plans, each.load_plan);
    const LoadState& load_plan = states[each.load_plan];
    if (!load_plan.maybe[each.from.value] && !load_plan.maybe[key.provider.value]) relation.maybe = false;
    if (const PlannedOpen* const open = load_plan.published[key.provider.value]; open != nullptr && !relation.published)
      relation.published = open->flags;
  }
  std::ranges::sort(relation.by);
  set_late_plans(relation, group, states, load_plans);
  return relation;
}

// Libraries of the system whose objects their users pass to each other: libX11 opens a connection, and gives it as one
// of libxcb.
bool passes_objects(const Installation& installation, ObjectIndex library) {
  constexpr std::array<std::string_view, 5> sonames = {"libxcb.so.1", "libX11.so.6", "libwayland-client.so.0",
                                                       "libglib-2.0.so.0", "libgobject-2.0.so.0"};
  return installation.origins[library.value].kind == Origin::Kind::Platform &&
         contains(sonames, base_name(installation.world.files[library.value].path));
}

using BySoname = std::map<std::string_view, ObjectIndex>;

// Whether the file reaches by DT_NEEDED one of `ends`.
bool requires_one_of(const Installation& installation, const BySoname& loaded, ObjectIndex file,
                     const std::set<ObjectIndex>& ends) {
  std::set<ObjectIndex> seen{file};
  for (std::vector<ObjectIndex> todo{file}; !todo.empty();) {
    const ElfFacts* const facts = installation.world.files[todo.back().value].facts;
    todo.pop_back();
    if (facts == nullptr || !facts->dynamic) continue;
    for (const std::string_view name : facts->dynamic->needed) {
      const auto found = loaded.find(name);
      if (found == loaded.end() || !seen.insert(found->second).second) continue;
      if (ends.contains(found->second)) return true;
      todo.push_back(found->second);
    }
  }
  return false;
}

// Whether a file that is bound to the provider requires one that is bound to the own copy for names that both have.
bool is_divided(const Installation& installation, const Relation& relation, const Outcome& outcome) {
  const DynamicFacts& provider = *installation.world.files[relation.provider.value].facts->dynamic;
  std::set<std::string_view> names;
  for (const Export& symbol : provider.exports) names.insert(symbol.name);
  std::set<ObjectIndex> users;
  for (const BoundReference& bound : outcome.bound)
    if (!bound.undone && bound.to == relation.own && bound.from != relation.own &&
        names.contains(
            process::symbol_request(*installation.world.files[bound.from.value].facts, bound.reference).name))
      users.insert(bound.from);
  BySoname loaded;
  for (const process::Loaded& each : outcome.loaded) loaded.try_emplace(soname_of(installation, each.file), each.file);
  return std::ranges::any_of(relation.by, [&](ObjectIndex by) {
    return !users.contains(by) && requires_one_of(installation, loaded, by, users);
  });
}

}  // namespace

std::vector<Relation> differences(const Installation& installation, std::span<const LoadPlan> load_plans,
                                  std::span<const process::Outcome> outcomes, const Baseline& alone,
                                  const Baseline& own_first, const std::vector<std::vector<bool>>& required) {
  Collector collector(installation, alone, own_first);
  std::vector<LoadState> states;
  for (std::uint32_t i = 0; i < load_plans.size(); ++i) {
    states.push_back(load_state(installation, load_plans[i], outcomes[i]));
    collector.add(i, outcomes[i], states.back());
  }
  std::vector<Difference> all = std::move(collector).take();
  std::ranges::sort(all, {},
                    [](const Difference& each) { return std::tuple(each.key, each.name, each.load_plan, each.from); });
  std::vector<Relation> relations;
  for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
    while (to < all.size() && all[to].key == all[from].key) ++to;
    Relation& relation =
        relations.emplace_back(relation_of(installation, std::span(all).subspan(from, to - from), states, load_plans));
    relation.required = relation.distribution && relation.distribution != relation.provider_distribution &&
                        required[relation.distribution->value][relation.provider_distribution.value];
    if (relation.kind == RelationKind::Capture && passes_objects(installation, relation.own))
      for (const std::uint32_t plan : relation.load_plans)
        if (is_divided(installation, relation, outcomes[plan])) relation.divided.push_back(plan);
  }
  return relations;
}

// --- symbol pairs -------------------------------------------------------------------------------------------------

// Compares the two definitions of each symbol by kind and size, and by whether the C++ ABI intends to share them.

namespace {

const Export* export_of(const Installation& installation, ObjectIndex object, std::uint32_t index) {
  const ElfFacts* const facts = installation.world.files[object.value].facts;
  if (facts == nullptr || !facts->dynamic || index >= facts->dynamic->exports.size()) return nullptr;
  return &facts->dynamic->exports[index];
}

enum class Nature { Unknown, Code, Data, Tls };

Nature nature_of(const Export& symbol) {
  switch (symbol.kind) {
    case SymbolKind::Function:
    case SymbolKind::Ifunc:
      return Nature::Code;
    case SymbolKind::Object:
    case SymbolKind::Common:
      return Nature::Data;
    case SymbolKind::Tls:
      return Nature::Tls;
    case SymbolKind::NoType:
    case SymbolKind::Other:
      break;
  }
  return Nature::Unknown;
}

// True for a symbol that is intended to be shared. Two copies of a type's identity are the same type if their names are
// equal (Itanium C++ ABI 2.9.1). Symbols that the headers of the standard library generate are the same in all files.
// The name of a type and a guard variable do not depend on a layout.
bool may_be_shared(std::string_view name, const Attribution& what) {
  if (what.standard) return true;
  const Mangled mangled = read_mangled(name);
  return mangled.made == Mangled::Made::TypeinfoName || mangled.made == Mangled::Made::Typeinfo ||
         mangled.made == Mangled::Made::Guard;
}

}  // namespace

std::vector<SymbolPair> measure(const Installation& installation, const Relation& relation,
                                const Attributor& attribute) {
  std::vector<SymbolPair> out;
  out.reserve(relation.symbols.size());
  for (const TakenSymbol& symbol : relation.symbols) {
    SymbolPair measured{.symbol = &symbol,
                        .own = export_of(installation, relation.own, symbol.own),
                        .taken = export_of(installation, relation.provider, symbol.taken)};
    if (measured.own != nullptr && measured.taken != nullptr) {
      const Nature own = nature_of(*measured.own), taken = nature_of(*measured.taken);
      const bool known = own != Nature::Unknown && taken != Nature::Unknown;
      measured.kind_differs = known && own != taken;
      measured.size_differs = known && own == taken && own != Nature::Code && measured.own->size != 0 &&
                              measured.taken->size != 0 && measured.own->size != measured.taken->size;
    }
    measured.standard = may_be_shared(symbol.name, attribute(symbol.name)) && !measured.kind_differs;
    // The size of a class's typeinfo grows with the number of bases.
    if (measured.standard && measured.size_differs) measured.size_differs = false;
    out.push_back(measured);
  }
  return out;
}

Tally tally(std::span<const SymbolPair> symbols) {
  Tally out;
  out.symbols = static_cast<std::uint32_t>(symbols.size());
  for (const SymbolPair& each : symbols) {
    out.standard += each.standard ? 1U : 0U;
    out.kind_differs += each.kind_differs ? 1U : 0U;
    out.size_differs += each.size_differs ? 1U : 0U;
    if (each.own == nullptr || each.taken == nullptr || each.kind_differs) continue;
    const Nature nature = nature_of(*each.own);
    if (nature == Nature::Code) {
      ++out.functions;
      out.functions_equal += each.own->size == each.taken->size ? 1U : 0U;
    } else if (nature != Nature::Unknown) {
      ++out.data;
    }
  }
  return out;
}

}  // namespace wheelcheck::conflicts
