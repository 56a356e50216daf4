// Python code of a wheel's packages: which modules it imports that the wheel does not contain, and what certainly runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/installed_files.h"
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

// Code in a directory with __init__.py whose path can be imported. Tests, examples, documentation, vendored code and
// templates for other projects are left out, and sources of compiled modules: Python imports pkg/x.abi3.so instead of
// pkg/x.py (importlib.machinery).
class PackageCode {
 public:
  explicit PackageCode(const WheelFacts& wheel);
  bool contains(MemberIndex file) const;

 private:
  const WheelFacts& wheel_;
  std::set<std::string_view> packages_;  // the directories with __init__.py
  std::set<std::string_view> compiled_;  // paths of extension modules, without endings
};

// True if all Python code of the wheel was read, and it is as much as `check` reads: facts that `conflicts` stored have
// all of it.
bool is_searched(const WheelFacts& wheel);

// True if the event happens whenever its unit runs, and an exception leaves the unit.
bool is_certain(const PythonEvent& event);

// Such imports whose module is missing and that `counts`, at module level, or if there is none, in functions. The
// imports of all Python files must have been read.
std::vector<OwnImport> missing_modules(const WheelFacts& wheel, const std::function<bool(const OwnImport&)>& counts);

// A name that an import, or a script of entry_points.txt, takes from a module of the wheel that does not have it.
struct MissingName {
  std::string name, module;  // the module as written: ".core"
  std::string file;          // that asks, below site-packages; of a script: the file of the module
  std::uint32_t line = 0;    // 0: of a script
  MemberIndex member;
  std::string in;      // the file of the module, below site-packages
  std::string script;  // that ends, if no import does
};
// Of the files that certainly run (files_that_run), and of scripts. Only names of modules that show all of their names.
std::vector<MissingName> missing_names(const WheelFacts& wheel);

// The Python files that certainly run when the packages of the wheel are imported: the topmost __init__.py files, and
// what they import at module level, without a condition and outside of `try`. Needs the same.
std::set<MemberIndex> imported_files(const WheelFacts& wheel);
// These, the modules directly in site-packages, apart from scripts of the project, and the files that only the scripts
// of entry_points.txt run, with the name of the first such script; "" for the others.
std::map<MemberIndex, std::string> files_that_run(const WheelFacts& wheel);
// The other files that the import of a public package inside of another one certainly runs, with the name of the first
// such package: mlxtend/frequent_patterns/__init__.py and what it imports.
std::map<MemberIndex, std::string> files_of_subpackages(const WheelFacts& wheel);
// What fails if one of files_that_run() cannot run: "`import pkg`", "the script NAME". `path` is below site-packages.
std::string what_runs(const WheelFacts& wheel, std::string_view path, const std::string& script);
// What somebody imports to run one of them: the name of the topmost package around it, or of the module. `path` is
// below site-packages.
std::string module_to_import(const WheelFacts& wheel, std::string_view path);

}  // namespace wheelcheck::rules
