// WC204: what one distribution asks of its own library, and another distribution's library answers.
#include <fmt/format.h>

#include <algorithm>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::predicted_clash {
namespace {

std::string why_of(const Relation& relation) {
  const Tally& tally = relation.tally;
  switch (relation.reason) {
    case Reason::TypeInformation:
      return "type information and the standard library only, which are made to be shared";
    case Reason::SameBuild:
      return "both are one build: functions have the same sizes";
    case Reason::AbiProof: {
      std::vector<std::string> parts;
      if (tally.kind_differs > 0)
        parts.push_back(
            fmt::format("{} a function in one and data in the other", count_of(tally.kind_differs, "name")));
      if (tally.size_differs > 0)
        parts.push_back(fmt::format("{} of another size", count_of(tally.size_differs, "data object")));
      return list_of(parts);
    }
    case Reason::Incompatible:
      return "these two are known not to replace each other";
    case Reason::InlineCode:
      return "a few inline functions and templates only";
    case Reason::OlderProvider:
      return "what answers is older than what was built against";
    case Reason::SameVersion:
      return "both are of one version";
    case Reason::NewerProvider:
      return "what answers is another implementation or a newer version";
    case Reason::UnknownVersion:
      return "it is unknown whether the versions fit";
    case Reason::MissingAlone:
      return "nothing else defines the names";
  }
  return "";
}

std::string whose_names(const Relation& relation) {
  return count_of(relation.tally.symbols, relation.library ? relation.library->name + " name" : "name");
}

std::vector<Evidence> evidence_of(const Conflicts& conflicts, const Relation& relation) {
  const Installation& all = conflicts.installation;
  std::vector<Evidence> evidence;
  if (relation.library && relation.provider_library) {
    evidence.push_back({"built against", shown(*relation.library)});
    evidence.push_back({"answered by", shown(*relation.provider_library)});
  }
  evidence.push_back({"grounds", why_of(relation)});
  evidence.push_back({"names", list_of(relation.shown) +
                                   (relation.symbols.size() > relation.shown.size()
                                        ? fmt::format(" and {} more", relation.symbols.size() - relation.shown.size())
                                        : "")});
  if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
  if (relation.maybe) evidence.push_back({"if imported", std::string(file_name(all, relation.by.front()))});
  add_orders(conflicts, relation.load_plans, evidence);
  return evidence;
}

std::string fix_of(const Conflicts& conflicts, const Relation& relation) {
  const Installation& all = conflicts.installation;
  const std::string provider = name_of(all, relation.provider_party), user = name_of(all, relation.party);
  std::string fix;
  if (const auto order = safe_order(conflicts, relation.load_plans))
    fix = fmt::format("import in the order {}; ", *order);
  fix += fmt::format(
      "in {}: keep these names out of its exports (-fvisibility=hidden, or a version script with "
      "`local: *;`){}",
      provider, relation.published ? " and open it without RTLD_GLOBAL" : "");
  if (relation.party)
    fix +=
        fmt::format("; in {}: link {} with -Wl,-Bsymbolic or hide the names there", user, file_name(all, relation.own));
  return fix;
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (const Relation& relation : view.conflicts.relations) {
    if (relation.kind != RelationKind::Capture || relation.reason == Reason::TypeInformation) continue;
    if (relation.party == relation.provider_party) continue;  // WC231
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} of {} {} bound to {} of {}", whose_names(relation), file_name(all, relation.own),
                                 relation.tally.symbols == 1 ? "is" : "are", file_name(all, relation.provider),
                                 name_of(all, relation.provider_party)),
          .evidence = evidence_of(view.conflicts, relation),
          .fix = fix_of(view.conflicts, relation),
          .severity = relation.severity,
          .confidence = relation.confidence,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC204",
    .name = "predicted-clash",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::predicted_clash
