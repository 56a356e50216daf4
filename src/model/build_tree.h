// Directories of build systems that were packed by mistake.
#pragma once

#include <algorithm>
#include <string_view>

namespace wheelcheck {

// The directory of CMake, CLion or node-gyp that contains the member: "foo/CMakeFiles/" for foo/CMakeFiles/x.dir/x.o.
// "" if there is none.
inline std::string_view build_tree_of(std::string_view path) {
  constexpr std::string_view names[] = {"CMakeFiles", "node_gyp_bins", "obj.target"};
  for (std::size_t begin = 0, end = path.find('/'); end != path.npos; begin = end + 1, end = path.find('/', begin)) {
    const std::string_view part = path.substr(begin, end - begin);
    if (part.starts_with("cmake-build-") || std::ranges::find(names, part) != std::end(names))
      return path.substr(0, end + 1);
  }
  return {};
}

}  // namespace wheelcheck
