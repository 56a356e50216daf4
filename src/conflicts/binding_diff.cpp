// Holds the bindings of a load plan against those that each distribution has alone, and groups what differs by the file
// that would have answered and the file that answers.
#include <algorithm>
#include <compare>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "conflicts/internal.h"

namespace wheelcheck::conflicts {
namespace {

using process::BoundReference;
using process::Outcome;
using process::Way;

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

// What one outcome says of its files, by object.
struct Told {
  std::vector<bool> loaded, maybe;
  std::vector<std::optional<PartyIndex>> loader;  // whose import loaded it
  std::vector<const PlannedOpen*> published;      // the open that made it global
};

Told tell(const Installation& installation, const LoadPlan& load_plan, const Outcome& outcome) {
  const std::size_t count = installation.world.files.size();
  Told told{std::vector<bool>(count), std::vector<bool>(count), std::vector<std::optional<PartyIndex>>(count),
            std::vector<const PlannedOpen*>(count)};
  for (const process::Loaded& each : outcome.loaded) {
    told.loaded[each.file.value] = true;
    told.maybe[each.file.value] = each.by && planned(load_plan, *each.by).maybe;
    if (each.by) told.loader[each.file.value] = planned(load_plan, *each.by).party;
  }
  for (const process::Published& each : outcome.published)
    told.published[each.file.value] = &planned(load_plan, {each.step, each.open});
  return told;
}

class Collector {
 public:
  Collector(const Installation& installation, const Alone& alone, const Alone& own_first)
      : installation_(installation), alone_(alone), own_first_(own_first) {}

  void add(std::uint32_t load_plan, const Outcome& outcome, const Told& told) {
    for (const BoundReference& bound : outcome.bound) {
      if (bound.undone || !bound.to) continue;
      const auto provider = party_of(installation_, *bound.to);
      if (!provider) continue;
      if (provider == party_of(installation_, bound.from)) {
        inside(load_plan, bound, told);
        continue;
      }
      if (const auto own = own_first_.find(bound.from, bound.reference); own && is_strong_own(bound, *own)) {
        consider(load_plan, bound, own, told);
        continue;
      }
      // A library of the system has the scope of whoever loads it first, alone too.
      if (!party_of(installation_, bound.from) && told.loader[bound.from.value] == provider) continue;
      const auto alone = alone_.find(bound.from, bound.reference);
      if (alone && alone->to == bound.to) continue;
      consider(load_plan, bound, alone, told);
    }
  }

  std::vector<Difference> take() && { return std::move(found_); }

 private:
  // Measured by the wheel and its own libraries: what it requires is no excuse for a name that it defines itself.
  bool is_strong_own(const BoundReference& bound, const Bound& own) const {
    const auto user = party_of(installation_, bound.from);
    return user && own.to && own.to != bound.to && party_of(installation_, *own.to) == user &&
           bound.way == Way::Plain && is_strong(*own.to, own.definition);
  }
  bool is_strong(ObjectIndex object, std::uint32_t definition) const {
    const ElfFacts* const facts = installation_.world.files[object.value].facts;
    return facts != nullptr && facts->dynamic && definition < facts->dynamic->exports.size() &&
           facts->dynamic->exports[definition].binding == Binding::Global;
  }

  // A file's own definition, taken by a file of the same wheel that was made global and that it does not ask for.
  void inside(std::uint32_t load_plan, const BoundReference& bound, const Told& told) {
    if (bound.to == bound.from || told.published[bound.to->value] == nullptr || bound.way != Way::Plain) return;
    const DynamicFacts& facts = *installation_.world.files[bound.from.value].facts->dynamic;
    const Reference& reference = facts.references[bound.reference];
    if (!reference.own || !is_strong(bound.from, reference.symbol)) return;
    const process::File& provider = installation_.world.files[bound.to->value];
    const std::string_view soname = provider.facts->dynamic && provider.facts->dynamic->soname
                                        ? *provider.facts->dynamic->soname
                                        : base_name(provider.path);
    if (std::ranges::find(facts.needed, soname) != facts.needed.end()) return;
    found_.push_back({.key = {.kind = RelationKind::Capture, .own = bound.from, .provider = *bound.to},
                      .name = facts.exports[reference.symbol].name,
                      .from = bound.from,
                      .own = reference.symbol,
                      .taken = bound.definition,
                      .load_plan = load_plan});
  }

  void consider(std::uint32_t load_plan, const BoundReference& bound, const std::optional<Bound>& alone,
                const Told& told) {
    const ElfFacts& facts = *installation_.world.files[bound.from.value].facts;
    Difference difference{.key = {.provider = *bound.to},
                          .name = process::asked(facts, bound.reference).name,
                          .from = bound.from,
                          .taken = bound.definition,
                          .load_plan = load_plan};
    if (alone && alone->to) {
      if (party_of(installation_, *alone->to) == party_of(installation_, *bound.to)) return;
      difference.key.own = *alone->to;
      difference.own = alone->definition;
      difference.key.kind = bound.way == Way::Unique        ? RelationKind::SharedUnique
                            : told.loaded[alone->to->value] ? RelationKind::Capture
                                                            : RelationKind::Displaced;
    } else {
      if (alone && alone->way == Way::Platform) return;  // the platform has it, nobody knows where
      difference.key.own = bound.from;
      difference.key.kind = RelationKind::Borrow;
    }
    found_.push_back(difference);
  }

  const Installation& installation_;
  const Alone &alone_, &own_first_;
  std::vector<Difference> found_;
};

void add_once(std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  const auto at = std::ranges::lower_bound(sorted, value);
  if (at == sorted.end() || *at != value) sorted.insert(at, value);
}

// Of differences with one key, sorted by name.
Relation relation_of(const Installation& installation, std::span<const Difference> group, std::span<const Told> told) {
  const Key& key = group.front().key;
  Relation relation{.kind = key.kind, .own = key.own, .provider = key.provider};
  relation.provider_party = *party_of(installation, key.provider);
  relation.maybe = true;
  for (const Difference& each : group) {
    if (!relation.party) relation.party = party_of(installation, each.from);
    if (relation.symbols.empty() || relation.symbols.back().name != each.name)
      relation.symbols.push_back({.name = each.name, .from = each.from, .own = each.own, .taken = each.taken});
    if (std::ranges::find(relation.by, each.from) == relation.by.end()) relation.by.push_back(each.from);
    add_once(relation.load_plans, each.load_plan);
    const Told& load_plan = told[each.load_plan];
    if (!load_plan.maybe[each.from.value] && !load_plan.maybe[key.provider.value]) relation.maybe = false;
    if (const PlannedOpen* const open = load_plan.published[key.provider.value]; open != nullptr && !relation.published)
      relation.published = open->flags;
  }
  std::ranges::sort(relation.by);
  return relation;
}

}  // namespace

std::vector<Relation> differences(const Installation& installation, std::span<const LoadPlan> load_plans,
                                  std::span<const process::Outcome> outcomes, const Alone& alone,
                                  const Alone& own_first, const std::vector<std::vector<bool>>& required) {
  Collector collector(installation, alone, own_first);
  std::vector<Told> told;
  for (std::uint32_t i = 0; i < load_plans.size(); ++i) {
    told.push_back(tell(installation, load_plans[i], outcomes[i]));
    collector.add(i, outcomes[i], told.back());
  }
  std::vector<Difference> all = std::move(collector).take();
  std::ranges::sort(all, {},
                    [](const Difference& each) { return std::tuple(each.key, each.name, each.load_plan, each.from); });
  std::vector<Relation> relations;
  for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
    while (to < all.size() && all[to].key == all[from].key) ++to;
    Relation& relation =
        relations.emplace_back(relation_of(installation, std::span(all).subspan(from, to - from), told));
    relation.required = relation.party && relation.party != relation.provider_party &&
                        required[relation.party->value][relation.provider_party.value];
  }
  return relations;
}

}  // namespace wheelcheck::conflicts
