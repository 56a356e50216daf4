// WC231: two files of one wheel define a name differently, and RTLD_GLOBAL makes one definition serve both.
#include <fmt/format.h>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::captured_inside {
namespace {

bool is_proved(const Relation& relation) {
  return relation.reason == Reason::AbiProof || relation.reason == Reason::Incompatible ||
         relation.reason == Reason::OlderProvider;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::Capture || relation.distribution != relation.provider_distribution ||
        !is_proved(relation))
      continue;
    std::vector<Evidence> evidence{{"names", list_of(relation.shown)}};
    if (relation.tally.size_differs > 0)
      evidence.push_back({"grounds", count_of(relation.tally.size_differs, "data object") + " of another size"});
    if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} of {} {} bound to {} of the same wheel, which defines {} differently",
                                 count_of(relation.tally.symbols, "name"), file_name(all, relation.own),
                                 relation.tally.symbols == 1 ? "is" : "are", file_name(all, relation.provider),
                                 relation.tally.symbols == 1 ? "it" : "them"),
          .evidence = std::move(evidence),
          .fix = fmt::format("open {} without RTLD_GLOBAL, or hide the names in both files (-fvisibility=hidden)",
                             file_name(all, relation.provider)),
          .severity = relation.maybe ? Severity::Warning : Severity::Error,
          .confidence = relation.confidence,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC231",
    .name = "captured-inside",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::captured_inside
