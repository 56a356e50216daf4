// Changes in DT_NEEDED: libraries that files newly need, no longer need, or need with another version number.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "diff/compare.h"
#include "diff/match.h"
#include "model/each_symbol.h"
#include "model/highest_version.h"
#include "model/library_name.h"

namespace wheelcheck::diff {

namespace {

using LibraryNames = std::set<std::string>;

LibraryNames needed_by(const WheelReport& wheel, ElfIndex elf) {
  LibraryNames out;
  if (const std::optional<DynamicFacts>& dynamic = wheel.facts.elfs[elf.value].facts.dynamic)
    for (const std::string_view library : dynamic->needed) out.insert(plain_library_name(library));
  return out;
}

LibraryNames needed_by_any(const WheelReport& wheel) {
  LibraryNames out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) out.merge(needed_by(wheel, ElfIndex{i}));
  return out;
}

std::vector<std::string> less(const LibraryNames& a, const LibraryNames& b) {
  std::vector<std::string> out;
  std::ranges::set_difference(a, b, std::back_inserter(out));
  return out;
}

// Old soname -> new soname, for files of the wheel whose soname changed.
std::map<std::string, std::string> renamed(const Releases& both) {
  const auto soname = [](const WheelReport& wheel, ElfIndex elf) {
    const std::optional<DynamicFacts>& dynamic = wheel.facts.elfs[elf.value].facts.dynamic;
    return dynamic && dynamic->soname ? plain_library_name(*dynamic->soname) : std::string();
  };
  std::map<std::string, std::string> out;
  for (const ElfPair& pair : both.elfs)
    if (pair.old && pair.now) out.emplace(soname(both.old, *pair.old), soname(both.now, *pair.now));
  return out;
}

// Added and removed names, combined if they belong together: the new name of a renamed file, else the same library with
// another number.
std::vector<Both<std::string>> changes_of(const LibraryNames& old, const LibraryNames& now,
                                          const std::map<std::string, std::string>& names) {
  std::vector<Both<std::string>> out;
  std::map<std::string, std::size_t> by_name, by_stem;  // for removed names: the name or stem that would replace them
  for (const std::string& gone : less(old, now)) {
    if (const auto renamed = names.find(gone); renamed != names.end()) by_name.emplace(renamed->second, out.size());
    by_stem.emplace(library_stem(gone), out.size());
    out.push_back({gone, ""});
  }
  for (const std::string& added : less(now, old)) {
    const auto takes = [&](const std::map<std::string, std::size_t>& places, const std::string& key) {
      const auto place = places.find(key);
      if (place == places.end() || !out[place->second].now.empty()) return false;
      out[place->second].now = added;
      return true;
    };
    if (!takes(by_name, added) && !takes(by_stem, library_stem(added))) out.push_back({"", added});
  }
  return out;
}

}  // namespace

std::vector<NeededChange> compare_needed(const Releases& both) {
  const LibraryNames old = needed_by_any(both.old), now = needed_by_any(both.now);
  const std::map<std::string, std::string> names = renamed(both);
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> groups;
  for (const ElfPair& pair : both.elfs) {
    const LibraryNames was = pair.old ? needed_by(both.old, *pair.old) : LibraryNames{};
    const LibraryNames is = pair.now ? needed_by(both.now, *pair.now) : LibraryNames{};
    for (const Both<std::string>& change : changes_of(was, is, names)) {
      // For an added or removed file, only changes of the wheel as a whole are listed.
      const bool whole = !old.contains(change.now) && !now.contains(change.old);
      if (whole || (pair.old && pair.now)) groups[{change.old, change.now}].push_back(path_of(both, pair));
    }
  }
  std::vector<NeededChange> out;
  for (auto& [key, files] : groups)
    out.push_back({.library = {key.first, key.second},
                   .files = std::move(files),
                   .whole = !old.contains(key.second) && !now.contains(key.first)});
  // Sorted: what the wheel as a whole gained, then lost; then by the number of files.
  std::ranges::stable_sort(out, [](const NeededChange& a, const NeededChange& b) {
    if (a.whole != b.whole) return a.whole;
    if (a.library.now.empty() != b.library.now.empty()) return b.library.now.empty();
    return a.files.size() > b.files.size();
  });
  return out;
}

// Exported and imported names of both releases, counted by owner.

namespace {

constexpr std::size_t kept_names = 10;

using Kind = SymbolGroup::Kind;
struct Owner {
  Kind kind = Kind::C;
  std::string_view name;
  auto operator<=>(const Owner&) const = default;
};
// Each name once, with the library that its version refers to; "" for none.
using Names = std::map<std::string_view, std::string_view>;
struct SymbolsOf {
  Names names;
  std::vector<std::size_t> by_elf;
};

const DynamicFacts* dynamic_of(const WheelReport& wheel, std::uint32_t elf) {
  const ElfMember& file = wheel.facts.elfs[elf];
  return is_host_code(file) && file.facts.dynamic ? &*file.facts.dynamic : nullptr;
}

SymbolsOf exports_of(const WheelReport& wheel) {
  SymbolsOf out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const DynamicFacts* const dynamic = dynamic_of(wheel, i);
    out.by_elf.push_back(dynamic != nullptr ? dynamic->exports.size() : 0);
    if (dynamic == nullptr) continue;
    each_symbol(dynamic->exports, [&](const Export& symbol) { out.names.try_emplace(symbol.name); });
  }
  return out;
}

// The imports that no file of the wheel defines.
SymbolsOf imports_of(const WheelReport& wheel, const Names& defined) {
  SymbolsOf out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    std::size_t count = 0;
    if (const DynamicFacts* const dynamic = dynamic_of(wheel, i)) {
      each_symbol(dynamic->imports, [&](const Import& symbol) {
        if (defined.contains(symbol.name)) return;
        ++count;
        std::string_view& library = out.names[symbol.name];
        if (library.empty() && symbol.need && symbol.need->value < dynamic->needs.size())
          library = dynamic->needs[symbol.need->value].library;
      });
    }
    out.by_elf.push_back(count);
  }
  return out;
}

Owner owner_of(std::string_view symbol, std::string_view library, const Attribute& attribute) {
  if (!library.empty()) return {Kind::Platform, library};
  if (symbol.starts_with("Py") || symbol.starts_with("_Py")) return {Kind::Python, ""};
  const Attribution whose = attribute(symbol);
  if (whose.form == Attribution::Form::Rust) return {Kind::Rust, ""};
  if (whose.form == Attribution::Form::Cxx) return {Kind::Namespace, whose.scope};
  if (!whose.library.empty()) return {Kind::Library, whose.library};
  return {Kind::C, ""};
}

struct NameGroup {
  std::size_t old = 0, now = 0;
  std::vector<std::string_view> gained, lost;
};

std::vector<std::string> first_names(std::vector<std::string_view> names) {
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(kept_names, names.size()));
  std::partial_sort(names.begin(), end, names.end());
  return {names.begin(), end};
}

std::string shown_name(const Owner& owner, const Knowledge& knowledge) {
  if (owner.kind != Kind::Library) return std::string(owner.name);
  const KnownLibrary* const known = knowledge.library(owner.name);
  return std::string(known == nullptr ? owner.name : known->name);
}

std::map<Owner, NameGroup> group(const Names& old, const Names& now, const Attribute& attribute) {
  std::map<Owner, NameGroup> groups;
  for (const auto& [name, library] : old) {
    NameGroup& one = groups[owner_of(name, library, attribute)];
    ++one.old;
    if (!now.contains(name)) one.lost.push_back(name);
  }
  for (const auto& [name, library] : now) {
    NameGroup& one = groups[owner_of(name, library, attribute)];
    ++one.now;
    if (!old.contains(name)) one.gained.push_back(name);
  }
  return groups;
}

std::vector<SymbolFile> compare_files(const Releases& both, const SymbolsOf& old, const SymbolsOf& now) {
  std::vector<SymbolFile> out;
  for (const ElfPair& pair : both.elfs) {
    const Both<std::size_t> count{pair.old ? old.by_elf[pair.old->value] : 0,
                                  pair.now ? now.by_elf[pair.now->value] : 0};
    if (count.changed()) out.push_back({.file = path_of(both, pair), .count = count});
  }
  const auto difference = [](const SymbolFile& file) {
    return std::max(file.count.old, file.count.now) - std::min(file.count.old, file.count.now);
  };
  std::ranges::stable_sort(out, std::greater{}, difference);
  return out;
}

SymbolChange compare_sides(const Releases& both, const SymbolsOf& old, const SymbolsOf& now,
                           const Attribute& attribute) {
  SymbolChange out{.count = {old.names.size(), now.names.size()}, .groups = {}, .files = compare_files(both, old, now)};
  for (auto& [owner, group] : group(old.names, now.names, attribute)) {
    if (group.gained.empty() && group.lost.empty()) continue;
    out.gained += group.gained.size();
    out.lost += group.lost.size();
    out.groups.push_back({.kind = owner.kind,
                          .name = shown_name(owner, both.knowledge),
                          .count = {group.old, group.now},
                          .gained = group.gained.size(),
                          .lost = group.lost.size(),
                          .gained_names = first_names(std::move(group.gained)),
                          .lost_names = first_names(std::move(group.lost))});
  }
  std::ranges::stable_sort(out.groups, std::greater{}, [](const SymbolGroup& one) { return one.gained + one.lost; });
  return out;
}

}  // namespace

SymbolChanges compare_symbols(const Releases& both, const Attribute& attribute) {
  const SymbolsOf old = exports_of(both.old), now = exports_of(both.now);
  return {.exports = compare_sides(both, old, now, attribute),
          .imports = compare_sides(both, imports_of(both.old, old.names), imports_of(both.now, now.names), attribute)};
}

}  // namespace wheelcheck::diff
