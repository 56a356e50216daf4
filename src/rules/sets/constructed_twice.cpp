// WC238: two copies of one C++ library construct and destroy the same global objects.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "mangling/demangle.h"
#include "rules/common.h"
#include "rules/load_closure.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::constructed_twice {
namespace {

using process::ObjectIndex;

const DynamicFacts* dynamic_of(const Installation& all, ObjectIndex object) {
  const ElfFacts* const facts = object.value < all.world.files.size() ? all.world.files[object.value].facts : nullptr;
  return facts != nullptr && facts->dynamic ? &*facts->dynamic : nullptr;
}

// C++ code registers destructors of global objects with __cxa_atexit (Itanium C++ ABI 3.3.6.3). C libraries do not
// import it.
bool destroys_objects(const DynamicFacts& facts) {
  return std::ranges::find(facts.imports, "__cxa_atexit", &Import::name) != facts.imports.end();
}

// A variable that may have a constructor: larger than a number or a pointer, and not made by the compiler. Inline
// variables and those of templates are weak or unique, and have guards.
bool may_be_object(const Export& symbol) {
  constexpr std::uint64_t largest_scalar = 16;
  const std::string_view name = symbol.name;
  return symbol.kind == SymbolKind::Object && symbol.binding == Binding::Global && symbol.size > largest_scalar &&
         !name.starts_with("_ZT") && !name.starts_with("_ZGV") && !name.starts_with("_ZSt") &&
         !name.starts_with("_ZNSt");
}

// The objects that the file defines and constructs, and that are those of the other copy.
std::vector<std::string> shared_objects(const Installation& all, const Relation& relation) {
  std::vector<std::string> out;
  const DynamicFacts* const own = dynamic_of(all, relation.own);
  const DynamicFacts* const other = dynamic_of(all, relation.provider);
  if (own == nullptr || other == nullptr || !destroys_objects(*own) || !destroys_objects(*other)) return out;
  for (const TakenSymbol& symbol : relation.symbols)
    if (symbol.from == relation.own && symbol.own < own->exports.size() && may_be_object(own->exports[symbol.own]))
      out.push_back(demangle(symbol.name));
  return out;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    // If the copies differ, WC204 reports the capture.
    if (relation.kind != RelationKind::Capture || relation.severity != Severity::Info || !relation.distribution)
      continue;
    const std::vector<std::string> objects = shared_objects(all, relation);
    if (objects.empty()) continue;
    const std::string user = name_of(all, relation.distribution),
                      provider = name_of(all, relation.provider_distribution);
    std::vector<Evidence> evidence{{"objects", list_of(objects)}};
    if (relation.published) evidence.push_back({"made global by", shown(all, *relation.published)});
    add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
    emit(
        {.place = AtObject{relation.own},
         .message = fmt::format("{} and {} construct the same {}, and destroy {} twice when the process ends (\"double "
                                "free or corruption\")",
                                file_name(all, relation.own), file_name(all, relation.provider),
                                count_of(objects.size(), "global object"), objects.size() == 1 ? "it" : "them"),
         .evidence = std::move(evidence),
         .fix = fmt::format("in {}: open {} without RTLD_GLOBAL; in {}: link {} with -Wl,-Bsymbolic or hide the names",
                            provider, file_name(all, relation.provider), user, file_name(all, relation.own)),
         .load_plans = relation.load_plans});
  }
}

// A variable whose type contains std::string: GCC and Clang add the ABI tag to its name. Others may be constant tables.
bool contains_string(std::string_view name) { return name.ends_with("B5cxx11E") || name.ends_with("B5cxx11"); }

// One name, and who defines it: modules, and libraries whose own references to it the loader binds.
struct Definers {
  static constexpr std::size_t most = 8;  // of each, because every pair of them is looked at
  std::vector<ElfIndex> modules, libraries;
};

// A module that contains a library and also loads it: the module is searched first.
void check(const WheelView& view, const Emit& emit) {
  std::map<std::pair<std::string_view, std::uint64_t>, Definers> definers;  // by name and size
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    if (!elf.facts.dynamic || !destroys_objects(*elf.facts.dynamic)) continue;
    const bool is_module = std::holds_alternative<ExtensionModule>(elf.role);
    if (!is_module && elf.facts.dynamic->flags.symbolic) continue;
    for (const Export& symbol : elf.facts.dynamic->exports) {
      if (!may_be_object(symbol) || !contains_string(symbol.name) || (!is_module && symbol.bound == Bound::Never))
        continue;
      Definers& found = definers[{symbol.name, symbol.size}];
      std::vector<ElfIndex>& list = is_module ? found.modules : found.libraries;
      if (list.size() < Definers::most) list.push_back(ElfIndex{i});
    }
  }
  std::map<ElfIndex, std::set<ElfIndex>> loaded;
  std::map<std::pair<ElfIndex, ElfIndex>, std::vector<std::string_view>> found;
  for (const auto& [object, by] : definers) {
    if (by.libraries.empty()) continue;
    for (const ElfIndex module : by.modules) {
      const auto [at, is_new] = loaded.try_emplace(module);
      if (is_new) at->second = loaded_with(view, {module});
      for (const ElfIndex library : by.libraries)
        if (at->second.contains(library)) found[{module, library}].push_back(object.first);
    }
  }
  for (const auto& [pair, objects] : found) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(objects.size(), shown_items); ++i) shown.push_back(demangle(objects[i]));
    emit({.place = AtElf{pair.first},
          .message =
              fmt::format("contains a copy of {}, which it also loads: both construct the same {}, and destroy {} "
                          "twice when the process ends (\"free(): invalid pointer\")",
                          base_name(path_of(view, pair.second)), count_of(objects.size(), "global object"),
                          objects.size() == 1 ? "it" : "them"),
          .evidence = {{"objects", list_of(shown)}, {"library", std::string(path_of(view, pair.second))}},
          .fix = fmt::format("link the static library or {}, not both; or hide the names of the static library: "
                             "-Wl,--exclude-libs,ALL",
                             base_name(path_of(view, pair.second))),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC238",
    .name = "constructed-twice",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::constructed_twice
