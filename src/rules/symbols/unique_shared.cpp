// WC212: STB_GNU_UNIQUE makes two distributions share a symbol that each of them defines.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::unique_shared {
namespace {

// pybind11 includes the version of its data layout in the name, so symbols with the same name are compatible.
bool is_meant_to_be_shared(const Relation& relation) {
  for (const TakenSymbol& symbol : relation.symbols)
    if (symbol.name.find("__pybind11") == symbol.name.npos) return false;
  return true;
}

// Whether one of the variables is an object that code initializes: it has a guard variable (Itanium C++ ABI 5.2.2). The
// code of one version then builds what the other's works with. Constants and counters have none.
bool is_built_by_code(const Installation& all, const Relation& relation) {
  const ElfFacts* const facts = all.world.files[relation.provider.value].facts;
  if (facts == nullptr || !facts->dynamic) return false;
  std::set<std::string> guards;
  for (const TakenSymbol& symbol : relation.symbols)
    if (symbol.name.starts_with("_Z")) guards.insert("_ZGV" + std::string(symbol.name.substr(2)));
  return std::ranges::any_of(facts->dynamic->exports,
                             [&](const Export& each) { return guards.contains(std::string(each.name)); });
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::SharedUnique || relation.reason == Reason::TypeInformation) continue;
    if (relation.reason == Reason::SameBuild || is_meant_to_be_shared(relation)) continue;
    // Both are of the same release, or the releases are unknown: there is no evidence of harm.
    const bool differs = (relation.reason == Reason::Incompatible || relation.reason == Reason::OlderProvider) &&
                         is_built_by_code(all, relation);
    const bool proved = relation.reason == Reason::AbiProof;
    std::vector<Evidence> evidence{{"names", list_of(relation.shown)}};
    if (proved) evidence.push_back({"grounds", count_of(relation.tally.size_differs, "object") + " of another size"});
    add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} in {} of {} {} used by {} too: the process has only one copy",
                                 count_of(relation.tally.symbols, "unique symbol"), file_name(all, relation.provider),
                                 name_of(all, relation.provider_distribution),
                                 relation.tally.symbols == 1 ? "is" : "are", file_name(all, relation.own)),
          .evidence = std::move(evidence),
          .fix = "compile with -fno-gnu-unique, or hide the names (-fvisibility=hidden)",
          .severity = proved    ? Severity::Error
                      : differs ? Severity::Warning
                                : Severity::Info,
          .confidence = proved ? relation.confidence : Confidence::Medium,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC212",
    .name = "unique-shared",
    .severity = Severity::Warning,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::unique_shared
