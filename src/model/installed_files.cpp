#include "model/installed_files.h"

#include <algorithm>
#include <array>
#include <string>

namespace wheelcheck {

std::optional<DataPath> data_path(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == path.npos || slash + 1 == path.size() || !path.substr(0, slash).ends_with(".data")) return std::nullopt;
  path.remove_prefix(slash + 1);
  const std::size_t end = path.find('/');
  return DataPath{path.substr(0, end), end == path.npos ? std::string_view() : path.substr(end + 1)};
}

bool is_site(std::string_view scheme) { return scheme == "purelib" || scheme == "platlib"; }

bool is_script(std::string_view path) {
  const auto data = data_path(path);
  return data && data->scheme == "scripts" && !data->rest.empty();
}

bool is_in_site_packages(const ElfMember& file) { return file.installed.contains("/site-packages/"); }

bool is_out_of_reach(std::string_view path) {
  const auto data = data_path(path);
  if (!data || is_site(data->scheme) || data->rest.contains("/site-packages/")) return false;
  return data->scheme != "scripts" || data->rest.contains('/');
}

bool is_stray_directory(std::string_view name) {
  constexpr auto stray = std::to_array<std::string_view>(
      {"benchmark", "benchmarks", "doc", "docs", "example", "examples", "script", "scripts", "test", "tests", "tools"});
  return std::ranges::find(stray, name) != stray.end();
}

std::string_view below_site(std::string_view path) {
  const auto data = data_path(path);
  return data && is_site(data->scheme) && !data->rest.empty() ? data->rest : path;
}

InstalledFiles::InstalledFiles(std::span<const MemberFacts> members) {
  for (const MemberFacts& member : members) paths_.push_back(below_site(member.path.text()));
  std::ranges::sort(paths_);
}

bool InstalledFiles::has(std::string_view path) const { return std::ranges::binary_search(paths_, path); }

bool InstalledFiles::has_directory(std::string_view path) const {
  return !beginning_with(std::string(path) + '/').empty();
}

std::span<const std::string_view> InstalledFiles::beginning_with(std::string_view start) const {
  const auto first = std::ranges::lower_bound(paths_, start);
  const auto last =
      std::partition_point(first, paths_.end(), [&](std::string_view path) { return path.starts_with(start); });
  return {first, last};
}

}  // namespace wheelcheck
