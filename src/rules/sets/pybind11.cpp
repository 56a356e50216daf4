// Modules of pybind11 in several wheels: they exchange C++ objects if their internals have one id.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "base/text.h"
#include "mangling/demangle.h"
#include "rules/sets/set_common.h"

// WC241: modules of two wheels register the same C++ type with pybind11, and the second import fails.
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
  bool maybe = true;                     // neither import is certain
  std::optional<ObjectIndex> uncertain;  // the one whose import is not
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
    if (facts == nullptr || !is_of_distribution(all, {i})) continue;
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
                                 is_of_distribution(conflicts.installation, each.file) &&
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
        // Who has both wheels for the one imports the other with a subpackage (scipy.optimize 1.15.0 and highspy).
        pair.maybe = pair.maybe && first->second && second->second;
        if (first->second != second->second) pair.uncertain = first->second ? one : two;
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
    if (types.uncertain) evidence.push_back({"if imported", std::string(file_name(all, *types.uncertain))});
    add_orders(conflicts, types.load_plans, evidence, {first, second});
    emit({.place = AtObject{pair.two},
          .message = fmt::format("{} of {} and {} of {} both register the C++ type {} with pybind11: the import of the "
                                 "second fails (\"generic_type: type ... is already registered!\")",
                                 file_name(all, pair.one), name_of(all, first), file_name(all, pair.two),
                                 name_of(all, second), names.front()),
          .evidence = std::move(evidence),
          .fix = fmt::format("{}in {} or {}: add py::module_local() to py::class_<{}>",
                             fix_of_user(conflicts, types.load_plans, {first, second}), name_of(all, first),
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

// WC822: a wheel requires another one, and their pybind11 modules cannot exchange C++ objects.
namespace wheelcheck::rules::pybind11_ids_differ {
namespace {

struct Ids {
  std::set<std::string_view> ids;
  std::string_view file;  // the first with one
};

Ids ids_of(const WheelFacts& wheel) {
  Ids found;
  for (const ElfMember& elf : wheel.elfs) {
    if (!is_host_code(elf)) continue;
    for (const std::string_view id : elf.facts.interfaces.pybind11_ids) {
      if (found.ids.empty()) found.file = wheel.members[elf.member.value].path.text();
      found.ids.insert(id);
    }
  }
  return found;
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  std::vector<Ids> ids;
  for (const Distribution& distribution : all.distributions) ids.push_back(ids_of(distribution.facts));
  const auto shown_ids = [](const Ids& one) { return fmt::format("{}", fmt::join(one.ids, ", ")); };
  for (std::uint32_t user = 0; user < all.distributions.size(); ++user)
    for (std::uint32_t provider = 0; provider < all.distributions.size(); ++provider) {
      if (user == provider || ids[user].ids.empty() || ids[provider].ids.empty()) continue;
      if (std::ranges::any_of(ids[user].ids, [&](std::string_view id) { return ids[provider].ids.contains(id); }))
        continue;
      if (!requirement_on(all, DistributionIndex{user}, DistributionIndex{provider})) continue;
      const std::string one = name_of(all, DistributionIndex{user}), other = name_of(all, DistributionIndex{provider});
      emit({.place = AtPath{std::string(ids[user].file)},
            .message = fmt::format("{} requires {}, and their pybind11 modules do not share C++ types", one, other),
            .evidence = {{"internals of " + one, shown_ids(ids[user])},
                         {"internals of " + other, shown_ids(ids[provider])}},
            .fix = fmt::format("if they exchange C++ objects, build {} with the pybind11 and the compiler of {}", one,
                               other),
            .severity = {},
            .confidence = {}});
    }
}

}  // namespace

extern const Rule rule{
    .code = "WC822",
    .name = "pybind11-ids-differ",
    .severity = Severity::Note,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::pybind11_ids_differ

// WC242: wheels of two pybind11 builds make the same Python module of absl::Status.
namespace wheelcheck::rules::status_module_twice {
namespace {

using process::ObjectIndex;

using Ids = std::vector<std::string_view>;

bool have_common(const Ids& one, const Ids& two) {
  return std::ranges::any_of(one, [&](std::string_view id) { return std::ranges::find(two, id) != two.end(); });
}

struct Maker {
  ObjectIndex file;  // the first of the distribution
  Ids ids;
  bool maybe = true;
};
using Makers = std::map<DistributionIndex, Maker>;

Makers makers_in(const Conflicts& conflicts, std::uint32_t plan) {
  const Installation& all = conflicts.installation;
  Makers makers;
  for (const process::Loaded& each : conflicts.outcomes[plan].loaded) {
    const ElfFacts* const facts = all.world.files[each.file.value].facts;
    if (facts == nullptr || !each.by || !is_of_distribution(all, each.file) || !facts->interfaces.pybind11_status)
      continue;
    const Ids& ids = facts->interfaces.pybind11_ids;
    if (ids.empty()) continue;
    const bool maybe = is_opened_uncertainly(conflicts, plan, each);
    Maker& maker = makers.try_emplace(all.origins[each.file.value].distribution, Maker{each.file, ids}).first->second;
    maker.maybe = maker.maybe && maybe;
  }
  return makers;
}

struct Found {
  Maker one, two;
  std::vector<std::uint32_t> load_plans;
  bool maybe = true;
};

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<std::pair<DistributionIndex, DistributionIndex>, Found> found;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan) {
    const Makers makers = makers_in(conflicts, plan);
    for (auto one = makers.begin(); one != makers.end(); ++one)
      for (auto two = std::next(one); two != makers.end(); ++two) {
        if (have_common(one->second.ids, two->second.ids)) continue;
        Found& pair = found.try_emplace({one->first, two->first}, Found{one->second, two->second, {}}).first->second;
        pair.load_plans.push_back(plan);
        pair.maybe = pair.maybe && (one->second.maybe || two->second.maybe);
      }
  }
  for (const auto& [distributions, pair] : found) {
    const auto [first, second] = distributions;
    std::vector<Evidence> evidence{{"internals of " + name_of(all, first), std::string(pair.one.ids.front())},
                                   {"internals of " + name_of(all, second), std::string(pair.two.ids.front())}};
    add_orders(conflicts, pair.load_plans, evidence, {first, second});
    emit({.place = AtObject{pair.two.file},
          .message = fmt::format(
              "{} of {} and {} of {} both make the module pybind11_abseil.status, with pybind11 builds that share no "
              "types: the import of the second fails (\"cannot initialize type \"StatusCode\": an object with that "
              "name is already defined\")",
              file_name(all, pair.one.file), name_of(all, first), file_name(all, pair.two.file), name_of(all, second)),
          .evidence = std::move(evidence),
          .fix = fmt::format("import {} and {} in different processes, or build one of them with the pybind11 and the "
                             "compiler of the other",
                             name_of(all, first), name_of(all, second)),
          .severity = pair.maybe ? Severity::Warning : Severity::Error,
          .load_plans = pair.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC242",
    .name = "status-module-twice",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::status_module_twice
