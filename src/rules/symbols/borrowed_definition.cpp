// WC211: a module works only because another distribution, which it does not require, is loaded.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::borrowed_definition {
namespace {

// One finding for the files of a distribution that borrow from the same one in the same orders.
void report(const Conflicts& conflicts, const std::vector<const Relation*>& relations, const Emit& emit) {
  const Installation& all = conflicts.installation;
  const Relation& relation = *relations.front();
  const bool weak = relation.severity == Severity::Info;
  std::vector<Evidence> evidence{{"names", list_of(relation.shown)}};
  for (std::size_t i = 1; i < relations.size() && i <= shown_items; ++i)
    evidence.push_back(
        {"also", fmt::format("{} of {}, from {}", count_of(relations[i]->tally.symbols, "name"),
                             file_name(all, relations[i]->own), file_name(all, relations[i]->provider))});
  if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
  add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
  emit({.place = AtObject{relation.own},
        .message = fmt::format("{} that {} {} found in {} of {} alone{}", count_of(relation.tally.symbols, "name"),
                               weak ? "it may do without" : "it needs", relation.tally.symbols == 1 ? "is" : "are",
                               file_name(all, relation.provider), name_of(all, relation.provider_distribution),
                               relations.size() == 1 ? ""
                                                     : fmt::format("; {} of files do the same",
                                                                   count_of(relations.size() - 1, "more pair"))),
        .evidence = std::move(evidence),
        .fix = fmt::format("link it with the library that defines the names, so that DT_NEEDED names it; as it is, "
                           "import {} first",
                           name_of(all, relation.provider_distribution)),
        .severity = relation.severity,
        .confidence = relation.confidence,
        .load_plans = relation.load_plans});
}

void check_set(const SetView& view, const Emit& emit) {
  using Key = std::tuple<std::optional<DistributionIndex>, DistributionIndex, Severity, std::vector<std::uint32_t>>;
  std::map<Key, std::vector<const Relation*>> pairs;
  std::vector<const std::vector<const Relation*>*> in_order;
  for (const Relation& relation : view.conflicts.relations) {
    if (relation.kind != RelationKind::Borrow) continue;
    auto& list = pairs[{relation.distribution, relation.provider_distribution, relation.severity, relation.load_plans}];
    if (list.empty()) in_order.push_back(&list);
    list.push_back(&relation);
  }
  for (const auto* const list : in_order) report(view.conflicts, *list, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC211",
    .name = "borrowed-definition",
    .severity = Severity::Warning,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::borrowed_definition
