// Calls in the Python code of a wheel.
#pragma once

#include <algorithm>
#include <set>
#include <string_view>

#include "base/budget.h"
#include "base/pattern.h"
#include "base/text.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// Python code of the wheel opens libraries with RTLD_GLOBAL, so that libraries need not name each other.
inline bool opens_globally(const WheelFacts& wheel) {
  const auto is_global = [](const PythonCall& call) { return call.global; };
  return std::ranges::any_of(wheel.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, is_global); });
}

// Python code of the wheel opens a library of this file name with ctypes or the like.
inline bool is_opened_by_name(const WheelFacts& wheel, std::string_view file_name) {
  const auto opens = [&](const PythonCall& call) {
    return call.library && glob_match(base_name(*call.library), file_name);
  };
  return std::ranges::any_of(wheel.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, opens); });
}

// The libraries that Python code of the wheel may open by their path. A file with a call whose argument is not known
// may open what its names say (pipsipmpp 0.1.1). A name without a directory leads to no file of the wheel.
class OpenedNames {
 public:
  explicit OpenedNames(const WheelFacts& wheel) {
    for (const PythonFile& file : wheel.python) {
      bool unknown = false;
      for (const PythonCall& call : file.calls) {
        const std::string_view path = call.library ? std::string_view(*call.library) : "*";
        const std::string_view opened = base_name(path), directory = base_name(directory_name(path));
        unknown = unknown || opened == "*";
        if (opened != "*" && (path.contains('/') || opened.contains('*'))) patterns_.insert(opened);
        if (opened == "*" && !directory.empty() && directory != ".." && !directory.contains('*'))
          directories_.insert(directory);
      }
      if (unknown)
        for (const PythonName& name : file.names) patterns_.insert(base_name(name.text));
    }
  }
  // `path`: of a file of the wheel. False after ten million comparisons: it is not known.
  bool have(std::string_view path) {
    return directories_.contains(base_name(directory_name(path))) ||
           (steps_.spend(patterns_.size()) && std::ranges::any_of(patterns_, [&](std::string_view pattern) {
              return glob_match(pattern, base_name(path));
            }));
  }
  // True if Python code names exactly this library for a call that opens a path.
  bool has_name(std::string_view library) const { return patterns_.contains(library); }

 private:
  std::set<std::string_view> patterns_;
  std::set<std::string_view> directories_;  // all files of which are opened
  Budget steps_{10'000'000, "the search for libraries that Python code opens"};
};

}  // namespace wheelcheck
