#include "model/installed_with.h"

#include <algorithm>

#include "base/text.h"
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
  for (const std::string& line : wheel.metadata->requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (!dependency.for_linux || dependency.name.empty()) continue;
    std::set<std::string>& extras = direct_[dependency.name];
    if (dependency.under)
      extras.insert(*dependency.under);
    else
      always.insert(dependency.name);
  }
  for (const std::string& name : always) direct_[name].clear();
  for (const auto& [name, extras] : direct_) by_plain_name_.try_emplace(plain_name(name), name);

  // Each distribution of the tables is followed once for each way to it, which bounds the loop by their number.
  std::vector<std::pair<const KnownDistribution*, std::set<std::string>>> open;
  for (const auto& [name, extras] : direct_)
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
    for (const std::string_view pattern : from->brings) {
      indirect_.emplace_back(pattern, extras);
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
    for (const auto& [pattern, extras] : indirect_) {
      if (!glob_match(pattern, name)) continue;
      if (extras.empty()) return {name, {}};
      add(extras);
    }
  }
  return result;
}

}  // namespace wheelcheck
