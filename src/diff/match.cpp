#include "diff/match.h"

#include <algorithm>
#include <functional>
#include <map>
#include <variant>

#include "base/text.h"
#include "model/library_name.h"

namespace wheelcheck::diff {
namespace {

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

// Files with the key "" are not matched.
using KeyOf = std::function<std::string(const FileIdentity&)>;

struct BindingResult {
  MatchedBy by;
  bool in_order;  // several files with the same key are paired in the order of their paths
  KeyOf key;
};

const std::vector<BindingResult>& ways() {
  static const std::vector<BindingResult> all = {
      {MatchedBy::Path, false, [](const FileIdentity& file) { return std::string(file.path); }},
      {MatchedBy::Release, false, [](const FileIdentity& file) { return without_release(file.path); }},
      {MatchedBy::Content, true, [](const FileIdentity& file) { return std::string(file.sha256); }},
      {MatchedBy::Name, false,
       [](const FileIdentity& file) {
         if (!file.elf) return std::string();
         return without_release(folder_of(file.path)) + plain_file_name(base_name(file.path));
       }},
      {MatchedBy::Soname, false,
       [](const FileIdentity& file) {
         if (!file.elf) return std::string();
         return without_release(folder_of(file.path)) + library_stem(base_name(file.path));
       }},
      {MatchedBy::Library, false, [](const FileIdentity& file) { return std::string(file.library); }},
      {MatchedBy::Directory, false,
       [](const FileIdentity& file) { return file.elf ? library_stem(base_name(file.path)) : std::string(); }},
  };
  return all;
}

using Open = std::vector<std::uint32_t>;  // files without a partner yet
using Keyed = std::map<std::string, Open>;

struct Pairing {
  std::vector<MatchedBy> old_by, now_by;
  std::vector<std::uint32_t> partner;  // indexed by file of the new release
  void pair(std::uint32_t old, std::uint32_t now, MatchedBy by) {
    partner[now] = old;
    old_by[old] = now_by[now] = by;
  }
};

Keyed by_key(std::span<const FileIdentity> files, const std::vector<MatchedBy>& matched, const KeyOf& key) {
  Keyed out;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    if (matched[i] != MatchedBy::None) continue;
    if (std::string text = key(files[i]); !text.empty()) out[std::move(text)].push_back(i);
  }
  return out;
}

// Folders of which all paired files that kept their name moved to the same other folder.
std::map<std::string, std::string> moved_folders(std::span<const FileIdentity> old, std::span<const FileIdentity> now,
                                                 const Pairing& pairing) {
  std::map<std::string, std::string> out;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (pairing.now_by[i] != MatchedBy::Directory && pairing.now_by[i] != MatchedBy::Content) continue;
    const std::string_view from = old[pairing.partner[i]].path, to = now[i].path;
    if (plain_file_name(base_name(from)) != plain_file_name(base_name(to))) continue;
    const auto [at, fresh] = out.try_emplace(std::string(folder_of(from)), folder_of(to));
    if (!fresh && at->second != folder_of(to)) at->second.clear();
  }
  std::erase_if(out, [](const auto& move) { return move.first.empty() || move.second.empty(); });
  return out;
}

// Pairs files in or below a moved folder whose path in the new folder exists.
void follow_folders(std::span<const FileIdentity> old, std::span<const FileIdentity> now, Pairing& pairing) {
  const auto folders = moved_folders(old, now, pairing);
  if (folders.empty()) return;
  std::map<std::string_view, std::uint32_t> open;
  for (std::uint32_t i = 0; i < now.size(); ++i)
    if (pairing.now_by[i] == MatchedBy::None) open.emplace(now[i].path, i);
  for (std::uint32_t i = 0; i < old.size(); ++i) {
    const std::string_view path = old[i].path;
    std::size_t end = path.rfind('/');
    for (; pairing.old_by[i] == MatchedBy::None && end != path.npos && end > 0; end = path.rfind('/', end - 1)) {
      const auto folder = folders.find(std::string(path.substr(0, end + 1)));
      if (folder == folders.end()) continue;
      const auto found = open.find(folder->second + std::string(path.substr(end + 1)));
      if (found == open.end()) continue;
      pairing.pair(i, found->second, MatchedBy::Directory);
      open.erase(found);
    }
  }
}

}  // namespace

std::vector<FilePair> match(std::span<const FileIdentity> old, std::span<const FileIdentity> now) {
  Pairing pairing{.old_by = std::vector(old.size(), MatchedBy::None),
                  .now_by = std::vector(now.size(), MatchedBy::None),
                  .partner = std::vector<std::uint32_t>(now.size())};
  for (const BindingResult& way : ways()) {
    const Keyed before = by_key(old, pairing.old_by, way.key), after = by_key(now, pairing.now_by, way.key);
    for (const auto& [key, mine] : after) {
      const auto found = before.find(key);
      if (found == before.end()) continue;
      const Open& theirs = found->second;
      if (!way.in_order && (mine.size() > 1 || theirs.size() > 1)) continue;
      for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) pairing.pair(theirs[i], mine[i], way.by);
    }
  }
  follow_folders(old, now, pairing);
  std::vector<FilePair> out;
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    FilePair pair{.old = std::nullopt, .now = MemberIndex{i}, .by = pairing.now_by[i]};
    if (pair.by != MatchedBy::None) pair.old = MemberIndex{pairing.partner[i]};
    out.push_back(pair);
  }
  for (std::uint32_t i = 0; i < old.size(); ++i)
    if (pairing.old_by[i] == MatchedBy::None) out.push_back({.old = MemberIndex{i}, .now = std::nullopt});
  return out;
}

std::vector<FileIdentity> identities(const WheelFacts& wheel, const Analysis& analysis) {
  std::vector<FileIdentity> out;
  for (const MemberFacts& member : wheel.members)
    out.push_back({.path = member.path.text(), .sha256 = member.size == 0 ? "" : std::string_view(member.sha256)});
  for (std::size_t i = 0; i < wheel.elfs.size(); ++i) {
    FileIdentity& file = out[wheel.elfs[i].member.value];
    file.elf = true;
    const bool module = std::holds_alternative<ExtensionModule>(wheel.elfs[i].role);
    if (module || i >= analysis.elfs.size()) continue;
    const std::vector<IdentifiedLibrary>& libraries = analysis.elfs[i].libraries;
    const auto itself = std::ranges::find(libraries, true, &IdentifiedLibrary::itself);
    if (itself != libraries.end()) file.library = itself->library;
  }
  return out;
}

std::string plain_file_name(std::string_view name) {
  for (const std::string_view mark : {".cpython-", ".pypy", ".graalpy", ".abi3"})
    if (const std::size_t at = name.find(mark); at != name.npos && at > 0 && name.ends_with(".so"))
      return std::string(name.substr(0, at)) + ".so";
  return plain_library_name(name);
}

std::string library_stem(std::string_view name) {
  const std::string plain = plain_file_name(name);
  std::string_view stem = std::string_view(plain).substr(0, plain.rfind(".so"));
  // libfoo-1.2, libfoo.1.2: cut at the first separator before a number, if only numbers follow.
  for (std::size_t at = 1; at + 1 < stem.size(); ++at) {
    if ((stem[at] != '-' && stem[at] != '.') || !is_digit(stem[at + 1])) continue;
    const bool numbers = std::ranges::all_of(stem.substr(at + 1), [](char c) { return is_digit(c) || c == '.'; });
    if (numbers || stem[at] == '.') return std::string(stem.substr(0, at));
  }
  return std::string(stem);
}

std::string without_release(std::string_view path) {
  const std::string_view first = path.substr(0, path.find('/'));
  const std::size_t dash = first.find('-');
  if (dash == first.npos) return std::string(path);
  for (const std::string_view ending : {".dist-info", ".data"})
    if (first.ends_with(ending))
      return std::string(first.substr(0, dash)).append(ending).append(path.substr(first.size()));
  return std::string(path);
}

}  // namespace wheelcheck::diff
