// Where a member of a wheel is installed.
#pragma once

#include <string_view>

namespace wheelcheck {

// The path below site-packages: NAME.data/platlib/pkg/x.py becomes pkg/x.py.
inline std::string_view below_site(std::string_view path) {
  for (const std::string_view scheme : {".data/platlib/", ".data/purelib/"})
    if (const std::size_t at = path.find(scheme); at != path.npos && path.find('/') == at + scheme.find('/'))
      return path.substr(at + scheme.size());
  return path;
}

}  // namespace wheelcheck
