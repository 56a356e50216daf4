#include "rules/sets/set_common.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "model/each_symbol.h"
#include "model/requires_dist.h"

namespace wheelcheck::rules {

std::string name_of(const Installation& installation, const std::optional<DistributionIndex>& distribution) {
  if (!distribution) return "the standard library";
  return name_of_distribution(installation.distributions[distribution->value].facts);
}

std::string_view file_name(const Installation& installation, process::ObjectIndex object) {
  return installation.names[object.value];
}

const DynamicFacts* dynamic_of(const Installation& installation, process::ObjectIndex object) {
  const auto& files = installation.world.files;
  const ElfFacts* const facts = object.value < files.size() ? files[object.value].facts : nullptr;
  return facts != nullptr && facts->dynamic ? &*facts->dynamic : nullptr;
}

bool defines(const Installation& installation, process::ObjectIndex object, std::string_view symbol) {
  const DynamicFacts* const dynamic = dynamic_of(installation, object);
  return dynamic != nullptr && any_symbol(dynamic->exports, [&](const Export& each) { return each.name == symbol; });
}

std::string name_and_version(const LibraryInside& library) {
  return library.version ? library.name + ' ' + *library.version : library.name;
}

std::vector<std::vector<const Relation*>> grouped_relations(const Conflicts& conflicts,
                                                            const std::function<bool(const Relation&)>& is_wanted) {
  std::map<std::tuple<std::optional<DistributionIndex>, DistributionIndex, std::vector<std::uint32_t>>, std::size_t>
      places;
  std::vector<std::vector<const Relation*>> groups;
  for (const Relation& relation : conflicts.relations) {
    if (!is_wanted(relation)) continue;
    const auto [at, is_new] =
        places.try_emplace({relation.distribution, relation.provider_distribution, relation.load_plans}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&relation);
  }
  return groups;
}

std::vector<std::uint32_t> all_plans(const Relation& relation) {
  std::vector<std::uint32_t> plans;
  std::ranges::set_union(relation.load_plans, relation.late_plans, std::back_inserter(plans));
  return plans;
}

Concerned concerned(const Relation& relation) {
  Concerned out{relation.provider_distribution};
  if (relation.distribution && relation.distribution != relation.provider_distribution)
    out.push_back(*relation.distribution);
  return out;
}

Concerned concerned(const Installation& installation, const ImportFailure& failure) {
  Concerned out;
  const auto add = [&](process::ObjectIndex object) {
    const Origin& origin = installation.origins[object.value];
    if (origin.kind == Origin::Kind::Distribution) out.push_back(origin.distribution);
  };
  if (failure.distribution) out.push_back(*failure.distribution);
  if (failure.missing) add(failure.missing->from);
  if (failure.missing && failure.missing->library) add(*failure.missing->library);
  return out.size() > 1 && std::ranges::adjacent_find(out, std::ranges::not_equal_to{}) != out.end() ? out
                                                                                                     : Concerned{};
}

std::string order_of(const Conflicts& conflicts, std::uint32_t load_plan, const Concerned& distributions) {
  std::string out;
  std::size_t shown = 0, left = 0;
  Concerned named;
  for (const DistributionIndex each : distributions) named.push_back(conflicts.importers[each.value]);
  const LoadPlan& plan = conflicts.load_plans[load_plan];
  for (std::size_t at = 0; at < plan.order.size(); ++at) {
    if (!named.empty() && std::ranges::find(named, plan.order[at]) == named.end()) continue;
    if (shown++ < shown_items || !named.empty())
      out += (out.empty() ? "" : ", then ") + name_in_order(conflicts.installation, plan, at);
    else
      ++left;
  }
  return left > 0 ? fmt::format("{}, then {} more", out, left) : out;
}

bool imports_all(const Conflicts& conflicts, std::uint32_t load_plan) {
  return conflicts.load_plans[load_plan].order.size() == conflicts.load_plans.front().order.size();
}

void add_orders(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                std::vector<Evidence>& evidence, const Concerned& distributions,
                const std::vector<std::uint32_t>& late) {
  std::vector<std::string> with, without;
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    if (const bool happens = std::ranges::binary_search(load_plans, i);
        happens || (imports_all(conflicts, i) && !std::ranges::binary_search(late, i)))
      (happens ? with : without).push_back(order_of(conflicts, i, distributions));
  for (const std::string& order : with) evidence.push_back({"import order", order});
  // Orders that differ only in other distributions are not evidence.
  for (const std::string& order : without)
    if (std::ranges::find(with, order) == with.end()) evidence.push_back({"not with", order});
}

std::optional<std::string> safe_order(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                                      const Concerned& distributions) {
  const auto is_safe = [&](std::uint32_t plan) {
    return !std::ranges::binary_search(load_plans, plan) && imports_all(conflicts, plan) &&
           std::ranges::none_of(conflicts.failures,
                                [&](const ImportFailure& each) { return each.load_plan == plan && !each.maybe; }) &&
           std::ranges::none_of(conflicts.relations, [&](const Relation& each) {
             return each.severity == Severity::Error && std::ranges::binary_search(all_plans(each), plan);
           });
  };
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i)
    if (is_safe(i)) {
      const std::string order = order_of(conflicts, i, distributions);
      return order.contains(", then ") ? std::optional(order) : std::nullopt;
    }
  return std::nullopt;
}

std::string fix_of_user(const Conflicts& conflicts, const std::vector<std::uint32_t>& load_plans,
                        const Concerned& distributions) {
  if (const auto order = safe_order(conflicts, load_plans, distributions))
    return fmt::format("import in the order {}; ", *order);
  std::set<std::string> names;
  for (const DistributionIndex distribution : distributions)
    names.insert(name_of(conflicts.installation, distribution));
  if (names.size() < 2) return "";
  if (conflicts.load_plans.size() == 1) return "--order both simulates another order of the imports; ";
  return fmt::format("no simulated order works: use {} in different processes; ",
                     list_of(std::vector<std::string>(names.begin(), names.end())));
}

std::string version_of(const WheelFacts& wheel) {
  return wheel.metadata && !wheel.metadata->version.empty() ? wheel.metadata->version : wheel.name.version;
}

std::string name_and_version(const Installation& installation, DistributionIndex distribution) {
  const WheelFacts& wheel = installation.distributions[distribution.value].facts;
  const std::string version = version_of(wheel);
  return name_of_distribution(wheel) + (version.empty() ? "" : " ") + version;
}

std::string what_fails(const Installation& installation, const PlannedOpen& open) {
  if (!open.module.empty()) return fmt::format("import of {}", open.module);
  return open.object ? fmt::format("loading of {}", file_name(installation, *open.object)) : "loading of a library";
}

std::vector<FailureGroup> grouped_failures(const Conflicts& conflicts) {
  std::vector<FailureGroup> groups;
  std::map<std::tuple<std::optional<process::ObjectIndex>, std::string_view, bool>, std::size_t> places;
  for (const ImportFailure& failure : conflicts.failures) {
    const PlannedOpen& open = conflicts.load_plans[failure.load_plan].opens[failure.at.step][failure.at.open];
    const auto [at, is_new] = places.try_emplace({open.object, failure.error, failure.alone}, groups.size());
    if (is_new) groups.push_back({&failure, &open, {}});
    std::vector<std::uint32_t>& plans = groups[at->second].load_plans;
    if (plans.empty() || plans.back() != failure.load_plan) plans.push_back(failure.load_plan);
  }
  return groups;
}

std::vector<process::ObjectIndex> files_called(const Installation& installation, std::string_view name) {
  std::vector<process::ObjectIndex> files;
  for (std::uint32_t i = 0; i < installation.world.files.size(); ++i) {
    if (installation.origins[i].kind != Origin::Kind::Distribution) continue;
    const process::File& file = installation.world.files[i];
    const bool soname =
        file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname == std::optional(name);
    if (soname || base_name(file.path) == name) files.push_back({i});
  }
  return files;
}

std::optional<std::string_view> requirement_on(const Installation& installation, DistributionIndex user,
                                               DistributionIndex provider) {
  const auto& metadata = installation.distributions[user.value].facts.metadata;
  if (!metadata) return std::nullopt;
  const std::string wanted = normal_project_name(name_of(installation, provider));
  // tensorflow-cpu is installed for those who require tensorflow.
  const auto project = installation.projects.find(wanted);
  for (const std::string& line : metadata->requires_dist) {
    const Dependency dependency = parse_dependency(line);
    const bool named =
        dependency.name == wanted || (project != installation.projects.end() && dependency.name == project->second);
    if (named && !dependency.under && dependency.for_linux) return line;
  }
  return std::nullopt;
}

std::string shown(const LibraryInside& library) {
  return library.version ? name_and_version(library) : library.name + " (version unknown)";
}

std::string shown(const Installation& installation, const FlagSource& source) {
  if (source.by == FlagSource::By::CommandLine) return source.text;
  const WheelFacts& facts = installation.distributions[source.distribution.value].facts;
  std::string out;
  if (source.file && source.by == FlagSource::By::Code)
    out = facts.members[source.file->value].path.text() + ": ";
  else if (source.file)
    out = fmt::format("{}:{}, {}: ", facts.members[source.file->value].path.text(), source.line, name_of(source.reach));
  return out + source.text;
}

}  // namespace wheelcheck::rules
