#include "model/installed_files.h"

#include <algorithm>
#include <string>

namespace wheelcheck {

std::string_view below_site(std::string_view path) {
  for (const std::string_view scheme : {".data/platlib/", ".data/purelib/"})
    if (const std::size_t at = path.find(scheme); at != path.npos && path.find('/') == at + scheme.find('/'))
      return path.substr(at + scheme.size());
  return path;
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
