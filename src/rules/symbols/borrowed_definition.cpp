// WC211: a module that works only since another distribution happens to be loaded.
#include <fmt/format.h>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules {
namespace {

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::Borrow) continue;
    const bool weak = relation.severity == Severity::Info;
    std::vector<Evidence> evidence{{"names", list_of(relation.shown)}};
    if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
    add_orders(conflicts, relation.load_plans, evidence);
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} that {} {} found in {} of {} alone", count_of(relation.tally.symbols, "name"),
                                 weak ? "it may do without" : "it needs", relation.tally.symbols == 1 ? "is" : "are",
                                 file_name(all, relation.provider), name_of(all, relation.provider_party)),
          .evidence = std::move(evidence),
          .fix = fmt::format("link it with the library that defines the names, so that DT_NEEDED says so; as it is, "
                             "import {} first",
                             name_of(all, relation.provider_party)),
          .severity = relation.severity,
          .confidence = relation.confidence,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule borrowed_definition{
    .code = "WC211",
    .name = "borrowed-definition",
    .severity = Severity::Warning,
    .summary = "A module finds names only in a distribution that it does not require.",
    .why =
        "Nothing that the module needs defines these names, and by itself its import fails. In this order it works, as "
        "another distribution made its symbols global before. Names that are asked for weakly are an information: "
        "without them the module does something else.",
    .remedy =
        "Link with the library that defines the names, or name the other distribution in Requires-Dist and import "
        "it first in the package's own code.",
    .false_positives =
        "Plugins that are made to be loaded by the other distribution, without saying so in Requires-Dist.",
    .check_set = check_set,
};

}  // namespace wheelcheck::rules
