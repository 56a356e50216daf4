// DT_NEEDED: which libraries files have begun or ceased to ask for, or ask for under another number.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "diff/internal.h"
#include "diff/match.h"
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

// Sonames of files of the wheel that bear another one now.
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

// What is gone and what is new, and of these as one: the file that bears another name now, else the same library with
// another number.
std::vector<Both<std::string>> changes_of(const LibraryNames& old, const LibraryNames& now,
                                          const std::map<std::string, std::string>& names) {
  std::vector<Both<std::string>> out;
  std::map<std::string, std::size_t> by_name, by_stem;  // of those that are gone, by what would take their place
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
      // Of a file that came or went, what the wheel as a whole gained or lost.
      const bool whole = !old.contains(change.now) && !now.contains(change.old);
      if (whole || (pair.old && pair.now)) groups[{change.old, change.now}].push_back(path_of(both, pair));
    }
  }
  std::vector<NeededChange> out;
  for (auto& [key, files] : groups)
    out.push_back({.library = {key.first, key.second},
                   .files = std::move(files),
                   .whole = !old.contains(key.second) && !now.contains(key.first)});
  // What the wheel as a whole gained, then lost; then what concerns more files.
  std::ranges::stable_sort(out, [](const NeededChange& a, const NeededChange& b) {
    if (a.whole != b.whole) return a.whole;
    if (a.library.now.empty() != b.library.now.empty()) return b.library.now.empty();
    return a.files.size() > b.files.size();
  });
  return out;
}

}  // namespace wheelcheck::diff
