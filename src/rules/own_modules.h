// Python code of a wheel's packages: which modules it imports that the wheel does not contain, and what certainly runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::rules {

// An import without a condition and outside of `try`, of a module that should be in the wheel.
struct OwnImport {
  std::string module;  // as written: ".core"
  std::string file;    // below site-packages
  std::uint32_t line = 0;
  MemberIndex member;
  bool in_function = false;  // it runs when the function is called
};

// The installed paths of a wheel's files.
class InstalledFiles {
 public:
  explicit InstalledFiles(const WheelFacts& wheel);
  bool has(std::string_view path) const;
  bool has_directory(std::string_view path) const;
  // The paths that begin with the text, sorted.
  std::span<const std::string> beginning_with(std::string_view start) const;

 private:
  std::vector<std::string> paths_;  // sorted
};

// Code in a directory with __init__.py whose path can be imported. Tests, examples, documentation, vendored code and
// templates for other projects are left out.
class PackageCode {
 public:
  explicit PackageCode(const WheelFacts& wheel);
  bool contains(MemberIndex file) const;

 private:
  const WheelFacts& wheel_;
  std::set<std::string_view> packages_;  // the directories with __init__.py
};

// True if the event happens whenever its unit runs, and an exception leaves the unit.
bool is_certain(const PythonEvent& event);

// Such imports whose module is missing and that `counts`, at module level, or if there is none, in functions. The
// imports of all Python files must have been read.
std::vector<OwnImport> missing_modules(const WheelFacts& wheel, const std::function<bool(const OwnImport&)>& counts);

// The Python files that certainly run when the packages of the wheel are imported: the topmost __init__.py files, and
// what they import at module level, without a condition and outside of `try`. Needs the same.
std::set<MemberIndex> imported_files(const WheelFacts& wheel);

}  // namespace wheelcheck::rules
