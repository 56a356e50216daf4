// The layout is that of CPython's sysconfig: PREFIX/lib/python3.11/site-packages, lib64 on some systems, dist-packages
// on Debian.
#include "wheel/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "wheel/dist_info.h"

namespace wheelcheck::wheel {
namespace {

bool is_packages(std::string_view name) { return name == "site-packages" || name == "dist-packages"; }
bool is_library(std::string_view name) { return name == "lib" || name == "lib64"; }
bool is_python(std::string_view name) { return name.starts_with("python") || name.starts_with("pypy"); }

// "python3.13t" -> "3.13"
std::string version_of(std::string_view directory) {
  const std::size_t first = directory.find_first_of("0123456789");
  if (first == directory.npos) return {};
  const std::string_view version = directory.substr(first, directory.find_first_not_of("0123456789.", first) - first);
  return version.find('.') == version.npos ? std::string() : std::string(version);
}

// A directory of packages that stands in a prefix is seen from there, so that its RECORDs may name bin and lib.
Site from_prefix(archive::Folder folder) {
  const std::vector<std::string_view> parts = split(folder.place(), '/');
  const std::size_t n = parts.size();
  if (n < 4 || !is_packages(parts[n - 1]) || !is_python(parts[n - 2]) || !is_library(parts[n - 3]))
    return {.folder = std::move(folder), .below = {}, .python = {}};
  Site site{.folder = folder.above(3),
            .below = fmt::format("{}/{}/{}", parts[n - 3], parts[n - 2], parts[n - 1]),
            .python = version_of(parts[n - 2])};
  return site;
}

std::vector<std::string> packages_below(const archive::Folder& folder) {
  std::vector<std::string> found;
  for (const std::string& library : folder.directories("")) {
    if (!is_library(library)) continue;
    for (const std::string& python : folder.directories(library)) {
      const std::string directory = fmt::format("{}/{}", library, python);
      if (!is_python(python)) continue;
      for (const std::string& packages : folder.directories(directory))
        if (is_packages(packages)) found.push_back(fmt::format("{}/{}", directory, packages));
    }
  }
  return found;
}

}  // namespace

Result<Site> find_site(const std::string& directory) {
  const auto fail = [&](ErrorCode code, std::string_view message) {
    return std::unexpected(Error{code, fmt::format("{}: {}", escape(directory), message)});
  };
  Result<archive::Folder> folder = archive::Folder::open(directory);
  if (!folder) return fail(folder.error().code, folder.error().message);
  const std::string& place = folder->place();
  const bool holds_distributions = std::ranges::any_of(folder->directories(""), is_dist_info);
  if (holds_distributions || is_packages(base_name(place))) return from_prefix(std::move(*folder));
  const std::vector<std::string> found = packages_below(*folder);
  if (found.empty())
    return fail(ErrorCode::NotFound, "no environment: there is neither a .dist-info nor lib/python*/site-packages");
  if (found.size() > 1)
    return fail(ErrorCode::Usage, fmt::format("has several environments; name one: {}", join(found, ", ")));
  const std::vector<std::string_view> parts = split(found.front(), '/');
  return Site{.folder = std::move(*folder), .below = found.front(), .python = version_of(parts[1])};
}

}  // namespace wheelcheck::wheel
