// Derives a level from systems: the intersection of what they offer, and lists of what only some of them offer. PEP 600
// defines a level by a rule, "works on any mainstream distribution with that glibc or a newer one", and not by a list;
// auditwheel's lists were collected by hand. Here the lists come from the files of the distributions themselves, with
// the same reader as for wheels: a library counts if every system has it, a version node if every system's copy defines
// it, and a symbol is denied if the node exists and some copy lacks the symbol. The second part writes levels as JSON
// documents.

#include "wheelcheck/derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "policy/level.h"
#include "policy/requirements.h"
#include "policy/set_operations.h"
#include "policy/validate.h"

namespace wheelcheck {

namespace policy {
namespace {

using Labels = std::vector<std::string>;

// GLIBC_PRIVATE is only for libraries of the same glibc build.
std::optional<Node> node_of(std::string_view version) {
  const Node node = split_node(version);
  if (node.family == version || node.rest == "PRIVATE") return std::nullopt;
  return node;
}

// Symbols that the linker may define in any file. A reference to one means the definition in the same file.
bool is_mark_of_linker(std::string_view symbol) {
  constexpr std::string_view marks[] = {"__bss_start",   "_edata",      "_end",       "_init",  "_fini",
                                        "__bss_start__", "__bss_end__", "_bss_end__", "__end__"};
  return std::ranges::find(marks, symbol) != std::end(marks);
}

// One library in each root; null: the root does not have it.
using Offered = std::vector<const OfferedLibrary*>;

class Deriver {
 public:
  Deriver(const DeriveInput& input, std::span<const Root> roots, Derivation& out)
      : input_(input), roots_(roots), out_(out) {}

  void derive(Arch arch) {
    arch_ = arch;
    const auto own = input_.base.policies.find(arch);
    own_ = own == input_.base.policies.end() ? nullptr : &own->second;
    with_.clear();
    Labels has, lacks;
    for (const Root& root : roots_) {
      const bool there = root.libraries.contains(arch);
      (there ? has : lacks).push_back(root.label);
      if (there) with_.push_back(&root);
    }
    if (!lacks.empty()) out_.lacks.push_back({Lack::Kind::Architecture, arch, "", {}, has, lacks});
    Policy policy;
    policy.name = out_.level.name;
    policy.family = out_.level.family;
    policy.libc = out_.level.libc;
    for (const std::string& family : families()) policy.versions[family];
    for (const std::string& library : targets()) take(library, policy);
    out_.level.policies.emplace(arch, std::move(policy));
  }

 private:
  // If the base level does not have the architecture: the families of all its architectures, and the libraries that all
  // of them have.
  std::set<std::string> families() const {
    std::set<std::string> out;
    for (const auto& [arch, one] : input_.base.policies)
      if (arch == arch_ || own_ == nullptr)
        for (const auto& [family, nodes] : one.versions) out.insert(family);
    return out;
  }
  std::vector<std::string> targets() const {
    std::set<std::string> out(input_.more_libraries.begin(), input_.more_libraries.end());
    if (own_ != nullptr) {
      out.insert(own_->libraries.begin(), own_->libraries.end());
    } else {
      for (const std::string_view library : input_.base.policies.begin()->second.libraries)
        if (std::ranges::all_of(input_.base.policies,
                                [&](const auto& entry) { return entry.second.libraries.contains(library); }))
          out.emplace(library);
    }
    // Every system has the loader, listed or not, and it defines nodes of its libc.
    for (const Root* const root : with_)
      for (const auto& [soname, library] : root->libraries.at(arch_))
        if (is_loader(soname, out_.level.family)) out.insert(soname);
    return in_natural_order(out);
  }

  Offered offered(const std::string& library) const {
    Offered out;
    for (const Root* const root : with_) {
      const auto& libraries = root->libraries.at(arch_);
      const auto at = libraries.find(library);
      out.push_back(at == libraries.end() ? nullptr : &at->second);
    }
    return out;
  }
  // The labels of the roots for which `has` returns true, and of the others.
  std::pair<Labels, Labels> split(const std::function<bool(std::size_t)>& has) const {
    std::pair<Labels, Labels> out;
    for (std::size_t i = 0; i < with_.size(); ++i) (has(i) ? out.first : out.second).push_back(with_[i]->label);
    return out;
  }

  void take(const std::string& library, Policy& policy) {
    const Offered found = offered(library);
    const bool by_loader = is_given_by_loader(library, out_.level.family);
    const auto is_there = [&](std::size_t i) { return found[i] != nullptr; };
    const auto [has, lacks] = split(is_there);
    const bool loader = is_loader(library, out_.level.family);
    if (!lacks.empty() && !by_loader) {
      if (!loader) out_.lacks.push_back({Lack::Kind::Library, arch_, library, {}, has, lacks});
      return;
    }
    const bool is_listed = !loader || (own_ != nullptr && own_->libraries.contains(library));
    if (is_listed) policy.libraries.insert(library);
    if (by_loader && !lacks.empty()) return;
    take_nodes(library, found, policy);
    if (is_listed) deny_symbols(library, found, policy);
  }

  // Reports names that only some roots have, grouped by the roots that have them.
  void report(Lack::Kind kind, const std::string& library, const std::set<std::string>& names,
              const std::function<bool(std::size_t, const std::string&)>& has) {
    std::map<std::pair<Labels, Labels>, std::set<std::string>> groups;
    for (const std::string& name : names) groups[split([&](std::size_t i) { return has(i, name); })].insert(name);
    for (auto& [roots, some] : groups)
      out_.lacks.push_back({kind, arch_, library, in_natural_order(some), roots.first, roots.second});
  }

  void take_nodes(const std::string& library, const Offered& found, Policy& policy) {
    std::set<std::string> all, partly;
    for (const OfferedLibrary* const one : found) all.insert(one->versions.begin(), one->versions.end());
    const auto has = [&](std::size_t i, const std::string& version) {
      return std::ranges::binary_search(found[i]->versions, version);
    };
    std::set<std::string> unjudged;
    for (const std::string& version : all) {
      const std::optional<Node> node = node_of(version);
      if (!node) continue;
      const auto family = policy.versions.find(node->family);
      if (family == policy.versions.end()) {
        unjudged.emplace(node->family);
        continue;
      }
      bool everywhere = true;
      for (std::size_t i = 0; i < found.size(); ++i) everywhere = everywhere && has(i, version);
      if (everywhere)
        family->second.insert(node->rest);
      else
        partly.insert(version);
    }
    report(Lack::Kind::Version, library, partly, has);
    for (const std::string& family : unjudged) {
      std::vector<std::string>& known = out_.unjudged[library];
      if (std::ranges::find(known, family) == known.end()) known.push_back(family);
    }
  }

  // Symbols with a version node are judged by the node. A symbol is not denied if its node is not allowed.
  void deny_symbols(const std::string& library, const Offered& found, Policy& policy) {
    const auto is_judged = [&](const std::string& version) {
      const std::optional<Node> node = node_of(version);
      if (!node) return version.empty();
      const auto family = policy.versions.find(node->family);
      return family == policy.versions.end() || family->second.contains(node->rest);
    };
    std::vector<std::set<std::string>> names(found.size());
    std::set<std::string> all, partly;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const OfferedSymbol& symbol : found[i]->symbols)
        if (is_judged(symbol.version) && !is_mark_of_linker(symbol.name)) names[i].insert(symbol.name);
      all.insert(names[i].begin(), names[i].end());
    }
    if (own_ != nullptr) {
      const StringSet& before = list_of(own_->denied_symbols, library);
      all.insert(before.begin(), before.end());
    }
    for (const std::string& name : all)
      if (!std::ranges::all_of(names, [&](const auto& one) { return one.contains(name); })) partly.insert(name);
    if (partly.empty()) return;
    policy.denied_symbols.emplace(library, StringSet(partly.begin(), partly.end()));
    report(Lack::Kind::Symbol, library, partly,
           [&](std::size_t i, const std::string& name) { return names[i].contains(name); });
  }

  const DeriveInput& input_;
  std::span<const Root> roots_;
  Derivation& out_;
  Arch arch_ = Arch::Other;
  const Policy* own_ = nullptr;    // the base level for this architecture, if it has one
  std::vector<const Root*> with_;  // the roots that have the architecture
};

std::unexpected<Error> usage(std::string text) { return std::unexpected(Error{ErrorCode::Usage, std::move(text)}); }

Result<Level> named(const DeriveInput& input) {
  Level level;
  level.family = input.base.family;
  if (!objection(input.name, Word::Name).empty())
    return usage(
        fmt::format("{} cannot be a policy's name: it {}", escape(input.name), objection(input.name, Word::Name)));
  level.name = input.name;
  if (read_level_name(input.name, level)) {
    if (level.family != input.base.family)
      return usage(fmt::format("{} is not of the C library of {}", level.name, input.base.name));
    if (input.libc && *input.libc != level.libc)
      return usage(
          fmt::format("{} is the level of libc {}, not {}", level.name, to_string(level.libc), to_string(*input.libc)));
  } else if (input.libc) {
    level.libc = *input.libc;
  }
  return level;
}

}  // namespace
}  // namespace policy

Result<Derivation> derive_level(const DeriveInput& input, std::span<const Root> roots) {
  using policy::Level;
  if (input.base.policies.empty())
    return policy::usage(fmt::format("{} has no architecture to begin with", escape(input.base.name)));
  Result<Level> level = policy::named(input);
  if (!level) return std::unexpected(std::move(level.error()));
  Derivation out{.level = std::move(*level), .base = input.base.name};
  std::set<Arch> arches(input.arches.begin(), input.arches.end());
  for (const Root& root : roots) {
    out.roots.push_back(root.label);
    if (input.arches.empty())
      for (const auto& [arch, libraries] : root.libraries) arches.insert(arch);
  }
  for (const Arch arch : arches)
    if (std::ranges::none_of(roots, [&](const Root& root) { return root.libraries.contains(arch); }))
      return std::unexpected(Error{ErrorCode::NotFound, fmt::format("no root has libraries of {}", name_of(arch))});
  policy::Deriver deriver(input, roots, out);
  for (const Arch arch : arches) deriver.derive(arch);
  // A root may contain a few libraries of a second machine. Without a libc it is not a system of that machine.
  std::erase_if(out.level.policies, [](const auto& entry) { return entry.second.libraries.empty(); });
  if (out.level.policies.empty())
    return std::unexpected(
        Error{ErrorCode::NotFound, fmt::format("no root has any library that {} lists", escape(input.base.name))});
  if (out.level.libc == Version{}) out.level.libc = policy::libc_of_nodes(out.level);
  if (out.level.libc == Version{})
    return policy::usage(fmt::format("the version nodes do not determine the libc of {}; use --libc", out.level.name));
  for (auto& [arch, one] : out.level.policies) {
    one.libc = out.level.libc;
    one.aliases = out.level.aliases;
  }
  return out;
}

std::string derived_document(const Derivation& derivation) {
  return policy_document(derivation.level, fmt::format("Derived from {}", join(derivation.roots, ", ")));
}

// --- writes a level as a document of policies/schema/policy.schema.json -------------------------------------------

// What all architectures have in common is written at the top.

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

// For lists that all architectures have: the words that all of them contain.
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
