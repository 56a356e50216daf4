// WC507: a bundled library has its usual soname, so the loader may use another wheel's copy instead.
#include <fmt/format.h>

#include <algorithm>

#include "base/pattern.h"
#include "base/text.h"
#include "model/library_name.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::generic_soname {
namespace {

// The name by which the loader identifies the file: DT_SONAME or, if it has none, the name in another file's DT_NEEDED.
std::string_view loaded_name(const WheelView& view, ElfIndex index, const std::set<std::string_view>& needed) {
  const ElfMember& elf = view.wheel.elfs[index.value];
  if (elf.facts.dynamic && elf.facts.dynamic->soname) return base_name(*elf.facts.dynamic->soname);
  const std::string_view name = base_name(path_of(view, index));
  return needed.contains(name) ? name : "";
}

const KnownLibrary* library_of(const Knowledge& knowledge, std::string_view name) {
  for (const KnownLibrary& library : knowledge.libraries)
    for (const std::string_view pattern : library.sonames)
      if (match_pattern(pattern, name)) return &library;
  return nullptr;
}

bool is_own(const WheelView& view, const KnownLibrary& library, std::string_view name) {
  const auto takes = [&](const std::string& glob) { return glob_match(glob, name); };
  if (std::ranges::any_of(view.options.own_sonames, takes)) return true;
  // normalised as in PEP 503, from the escaped form of PEP 427
  std::string distribution = lower(view.wheel.name.distribution);
  std::ranges::replace(distribution, '_', '-');
  std::ranges::replace(distribution, '.', '-');
  return std::ranges::find(library.owners, distribution) != library.owners.end();
}

// A repair tool may have renamed the file without changing its DT_SONAME.
std::string fix_for(std::string_view name, std::string_view path, bool is_needed) {
  const std::string_view file = base_name(path);
  if (!is_needed && plain_library_name(file) != file)
    return fmt::format("patchelf --set-soname {} {}, and the same for each of the others", shell_word(file),
                       shell_word(path));
  return fmt::format(
      "bundle them with auditwheel repair, which makes the names unique, or by hand: patchelf --set-soname NEW {} "
      "and patchelf --replace-needed {} NEW in each file that needs it",
      shell_word(path), shell_word(name));
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<std::string_view> needed = needed_names(view);
  std::map<std::string, std::string> paths;  // by name: the first file with that name
  std::set<std::string> libraries;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!std::holds_alternative<BundledLibrary>(elf.role) && !std::holds_alternative<PlainLibrary>(elf.role)) return;
    const std::string_view name = loaded_name(view, index, needed);
    if (name.empty() || plain_library_name(name) != name) return;
    const KnownLibrary* library = library_of(view.knowledge, name);
    if (library == nullptr || is_own(view, *library, name)) return;
    paths.emplace(name, path_of(view, index));
    libraries.emplace(library->name);
  });
  if (paths.empty()) return;
  std::vector<std::string> names;
  for (const auto& [name, path] : paths) names.push_back(name);
  emit({.place = WholeWheel{},
        .message = fmt::format("bundles {}, {} that other wheels use too", first_of(names),
                               names.size() == 1 ? "a soname" : "sonames"),
        .evidence = {{"names", list_of(names)}, {"libraries", list_of({libraries.begin(), libraries.end()})}},
        .fix = fix_for(names.front(), paths.begin()->second, needed.contains(names.front())),
        .severity = {},
        .confidence = {}});
}

bool is_of_system(const Installation& all, process::ObjectIndex object) {
  return all.origins[object.value].kind != Origin::Kind::Distribution;
}

// For several wheels: reports a library that is not loaded because another one with its soname is.
// "PySide2 works with the Qt 5.15.11 of PyQt5 instead of its own Qt 5.15.2: both libraries are called libQt5Core.so.5"
std::string effect_of(const Installation& all, const Relation& relation) {
  const bool known = relation.library && relation.provider_library;
  const auto version = [](const LibraryInside& library) {
    return library.version ? library.name + ' ' + *library.version : library.name;
  };
  const std::string own = is_of_system(all, relation.own) ? "that of the system"
                          : known                         ? "its own " + version(*relation.library)
                                                          : "its own";
  return fmt::format("{} works with the {} of {} instead of {}: both libraries are called {}",
                     name_of(all, relation.distribution),
                     known ? version(*relation.provider_library) : std::string(file_name(all, relation.provider)),
                     name_of(all, relation.provider_distribution), own, base_name(file_name(all, relation.own)));
}

// A system's library under another name would be a second copy in the process (WC232 for libstdc++).
std::string fix_for_pair(const Installation& all, const Relation& relation) {
  const std::string provider = name_of(all, relation.provider_distribution);
  if (is_of_system(all, relation.own))
    return fmt::format(
        "in {}: remove {} from the wheel and use that of the system; wheelcheck check shows the tag that "
        "the wheel then needs",
        provider, base_name(file_name(all, relation.own)));
  return fmt::format(
      "give the library of {} a unique name: auditwheel repair, or patchelf --set-soname and "
      "--replace-needed",
      provider);
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::Displaced) continue;
    std::vector<Evidence> evidence;
    if (relation.severity > Severity::Info) evidence.push_back({"effect", effect_of(all, relation)});
    if (relation.library && relation.provider_library) {
      evidence.push_back({"built against", shown(*relation.library)});
      evidence.push_back({"loaded", shown(*relation.provider_library)});
    }
    evidence.push_back({"names", list_of(relation.shown)});
    add_orders(conflicts, relation.load_plans, evidence, concerned(relation));
    emit({.place = AtObject{relation.own},
          .message = fmt::format("{} of {} is loaded instead of {}, because both have the same soname; it provides {}",
                                 file_name(all, relation.provider), name_of(all, relation.provider_distribution),
                                 file_name(all, relation.own), count_of(relation.tally.symbols, "name")),
          .evidence = std::move(evidence),
          .fix = fix_for_pair(all, relation),
          .severity = relation.severity,
          .confidence = relation.confidence,
          .load_plans = relation.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC507",
    .name = "generic-soname",
    .severity = Severity::Warning,
    .check = check,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::generic_soname
