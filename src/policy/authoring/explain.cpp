// Explains one word in terms of all levels, and compares two levels.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "policy/level.h"
#include "policy/set_operations.h"
#include "wheelcheck/policy_words.h"

namespace wheelcheck {

namespace {

using policy::Level;
using policy::list_of;

template <class Allows>
std::vector<PromisedSince> since(const std::vector<const Level*>& levels, Allows allows) {
  std::map<Arch, const Level*> first;
  std::set<Arch> arches;
  for (const Level* const level : levels)
    for (const auto& [arch, promised] : level->policies) {
      arches.insert(arch);
      if (allows(promised)) first.try_emplace(arch, level);
    }
  std::vector<PromisedSince> out;
  for (const Level* const level : levels) {
    PromisedSince one{level->name, {}};
    for (const auto& [arch, at] : first)
      if (at == level) one.arches.push_back(arch);
    if (!one.arches.empty()) out.push_back(std::move(one));
  }
  PromisedSince never;
  for (const Arch arch : arches)
    if (!first.contains(arch)) never.arches.push_back(arch);
  if (!out.empty() && !never.arches.empty()) out.push_back(std::move(never));
  return out;
}

std::vector<DeniedAt> denied(const std::vector<const Level*>& levels, std::string_view symbol) {
  std::map<std::string, std::vector<std::string>> found;
  for (const Level* const level : levels) {
    std::set<std::string> libraries;
    for (const auto& [arch, promised] : level->policies)
      for (const auto& [library, symbols] : promised.denied_symbols)
        if (symbols.contains(symbol)) libraries.insert(library);
    for (const std::string& library : libraries) found[library].push_back(level->name);
  }
  std::vector<DeniedAt> out;
  for (auto& [library, names] : found) out.push_back({library, std::move(names)});
  return out;
}

}  // namespace

std::vector<WordMeaning> explain_word(std::span<const Level> levels, std::string_view word) {
  using Family = PlatformTag::Family;
  using Kind = WordMeaning::Kind;
  std::vector<WordMeaning> out;
  for (const Family family : {Family::Manylinux, Family::Musllinux, Family::Android}) {
    std::vector<const Level*> of_family;
    for (const Level& level : levels)
      if (level.family == family) of_family.push_back(&level);
    const auto [node_family, node] = policy::split_node(word);
    const auto has_node = [&](const Policy& one) { return list_of(one.versions, node_family).contains(node); };
    if (auto found = since(of_family, has_node); !found.empty())
      out.push_back({Kind::Version, family, std::move(found), {}});
    const auto has_library = [&](const Policy& one) { return one.libraries.contains(word); };
    if (auto found = since(of_family, has_library); !found.empty())
      out.push_back({Kind::Library, family, std::move(found), {}});
    if (auto found = denied(of_family, word); !found.empty())
      out.push_back({Kind::Symbol, family, {}, std::move(found)});
  }
  return out;
}

// --- comparison of two levels -------------------------------------------------------------------------------------

namespace {

using policy::in_natural_order;
using policy::Level;
using policy::list_of;
using policy::Lists;
using policy::without;

ListChange change_of(std::string_view of, const StringSet& from, const StringSet& to) {
  return {std::string(of), in_natural_order(without(to, from)), in_natural_order(without(from, to))};
}
bool says_something(const ListChange& change) { return !change.added.empty() || !change.removed.empty(); }

std::vector<ListChange> changes_of(const Lists& from, const Lists& to) {
  std::set<std::string, NaturalLess> keys;
  for (const Lists* const lists : {&from, &to})
    for (const auto& [key, list_of_key] : *lists) keys.insert(key);
  std::vector<ListChange> out;
  for (const std::string& key : keys) {
    ListChange change = change_of(key, list_of(from, key), list_of(to, key));
    if (says_something(change)) out.push_back(std::move(change));
  }
  return out;
}

}  // namespace

PolicyChange compare_levels(const Level& from, const Level& to) {
  PolicyChange out{.from = from.name, .to = to.name, .architectures = {}};
  std::set<Arch> arches;
  for (const Level* const level : {&from, &to})
    for (const auto& [arch, promised] : level->policies) arches.insert(arch);
  for (const Arch arch : arches) {
    const auto old_one = from.policies.find(arch), new_one = to.policies.find(arch);
    if (old_one == from.policies.end() || new_one == to.policies.end()) {
      out.architectures.push_back({.arch = arch,
                                   .presence = new_one == to.policies.end() ? Presence::Old : Presence::New,
                                   .versions = {},
                                   .denied_symbols = {},
                                   .libraries = {}});
      continue;
    }
    const Policy &before = old_one->second, &after = new_one->second;
    ArchChange change{.arch = arch,
                      .presence = Presence::Both,
                      .versions = changes_of(before.versions, after.versions),
                      .denied_symbols = changes_of(before.denied_symbols, after.denied_symbols),
                      .libraries = change_of("", before.libraries, after.libraries)};
    if (!change.versions.empty() || !change.denied_symbols.empty() || says_something(change.libraries))
      out.architectures.push_back(std::move(change));
  }
  return out;
}

}  // namespace wheelcheck
