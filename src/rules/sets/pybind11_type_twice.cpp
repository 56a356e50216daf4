// WC241: modules of two wheels register the same C++ type with pybind11, and the second import fails.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "base/text.h"
#include "mangling/demangle.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::pybind11_type_twice {
namespace {

using process::ObjectIndex;

struct Pair {
  ObjectIndex one, two;  // by their place in the list of files
  auto operator<=>(const Pair&) const = default;
};
struct Types {
  std::set<std::string_view> names;
  std::vector<std::uint32_t> load_plans;
  bool maybe = true;
};

// Types without external linkage are equal only within a file (type_info::operator== of libstdc++).
bool is_shared(std::string_view type) { return !type.starts_with('*') && type.find("_GLOBAL__N_") == type.npos; }

std::string shown_type(std::string_view type) {
  std::string name = demangle("_ZTS" + std::string(type));
  constexpr std::string_view before = "typeinfo name for ";
  return name.starts_with(before) ? name.substr(before.size()) : std::string(type);
}

// Files that register the same type in the same internals, by both.
using Registered = std::map<std::pair<std::string_view, std::string_view>, std::vector<ObjectIndex>>;
Registered registered(const Installation& all) {
  Registered out;
  for (std::uint32_t i = 0; i < all.world.files.size(); ++i) {
    const ElfFacts* const facts = all.world.files[i].facts;
    if (facts == nullptr || all.origins[i].kind != Origin::Kind::Distribution) continue;
    const auto& types = facts->interfaces.pybind11_types;
    if (types.empty()) continue;
    for (const std::string_view id : facts->interfaces.pybind11_ids)
      for (const std::string_view type : types)
        if (is_shared(type)) out[{id, type}].push_back(ObjectIndex{i});
  }
  std::erase_if(out, [](const auto& entry) { return entry.second.size() < 2; });
  return out;
}

// Whoever uses a wheel with one module uses this module, even if its __init__.py does not import it.
bool has_one_module(const Installation& all, ObjectIndex file) {
  const WheelFacts& wheel = all.distributions[all.origins[file.value].distribution.value].facts;
  return std::ranges::count_if(
             wheel.elfs, [](const ElfMember& elf) { return std::holds_alternative<ExtensionModule>(elf.role); }) == 1;
}

// The files that a plan loads, with whether that is uncertain.
std::map<ObjectIndex, bool> loaded_in(const Conflicts& conflicts, std::uint32_t plan) {
  std::map<ObjectIndex, bool> out;
  for (const process::Loaded& each : conflicts.outcomes[plan].loaded)
    if (each.by)
      out.emplace(each.file, is_opened_uncertainly(conflicts, plan, each) &&
                                 conflicts.installation.origins[each.file.value].kind == Origin::Kind::Distribution &&
                                 !has_one_module(conflicts.installation, each.file));
  return out;
}

std::map<Pair, Types> found_in(const Conflicts& conflicts) {
  const Installation& all = conflicts.installation;
  std::map<Pair, Types> found;
  const Registered types = registered(all);
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size() && !types.empty(); ++plan) {
    const std::map<ObjectIndex, bool> loaded = loaded_in(conflicts, plan);
    for (const auto& [what, files] : types)
      for (std::size_t i = 1; i < files.size(); ++i) {
        const ObjectIndex one = files.front(), two = files[i];
        const auto first = loaded.find(one), second = loaded.find(two);
        if (first == loaded.end() || second == loaded.end() ||
            all.origins[one.value].distribution == all.origins[two.value].distribution)
          continue;
        Types& pair = found[{one, two}];
        pair.names.insert(what.second);
        if (pair.load_plans.empty() || pair.load_plans.back() != plan) pair.load_plans.push_back(plan);
        pair.maybe = pair.maybe && (first->second || second->second);
      }
  }
  return found;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const auto& [pair, types] : found_in(conflicts)) {
    const DistributionIndex first = all.origins[pair.one.value].distribution,
                            second = all.origins[pair.two.value].distribution;
    std::vector<std::string> names;
    for (const std::string_view type : types.names) names.push_back(shown_type(type));
    std::vector<Evidence> evidence{{"types", list_of(names)}};
    add_orders(conflicts, types.load_plans, evidence, {first, second});
    emit({.place = AtObject{pair.two},
          .message = fmt::format("{} of {} and {} of {} both register the C++ type {} with pybind11: the import of the "
                                 "second fails (\"generic_type: type ... is already registered!\")",
                                 file_name(all, pair.one), name_of(all, first), file_name(all, pair.two),
                                 name_of(all, second), names.front()),
          .evidence = std::move(evidence),
          .fix = fmt::format("in {} or {}: add py::module_local() to py::class_<{}>", name_of(all, first),
                             name_of(all, second), names.front()),
          .severity = types.maybe ? Severity::Warning : Severity::Error,
          .load_plans = types.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC241",
    .name = "pybind11-type-twice",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::pybind11_type_twice
