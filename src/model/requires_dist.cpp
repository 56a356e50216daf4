// Parses Requires-Dist lines (PEP 508), compares versions with their specifiers, and orders the distributions of an
// installation by dependency.
#include "model/requires_dist.h"

#include <algorithm>
#include <compare>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"

namespace wheelcheck {

namespace {

bool in_name(char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; }

// The quoted text that follows `word` and "==" in a marker.
std::optional<std::string_view> compared_with(std::string_view marker, std::string_view word) {
  for (std::size_t at = marker.find(word); at != marker.npos; at = marker.find(word, at + 1)) {
    if (at != 0 && in_name(marker[at - 1])) continue;
    std::string_view rest = trim(marker.substr(at + word.size()));
    if (!rest.starts_with("==")) continue;
    rest = trim(rest.substr(2));
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) continue;
    const std::size_t end = rest.find(rest.front(), 1);
    if (end != rest.npos) return rest.substr(1, end - 1);
  }
  return std::nullopt;
}

// False for a marker that compares with another system and does not contain "linux". Markers are not evaluated: Linux
// wheels use other systems in markers only to include or exclude one system at a time.
bool is_for_linux(std::string_view marker) {
  if (lower(marker).find("linux") != std::string::npos) return true;
  for (const std::string_view variable : {"sys_platform", "platform_system", "os_name"})
    if (const auto system = compared_with(marker, variable); system && *system != "posix") return false;
  return true;
}

}  // namespace

std::string normal_project_name(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator) {
      result += to_lower(c);
    } else if (!result.ends_with('-')) {
      result += '-';
    }
  }
  return result;
}

Dependency parse_dependency(std::string_view line) {
  line = trim(line);
  std::size_t end = 0;
  while (end < line.size() && in_name(line[end])) ++end;
  Dependency result{.name = normal_project_name(line.substr(0, end)), .extras = {}, .under = {}};
  const std::string_view rest = trim(line.substr(end));
  if (const std::size_t close = rest.find(']'); rest.starts_with('[') && close != rest.npos)
    for (const std::string_view extra : split(rest.substr(1, close - 1), ','))
      result.extras.push_back(normal_project_name(trim(extra)));
  const std::size_t semicolon = rest.find(';');
  if (semicolon == rest.npos) return result;
  const std::string_view marker = rest.substr(semicolon + 1);
  if (const auto extra = compared_with(marker, "extra")) result.under = normal_project_name(*extra);
  result.for_linux = is_for_linux(marker);
  return result;
}

namespace {

// The numbers of a final release; nullopt for other versions. A local version ("+cpu") is ignored, as pip does if the
// specifier has none.
std::optional<std::vector<std::uint64_t>> release_of(std::string_view text) {
  text = text.substr(0, text.find('+'));
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::uint64_t> parts;
  for (const std::string_view part : split(text, '.')) {
    std::uint64_t number = 0;
    if (part.empty() && text.ends_with('.')) continue;
    // A post-release is treated as the release itself.
    if (part.starts_with("post") && parse_number(part.substr(4), number)) break;
    if (!parse_number(part, number)) return std::nullopt;
    parts.push_back(number);
  }
  if (parts.empty()) return std::nullopt;
  return parts;
}

std::strong_ordering compared(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
  const std::size_t size = std::max(a.size(), b.size());
  a.resize(size);
  b.resize(size);
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

bool starts_with(const std::vector<std::uint64_t>& version, const std::vector<std::uint64_t>& prefix) {
  std::vector<std::uint64_t> padded = version;
  padded.resize(std::max(version.size(), prefix.size()));
  return std::equal(prefix.begin(), prefix.end(), padded.begin());
}

std::optional<bool> clause_allows(std::string_view clause, const std::vector<std::uint64_t>& version) {
  std::size_t end = 0;
  while (end < clause.size() && std::string_view("=!<>~").find(clause[end]) != std::string_view::npos) ++end;
  const std::string_view sign = clause.substr(0, end);
  std::string_view text = trim(clause.substr(end));
  const bool any_tail = text.ends_with(".*");
  if (any_tail) text.remove_suffix(2);
  auto bound = release_of(text);
  if (!bound) return std::nullopt;
  const auto order = compared(version, *bound);
  if (sign == "==") return any_tail ? starts_with(version, *bound) : order == 0;
  if (sign == "!=") return any_tail ? !starts_with(version, *bound) : order != 0;
  if (sign == ">=") return order >= 0;
  if (sign == "<=") return order <= 0;
  if (sign == ">") return order > 0;
  if (sign == "<") return order < 0;
  if (sign != "~=" || bound->size() < 2) return std::nullopt;
  bound->pop_back();
  return order >= 0 && starts_with(version, *bound);
}

}  // namespace

std::string specifier_of(std::string_view requirement) {
  std::string_view rest = requirement.substr(0, requirement.find(';'));
  if (const std::size_t extras = rest.find(']'); extras != rest.npos) rest = rest.substr(extras + 1);
  const std::size_t begin = rest.find_first_of("=!<>~@");
  if (begin == rest.npos) return "";
  rest = rest.substr(begin);
  std::string out;
  for (const char c : rest)
    if (c != ' ' && c != ')' && c != '(') out += c;
  return out;
}

std::optional<bool> allows(std::string_view specifier, std::string_view version) {
  const auto numbers = release_of(version);
  if (!numbers) return std::nullopt;
  bool all = true;
  for (const std::string_view clause : split(specifier, ',')) {
    if (trim(clause).empty()) continue;
    const auto one = clause_allows(trim(clause), *numbers);
    if (!one) return std::nullopt;
    all = all && *one;
  }
  return all;
}

namespace {

std::string name_of_distribution(const Distribution& distribution) {
  return normal_project_name(name_of_distribution(distribution.facts));
}

// Names of the distributions that an import can rely on: those required on Linux without an extra.
std::vector<std::string> required_names(const Distribution& distribution) {
  std::vector<std::string> names;
  if (!distribution.facts.metadata) return names;
  for (const std::string& line : distribution.facts.metadata->requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (dependency.for_linux && !dependency.under) names.push_back(dependency.name);
  }
  return names;
}

}  // namespace

std::string name_of_distribution(const WheelFacts& wheel) {
  if (wheel.metadata && !wheel.metadata->name.empty()) return wheel.metadata->name;
  return wheel.name.distribution.empty() ? wheel.file : wheel.name.distribution;
}

std::vector<bool> required_by(const Installation& installation, DistributionIndex distribution) {
  std::map<std::string, std::uint32_t> index;
  for (std::uint32_t i = 0; i < installation.distributions.size(); ++i)
    index.emplace(name_of_distribution(installation.distributions[i]), i);
  // `import tensorflow` may find tensorflow-cpu, so a distribution is also found by the name of its project.
  for (std::uint32_t i = 0; i < installation.distributions.size(); ++i)
    if (const auto project = installation.projects.find(name_of_distribution(installation.distributions[i]));
        project != installation.projects.end())
      index.emplace(project->second, i);
  std::vector<bool> required(installation.distributions.size());
  std::vector<std::uint32_t> open{distribution.value};
  while (!open.empty()) {
    const Distribution& from = installation.distributions[open.back()];
    open.pop_back();
    for (const std::string& name : required_names(from)) {
      const auto found = index.find(name);
      if (found == index.end() || required[found->second] || found->second == distribution.value) continue;
      required[found->second] = true;
      open.push_back(found->second);
    }
  }
  return required;
}

std::vector<DistributionIndex> requirements_first(const Installation& installation,
                                                  const std::vector<DistributionIndex>& order) {
  std::vector<DistributionIndex> out;
  const auto add = [&](DistributionIndex distribution) {
    if (std::ranges::find(out, distribution) == out.end()) out.push_back(distribution);
  };
  for (const DistributionIndex distribution : order) {
    // All distributions that it requires, ordered by how many distributions each of them requires in turn. A
    // distribution that others depend on requires fewer than they do, so it comes first.
    const std::vector<bool> required = required_by(installation, distribution);
    std::vector<DistributionIndex> before;
    for (const DistributionIndex other : order)
      if (required[other.value]) before.push_back(other);
    std::ranges::stable_sort(before, {}, [&](DistributionIndex other) {
      return std::ranges::count(required_by(installation, other), true);
    });
    std::ranges::for_each(before, add);
    add(distribution);
  }
  return out;
}

}  // namespace wheelcheck
