// One word across all levels.
#include <algorithm>
#include <map>
#include <set>

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

}  // namespace wheelcheck
