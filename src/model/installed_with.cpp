#include "model/installed_with.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/text.h"
#include "model/pep440.h"
#include "model/python_tag.h"
#include "model/requirement.h"

namespace wheelcheck {
namespace {

bool matches(TextSpan patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) { return glob_match(pattern, name); });
}

bool is_called(const KnownDistribution& one, std::string_view name) {
  return one.name == name || matches(one.alternatives, name);
}

// "librapids_logger.so.1" -> "rapids-logger"
std::string stem_of(std::string_view library) {
  if (library.starts_with("lib")) library.remove_prefix(3);
  return normal_project_name(library.substr(0, library.find(".so")));
}

// The newest CPython 3 that takes the wheel; the greatest number if it takes later ones too.
unsigned newest_python(const WheelName& name) {
  constexpr unsigned any = std::numeric_limits<unsigned>::max();
  if (has_abi(name, "abi3")) return any;
  unsigned newest = 0;
  for (const std::string& tag : name.python) newest = std::max(newest, cpython3_tag(tag).value_or(any));
  return newest;
}

// Whether a list of specifiers allows that release or a later one.
bool allows_from(std::string_view specifiers, std::string_view release) {
  const std::optional<PackageVersion> first = parse_package_version(release);
  std::vector<std::string> candidates = {std::string(release), "99999"};
  for (std::string_view one : split(specifiers, ',')) {
    while (!one.empty() && !is_digit(one.front())) one.remove_prefix(1);
    const std::optional<PackageVersion> named = parse_package_version(one);
    if (first && named && *named >= *first) candidates.emplace_back(one);
  }
  return std::ranges::any_of(candidates, [&](const std::string& one) { return allows(specifiers, one) == true; });
}

}  // namespace

bool is_of_compiler(std::string_view library) {
  constexpr std::string_view starts[] = {"libstdc++.so", "libgcc_s.so",  "libgomp.so",     "libomp.so",
                                         "libiomp5.so",  "libatomic.so", "libgfortran.so", "libquadmath.so"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return library.starts_with(start); });
}

std::string_view plain_name(std::string_view distribution) {
  if (distribution.starts_with("lib")) distribution.remove_prefix(3);
  const std::size_t at = distribution.rfind("-cu");
  if (at != distribution.npos && at + 3 < distribution.size() &&
      std::ranges::all_of(distribution.substr(at + 3), is_digit))
    distribution = distribution.substr(0, at);
  return distribution;
}

InstalledWith::InstalledWith(const WheelFacts& wheel, std::span<const KnownDistribution> known) {
  if (!wheel.metadata) return;
  std::set<std::string> always;
  std::map<std::string, std::string> specifiers;
  std::set<std::string, std::less<>> pinned;  // what they require may limit other distributions
  std::map<std::string, std::set<std::string>, std::less<>> with_extras;  // jax[cuda12] as "jax-cuda12"
  for (const std::string& line : wheel.metadata->requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (!dependency.for_linux || dependency.name.empty()) continue;
    std::string& specifier = specifiers[dependency.name];
    specifier += (specifier.empty() || dependency.specifier.empty() ? "" : ",") + dependency.specifier;
    if (is_one_release(dependency.specifier)) pinned.insert(dependency.name);
    std::set<std::string>& extras = direct_[dependency.name];
    if (dependency.under)
      extras.insert(*dependency.under);
    else
      always.insert(dependency.name);
    for (const std::string& extra : dependency.extras) {
      const std::string name = fmt::format("{}-{}", dependency.name, extra);
      std::set<std::string>& under = with_extras[name];
      if (dependency.under)
        under.insert(*dependency.under);
      else
        always.insert(name);
    }
  }
  for (const std::string& name : always)
    for (auto* const all : {&direct_, &with_extras})
      if (const auto at = all->find(name); at != all->end()) at->second.clear();
  for (const auto& [name, extras] : direct_) by_plain_name_.try_emplace(plain_name(name), name);

  const unsigned newest = newest_python(wheel.name);
  // Each distribution of the tables is followed once for each way to it, which bounds the loop by their number.
  std::vector<std::pair<const KnownDistribution*, std::set<std::string>>> open;
  for (const auto* const all : {&direct_, &with_extras})
    for (const auto& [name, extras] : *all)
      for (const KnownDistribution& one : known)
        if (is_called(one, name)) open.emplace_back(&one, extras);
  // What installs the wheel as a part of itself installs its other parts as well (PyQtWebEngine, PyQtWebEngine-Qt5).
  const std::string own = normal_project_name(wheel.metadata->name);
  for (const KnownDistribution& one : known)
    if (own.starts_with(std::string(one.name) + '-') && std::ranges::find(one.brings, own) != one.brings.end())
      open.emplace_back(&one, std::set<std::string>{});
  std::ranges::stable_sort(open, {}, [](const auto& one) { return one.second.size(); });
  std::set<const KnownDistribution*> seen;
  for (std::size_t at = 0; at < open.size(); ++at) {
    const auto [from, extras] = open[at];
    if (!seen.insert(from).second) continue;
    std::vector<const DroppedRequirement*> dropped;
    std::string start(from->name);
    if (const auto direct = specifiers.find(start);
        direct != specifiers.end() && pinned.size() == pinned.count(start)) {
      for (const DroppedRequirement& one : from->dropped) {
        std::uint64_t python = 0;
        if (parse_number(one.python, python) && python <= newest && allows_from(direct->second, one.since))
          dropped.push_back(&one);
      }
      start += direct->second + (direct->second.empty() ? "" : ",");
    }
    for (const std::string_view pattern : from->brings) {
      indirect_.push_back({pattern, extras, dropped, start});
      for (const KnownDistribution& one : known)
        if (glob_match(pattern, one.name)) open.emplace_back(&one, extras);
    }
  }
}

std::string_view InstalledWith::named(std::string_view name) const {
  if (const auto at = direct_.find(name); at != direct_.end()) return at->first;
  const auto at = by_plain_name_.find(plain_name(name));
  return at == by_plain_name_.end() ? std::string_view() : at->second;
}

std::string_view InstalledWith::named_with(std::string_view name) const {
  constexpr std::size_t least = 8;  // shorter names end others by chance
  if (const std::string_view found = named(name); !found.empty() || name.size() < least) return found;
  const auto at = std::ranges::find_if(direct_, [&](const auto& one) { return one.first.ends_with(name); });
  return at == direct_.end() ? std::string_view() : at->first;
}

std::string_view InstalledWith::called_like(std::string_view library) const {
  const std::string stem = stem_of(library);
  for (std::size_t end = stem.find('-'); !stem.empty(); end = stem.find('-', end + 1)) {
    const auto at = by_plain_name_.find(std::string_view(stem).substr(0, end));
    if (at != by_plain_name_.end()) return at->second;
    if (end == stem.npos) break;
  }
  return {};
}

InstalledBy InstalledWith::first_of(const std::vector<std::string>& distributions) const {
  InstalledBy result;
  for (const std::string& name : distributions) {
    const auto add = [&](const std::set<std::string>& extras) {
      if (result.distribution.empty()) result.distribution = name;
      if (result.distribution == name) result.extras.insert(extras.begin(), extras.end());
    };
    if (const auto at = direct_.find(name); at != direct_.end()) {
      if (at->second.empty()) return {name, {}};
      add(at->second);
    }
    for (const Indirect& one : indirect_) {
      if (!glob_match(one.pattern, name) || dropped_for(one, name) != nullptr) continue;
      if (one.extras.empty()) return {name, {}};
      add(one.extras);
    }
  }
  return result;
}

const DroppedRequirement* InstalledWith::dropped_for(const Indirect& one, std::string_view name) {
  const auto at = std::ranges::find_if(one.dropped, [&](const auto* each) { return glob_match(each->pattern, name); });
  return at == one.dropped.end() ? nullptr : *at;
}

std::string InstalledWith::older_with(const std::vector<std::string>& distributions) const {
  for (const std::string& name : distributions)
    for (const Indirect& one : indirect_)
      if (const DroppedRequirement* const dropped = dropped_for(one, name))
        return fmt::format("{}<{}", one.start, dropped->since);
  return {};
}

}  // namespace wheelcheck
