// WC211: a module works only because another distribution, which it does not require, is loaded.
#include <fmt/format.h>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::borrowed_definition {
namespace {

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::Borrow) continue;
    const bool weak = relation.severity == Severity::Info;
    std::vector<Evidence> evidence{{"names", list_of(relation.shown)}};
    if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
    add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} that {} {} {} defined only by {} of {}", count_of(relation.tally.symbols, "name"),
                                 file_name(all, relation.own), weak ? "can do without" : "requires",
                                 relation.tally.symbols == 1 ? "is" : "are", file_name(all, relation.provider),
                                 name_of(all, relation.provider_distribution)),
          .evidence = std::move(evidence),
          .fix = fmt::format("link it with the library that defines the names (DT_NEEDED); until then, import {} first",
                             name_of(all, relation.provider_distribution)),
          .severity = relation.severity,
          .confidence = relation.confidence,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC211",
    .name = "borrowed-definition",
    .severity = Severity::Warning,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::borrowed_definition
