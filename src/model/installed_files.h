// Where the files of a wheel are installed below site-packages.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck {

// The path below site-packages: NAME.data/platlib/pkg/x.py becomes pkg/x.py.
std::string_view below_site(std::string_view path);

// The installed paths of a wheel's files. They are views into the members.
class InstalledFiles {
 public:
  explicit InstalledFiles(std::span<const MemberFacts> members);
  bool has(std::string_view path) const;
  bool has_directory(std::string_view path) const;
  // The paths that begin with the text, sorted.
  std::span<const std::string_view> beginning_with(std::string_view start) const;

 private:
  std::vector<std::string_view> paths_;  // sorted
};

}  // namespace wheelcheck
