// Two copies of one library in a process do twice what may happen once.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/budget.h"
#include "base/text.h"
#include "mangling/demangle.h"
#include "rules/common.h"
#include "rules/sets/set_common.h"

// WC237: two files enter the same name into the registry of one library, which ends the process.
namespace wheelcheck::rules::registered_twice {
namespace {

using process::ObjectIndex;

struct Registry {
  std::string_view library, what, report;
  // The function that static initializers call: the start of its mangled name, and a part of it.
  std::array<std::string_view, 2> starts;
  std::string_view part;
  bool by_address;  // a second call with the same object has no effect
};
// protobuf: descriptor.cc, AddDescriptorsImpl, and descriptor_database.cc, EncodedDescriptorDatabase::Add.
// gflags: gflags.cc, FlagRegistry::RegisterFlag. abseil: flags/reflection.cc, FlagRegistry::RegisterFlag.
constexpr auto registries = std::to_array<Registry>({
    {"protobuf", "file", "File already exists in database", {"_ZN6google8protobuf", ""}, "AddDescriptors", true},
    {"protobuf",
     "file",
     "File already exists in database",
     {"_ZN6google8protobuf", ""},
     "InternalAddGeneratedFile",
     true},
    {"gflags", "flag", "flag was defined more than once", {"_ZN6google", "_ZN6gflags"}, "14FlagRegistererC", false},
    {"abseil", "flag", "flag was defined more than once", {"_ZN4absl", ""}, "23RegisterCommandLineFlag", false},
});

const Registry* registry_of(std::string_view name) {
  for (const Registry& registry : registries)
    for (const std::string_view start : registry.starts)
      if (!start.empty() && name.starts_with(start) && name.find(registry.part) != name.npos) return &registry;
  return nullptr;
}

// "onnx/onnx-ml.proto" of "onnx_2fonnx_2dml_2eproto": protoc writes "_" and two hexadecimal digits for every character
// that is no letter or digit (compiler/cpp/helpers.cc, FilenameIdentifier).
std::string file_of(std::string_view identifier) {
  std::string out;
  for (std::size_t i = 0; i < identifier.size(); ++i) {
    const bool coded = identifier[i] == '_' && i + 2 < identifier.size() && hex_value(identifier[i + 1]) < 16 &&
                       hex_value(identifier[i + 2]) < 16;
    out += coded ? static_cast<char>(hex_value(identifier[i + 1]) * 16 + hex_value(identifier[i + 2])) : identifier[i];
    if (coded) i += 2;
  }
  return out;
}

// Whether the name could be one of protobuf's entries. It is asked of every reference: cheap.
bool may_be_entry(std::string_view name) {
  if (name.starts_with("descriptor_table_")) return true;
  if (!name.starts_with("_Z")) return false;
  name.remove_prefix(name.starts_with("_ZN") ? 3 : 2);
  while (!name.empty() && is_digit(name.front())) name.remove_prefix(1);
  return name.starts_with("protobuf_");
}

// What is registered, by the name of the variable that describes it; "" for other names.
std::string entry_of(const Registry& registry, std::string_view name) {
  if (registry.library == "protobuf") {
    // descriptor_table_NAME since 3.8; protobuf_NAME::AddDescriptors() and protobuf_AddDesc_NAME() before.
    constexpr std::string_view end = "_2eproto";
    const std::size_t last = name.find(end);
    if (last == name.npos) return {};
    for (const std::string_view prefix : {"descriptor_table_", "protobuf_AddDesc_", "protobuf_"}) {
      const std::size_t from = name.find(prefix);
      if (from == name.npos || from > last || (from > 0 && !name.starts_with("_Z"))) continue;
      if (prefix == "protobuf_" && name.find("14AddDescriptorsEv") == name.npos) continue;
      const std::size_t first = from + prefix.size();
      return file_of(name.substr(first, last + end.size() - first));
    }
    return {};
  }
  // fLB::FLAGS_verbose of gflags, FLAGS_verbose of abseil. gflags keeps the default in FLAGS_noverbose.
  const bool gflags = registry.library == "gflags";
  if (gflags ? !(name.starts_with("_ZN") && name.find("fL") < 5) : !name.starts_with("FLAGS_")) return {};
  const std::size_t from = name.find("FLAGS_");
  if (from == name.npos) return {};
  const std::size_t to = gflags ? std::min(name.find('E', from), name.find("B5cxx11", from)) : name.size();
  const std::string_view flag = name.substr(from + 6, to == name.npos ? to : to - from - 6);
  return gflags && flag.starts_with("no") ? std::string() : std::string(flag);
}

struct Use {  // of one registry, by one file
  ObjectIndex library;
  const Registry* registry;
  auto operator<=>(const Use&) const = default;
};

// For one order: which files use which registry, and which of their own variables are bound to other files.
class Order {
 public:
  Order(const Conflicts& conflicts, std::uint32_t plan) : all_(conflicts.installation) {
    for (const process::BoundReference& bound : conflicts.outcomes[plan].bound) {
      if (bound.undone || !bound.to) continue;
      const std::string_view name =
          process::symbol_request(*all_.world.files[bound.from.value].facts, bound.reference).name;
      if (const Registry* const registry = registry_of(name)) uses_[{*bound.to, registry}].insert(bound.from);
      if (*bound.to != bound.from && may_be_entry(name)) elsewhere_.insert({bound.from, name});
    }
    for (const process::Loaded& each : conflicts.outcomes[plan].loaded)
      position_.try_emplace(each.file, position_.size());
  }

  using Found = std::map<std::tuple<ObjectIndex, ObjectIndex, ObjectIndex, const Registry*>, std::set<std::string>>;
  // By first file, second file, library and registry: the names that both enter.
  Found found() const {
    Found out;
    for (const auto& [use, files] : uses_) {
      std::map<std::string, std::set<ObjectIndex>> entries;
      for (const ObjectIndex file : files)
        for (std::string& entry : entries_of(use, file)) entries[std::move(entry)].insert(file);
      for (const auto& [entry, users] : entries) {
        if (users.size() < 2) continue;
        std::vector<ObjectIndex> sorted(users.begin(), users.end());
        std::ranges::sort(sorted, {}, [&](ObjectIndex file) { return position_.at(file); });
        for (std::size_t i = 1; i < sorted.size(); ++i)
          out[{sorted[0], sorted[i], use.library, use.registry}].insert(entry);
      }
    }
    return out;
  }

 private:
  std::vector<std::string> entries_of(const Use& use, ObjectIndex file) const {
    std::vector<std::string> out;
    for (const Export& symbol : all_.world.files[file.value].facts->dynamic->exports) {
      std::string entry = entry_of(*use.registry, symbol.name);
      if (!entry.empty() && !(use.registry->by_address && elsewhere_.contains({file, symbol.name})))
        out.push_back(std::move(entry));
    }
    return out;
  }

  const Installation& all_;
  std::map<Use, std::set<ObjectIndex>> uses_;
  std::set<std::pair<ObjectIndex, std::string_view>> elsewhere_;
  std::map<ObjectIndex, std::size_t> position_;
};

bool is_uncertain(const Conflicts& conflicts, std::uint32_t plan, ObjectIndex file) {
  for (const process::Loaded& each : conflicts.outcomes[plan].loaded)
    if (each.file == file) return each.by && is_opened_uncertainly(conflicts, plan, each);
  return true;
}

// Of one distribution, and one requires the other: no import loads it alone, so that it would never have worked
// (paddlepaddle-gpu 2.6.2: libpaddle.so requires libphi.so).
bool belong_together(const Installation& all, ObjectIndex one, ObjectIndex two) {
  const Origin &first = all.origins[one.value], &second = all.origins[two.value];
  if (first.kind != Origin::Kind::Distribution || second.kind != first.kind ||
      first.distribution != second.distribution)
    return false;
  const auto requires_other = [&](ObjectIndex user, ObjectIndex library) {
    const DynamicFacts& other = *all.world.files[library.value].facts->dynamic;
    const std::string_view name = other.soname.value_or(base_name(all.world.files[library.value].path));
    const auto& needed = all.world.files[user.value].facts->dynamic->needed;
    return std::ranges::find(needed, name) != needed.end();
  };
  return requires_other(one, two) || requires_other(two, one);
}

struct Pair {
  std::set<std::string> entries;
  std::vector<std::uint32_t> load_plans;
  bool maybe = true;
};

std::string owner_of(const Installation& all, ObjectIndex file) {
  const Origin& origin = all.origins[file.value];
  return origin.kind == Origin::Kind::Distribution ? name_of(all, origin.distribution)
                                                   : std::string(file_name(all, file));
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<std::tuple<ObjectIndex, ObjectIndex, ObjectIndex, const Registry*>, Pair> pairs;  // files in their order
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan)
    for (const auto& [key, entries] : Order(conflicts, plan).found()) {
      const auto [first, second, library, registry] = key;
      if (belong_together(all, first, second)) continue;
      Pair& pair = pairs[{std::min(first, second), std::max(first, second), library, registry}];
      pair.entries.insert(entries.begin(), entries.end());
      pair.load_plans.push_back(plan);
      pair.maybe = pair.maybe && (is_uncertain(conflicts, plan, first) || is_uncertain(conflicts, plan, second));
    }
  for (const auto& [key, pair] : pairs) {
    const auto [one, two, library, registry] = key;
    Concerned distributions;
    for (const ObjectIndex file : {one, two})
      if (is_of_distribution(all, file)) distributions.push_back(all.origins[file.value].distribution);
    std::vector<Evidence> evidence{{"registry", std::string(file_name(all, library))},
                                   {"registered", list_of({pair.entries.begin(), pair.entries.end()})}};
    add_orders(conflicts, pair.load_plans, evidence, distributions);
    const std::string first = owner_of(all, one), second = owner_of(all, two);
    emit({.place = AtObject{two},
          .message =
              fmt::format("{} and {} register the same {} {} in the {} of {}: whichever is loaded second ends the "
                          "process (\"{}\")",
                          file_name(all, one), file_name(all, two), registry->what, *pair.entries.begin(),
                          registry->library, file_name(all, library), registry->report),
          .evidence = std::move(evidence),
          .fix = fix_of_user(conflicts, pair.load_plans, distributions) +
                 fmt::format("in {}: link {} statically with hidden names (-Wl,--exclude-libs,ALL), so that the {} a "
                             "registry of its own",
                             first == second ? first : first + " or " + second, registry->library,
                             first == second ? "file has" : "wheel has"),
          .severity = pair.maybe ? Severity::Warning : Severity::Error,
          .load_plans = pair.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC237",
    .name = "registered-twice",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::registered_twice

// WC238: two copies of one C++ library construct and destroy the same global objects.
namespace wheelcheck::rules::constructed_twice {
namespace {

using process::ObjectIndex;

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
    if (relation.kind != RelationKind::Capture || relation.severity != Severity::Note || !relation.distribution)
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
         .fix = fix_of_user(conflicts, relation.load_plans, concerned(relation)) +
                fmt::format("in {}: open {} without RTLD_GLOBAL; in {}: link {} with -Wl,-Bsymbolic or hide the names",
                            provider, file_name(all, relation.provider), user, file_name(all, relation.own)),
         .load_plans = relation.load_plans});
  }
}

// A variable whose type contains std::string: GCC and Clang add the ABI tag to its name. Others may be constant tables.
bool contains_string(std::string_view name) { return name.ends_with("B5cxx11E") || name.ends_with("B5cxx11"); }

constexpr std::uint64_t max_pairs = 10'000'000;

// One name, and who defines it: modules, and libraries whose own references to it the loader binds.
struct Definers {
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
      (is_module ? found.modules : found.libraries).push_back(ElfIndex{i});
    }
  }
  std::map<ElfIndex, std::set<ElfIndex>> loaded;
  std::map<std::pair<ElfIndex, ElfIndex>, std::vector<std::string_view>> found;
  Budget pairs(max_pairs, "the comparison of modules with libraries that define the same objects");
  for (const auto& [object, by] : definers) {
    if (by.libraries.empty()) continue;
    for (const ElfIndex module : by.modules) {
      if (!pairs.spend(1 + by.libraries.size())) break;
      const auto [at, is_new] = loaded.try_emplace(module);
      if (is_new) at->second = loaded_with(view, {module});
      for (const ElfIndex library : by.libraries)
        if (at->second.contains(library)) found[{module, library}].push_back(object.first);
    }
  }
  if (const std::string cut = pairs.cut(); !cut.empty())
    emit({.place = WholeWheel{},
          .message = fmt::format("{}: which objects are constructed twice is not known", cut),
          .evidence = {},
          .fix = "hide the names of the static libraries: -Wl,--exclude-libs,ALL",
          .severity = {}});
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
