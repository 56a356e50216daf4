// STB_GNU_UNIQUE: a process has one definition of such a symbol, whatever the search scopes are.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules/common.h"
#include "rules/sets/set_common.h"

// WC212: STB_GNU_UNIQUE makes two distributions share a symbol that each of them defines.
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

// Whether only static variables of functions have another size ("_ZZ", Itanium C++ ABI 5.1.6): a process in which no
// code calls these functions works (two releases of Arrow in snowflake-connector-python 2.7.9 and pyarrow).
bool is_only_of_functions(const Installation& all, const Relation& relation) {
  const DynamicFacts* const own = dynamic_of(all, relation.own);
  const DynamicFacts* const provider = dynamic_of(all, relation.provider);
  if (own == nullptr || provider == nullptr) return false;
  return std::ranges::none_of(relation.symbols, [&](const TakenSymbol& symbol) {
    if (symbol.name.starts_with("_ZZ")) return false;
    return symbol.own >= own->exports.size() || symbol.taken >= provider->exports.size() ||
           own->exports[symbol.own].size != provider->exports[symbol.taken].size ||
           own->exports[symbol.own].kind != provider->exports[symbol.taken].kind;
  });
}

Severity severity_of(const Installation& all, const Relation& relation) {
  // Both are of the same release, or the releases are unknown: there is no evidence of harm.
  const bool differs = (relation.reason == Reason::Incompatible || relation.reason == Reason::OlderProvider) &&
                       is_built_by_code(all, relation);
  const bool proved = relation.reason == Reason::AbiProof;
  return proved && !is_only_of_functions(all, relation) ? Severity::Error
         : proved || differs                            ? Severity::Warning
                                                        : Severity::Note;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  const auto is_judged = [](const Relation& relation) {
    return relation.kind == RelationKind::SharedUnique && relation.reason != Reason::TypeInformation &&
           relation.reason != Reason::SameBuild && !is_meant_to_be_shared(relation);
  };
  for (std::vector<const Relation*> group : grouped_relations(conflicts, is_judged)) {
    const auto severity = [&](const Relation* relation) { return severity_of(all, *relation); };
    std::ranges::stable_sort(group, std::ranges::greater{}, severity);
    const Relation& relation = *group.front();
    const bool proved = relation.reason == Reason::AbiProof;
    std::vector<Evidence> evidence{{"names", list_of(relation.shown)}};
    if (proved) evidence.push_back({"grounds", count_of(relation.tally.size_differs, "object") + " of another size"});
    for (std::size_t i = 1; i < group.size() && i <= shown_items; ++i)
      evidence.push_back({"also", fmt::format("{} in {}, used by {}", count_of(group[i]->tally.symbols, "symbol"),
                                              file_name(all, group[i]->provider), file_name(all, group[i]->own))});
    add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} in {} of {} {} used by {} too: the process has only one copy",
                                 count_of(relation.tally.symbols, "unique symbol"), file_name(all, relation.provider),
                                 name_of(all, relation.provider_distribution),
                                 relation.tally.symbols == 1 ? "is" : "are", file_name(all, relation.own)),
          .evidence = std::move(evidence),
          .fix =
              (severity(&relation) == Severity::Error ? fix_of_user(conflicts, relation.load_plans, concerned(relation))
                                                      : "") +
              fmt::format("in {}: compile with -fno-gnu-unique, or hide the names (-fvisibility=hidden)",
                          name_of(all, relation.provider_distribution)),
          .severity = severity(&relation),
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

// WC208: STB_GNU_UNIQUE symbols, of which a process has only one copy, regardless of the search scopes.
namespace wheelcheck::rules::gnu_unique {
namespace {

constexpr std::uint32_t many = 500;  // symbols in one file
constexpr std::uint64_t least = 10;  // symbols in all other files together
constexpr std::size_t shown_examples = 5;
constexpr std::string_view fix = "compile with -fno-gnu-unique, or hide the symbols: -fvisibility=hidden";

std::string examples(const ElfMember& elf) {
  std::vector<std::string_view> names;
  for (const Export& symbol : elf.facts.dynamic->exports)
    if (symbol.binding == Binding::Unique) names.push_back(symbol.name);
  return list_of_first(std::move(names), shown_examples);
}

void check(const WheelView& view, const Emit& emit) {
  std::uint64_t few = 0;
  std::vector<std::string> files;
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::uint32_t count = view.analysis.elfs[index.value].exports.unique;
    if (count == 0) return;
    if (count <= many) {
      few += count;
      files.push_back(fmt::format("{} ({})", path_of(view, index), count));
      return;
    }
    emit({.place = AtElf{index},
          .message = fmt::format("exports {} STB_GNU_UNIQUE symbols (one copy per process)", count),
          .evidence = {{"symbols", examples(elf)}},
          .fix = std::string(fix),
          .severity = {}});
  });
  if (few < least) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("{} {} {} STB_GNU_UNIQUE {} (one copy per process)", count_of(files.size(), "file"),
                               files.size() == 1 ? "exports" : "export", few, few == 1 ? "symbol" : "symbols"),
        .evidence = {{"files", list_of(files)}},
        .fix = std::string(fix),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC208",
    .name = "gnu-unique",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::gnu_unique
