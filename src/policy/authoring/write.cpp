// A level as a document of policies/schema/policy.schema.json. What all architectures share stands at the top.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "policy/level.h"
#include "policy/set_operations.h"

namespace wheelcheck {
namespace {

using policy::Level;
using policy::list_of;
using policy::Lists;
using policy::without;
using Json = nlohmann::ordered_json;

std::string_view libc_of(PlatformTag::Family family) {
  if (family == PlatformTag::Family::Musllinux) return "musl";
  return family == PlatformTag::Family::Android ? "bionic" : "glibc";
}

Json list_json(const StringSet& set) { return policy::in_natural_order(set); }
Json lists_json(const Lists& lists) {
  Json out = Json::object();
  for (const auto& [key, list] : lists) out[key] = list_json(list);
  return out;
}

StringSet common(const StringSet& a, const StringSet& b) {
  std::vector<std::string_view> out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return {out.begin(), out.end()};
}

// Of lists that all architectures have: the words that all of them have.
Policy shared_of(const Level& level) {
  Policy shared = level.policies.begin()->second;
  for (const auto& [arch, one] : level.policies) {
    shared.libraries = common(shared.libraries, one.libraries);
    for (auto& [library, symbols] : shared.denied_symbols)
      symbols = common(symbols, list_of(one.denied_symbols, library));
  }
  std::erase_if(shared.denied_symbols, [](const auto& entry) { return entry.second.empty(); });
  return shared;
}

Json architecture_json(const Policy& one, const Policy& shared) {
  Json out = Json::object();
  if (!one.versions.empty()) out["versions"] = lists_json(one.versions);
  if (const StringSet own = without(one.libraries, shared.libraries); !own.empty()) out["libraries"] = list_json(own);
  Lists denied;
  for (const auto& [library, symbols] : one.denied_symbols) {
    StringSet own = without(symbols, list_of(shared.denied_symbols, library));
    if (!own.empty()) denied.emplace(library, std::move(own));
  }
  if (!denied.empty()) out["denied_symbols"] = lists_json(denied);
  return out;
}

}  // namespace

std::string policy_document(const Level& level, std::string_view basis) {
  Json out = {{"name", level.name}};
  if (!level.aliases.empty()) out["aliases"] = level.aliases;
  out["libc"] = {{"family", libc_of(level.family)}, {"version", to_string(level.libc)}};
  if (!basis.empty()) out["basis"] = basis;
  Json architectures = Json::object();
  if (!level.policies.empty()) {
    const Policy shared = shared_of(level);
    if (!shared.libraries.empty()) out["libraries"] = list_json(shared.libraries);
    if (!shared.denied_symbols.empty()) out["denied_symbols"] = lists_json(shared.denied_symbols);
    if (shared.allows_libpython) out["allows_libpython"] = true;
    for (const auto& [arch, one] : level.policies)
      architectures[std::string(name_of(arch))] = architecture_json(one, shared);
  }
  out["architectures"] = std::move(architectures);
  return out.dump(2) + "\n";
}

}  // namespace wheelcheck
