// What one level promises more and less than another.
#include <set>
#include <string>
#include <utility>

#include "policy/level.h"
#include "policy/set_operations.h"

namespace wheelcheck {
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
