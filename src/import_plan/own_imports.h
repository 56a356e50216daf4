// The modules of its own that the Python code of a wheel imports: which of them the wheel lacks (WC720), and which of
// its Python files certainly run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "import_plan/import_walk.h"
#include "model/installed_files.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::import_plan {

// An import at module level, without a condition and outside of `try`, of a module that should be in the wheel.
struct MissingModule {
  std::string module;  // as written: ".core"
  std::string file;    // below site-packages
  std::uint32_t line = 0;
  MemberIndex member;
};

// Finds modules among the files of a wheel.
class OwnModules {
 public:
  explicit OwnModules(std::span<const MemberFacts> members) : files_(members) {}

  // True for code in a directory with __init__.py whose path can be imported; `path` is below site-packages. Tests,
  // examples, documentation, vendored code and templates for other projects are left out, and sources of compiled
  // modules: Python imports pkg/x.abi3.so instead of pkg/x.py (importlib.machinery).
  bool is_package_code(std::string_view path) const;
  // The modules that such a file imports and the wheel lacks, in the order of the events.
  std::vector<MissingModule> missing_in(const PythonFile& file, std::string_view path) const;
  // The modules, as paths, that an __init__.py takes as names from a compiled module of the wheel. One of them may be
  // in sys.modules, where the compiled module or the package puts it (imgui_bundle 1.93.0).
  void add_compiled_names(const PythonFile& file, std::string_view path, std::set<std::string>& names) const;
  // True if a word `import` of the text stands behind or before the name of such a module: in a statement, whatever is
  // around it, or in a string. Only then missing_in() may find one. A search without a parser.
  bool may_lack(std::string_view text, std::string_view path) const;

 private:
  // True if the wheel should contain the module that an import in `module` names, and does not.
  bool lacks(std::string_view name, std::string_view module, bool package) const;
  bool has_module(const std::string& path) const;
  bool has_compiled(const std::string& path) const;
  bool may_be_defined(std::string_view path) const;
  bool may_be_beside(std::string_view path, std::string_view module, bool package) const;
  bool is_of_compiled(const std::string& path) const;
  bool is_namespace(std::string_view name, std::string_view module, bool package) const;
  std::vector<std::string> modules_named(const PythonEvent& event, std::string_view module, bool package) const;

  const InstalledFiles files_;
};

// True if the wheel's tags name a platform of Linux. The imports of other wheels are not searched: their code runs
// wherever their tests run.
bool is_searched(const WheelName& name);

// Those of all Python files. Needs WheelFacts::all_python; without it no file imports a module that is missing.
std::vector<MissingModule> missing_modules(const WheelFacts& wheel);

// The Python files that certainly run when the packages of the wheel are imported: the topmost __init__.py files, and
// what they import at module level, without a condition and outside of `try`. Needs WheelFacts::all_python.
std::set<MemberIndex> imported_files(const WheelFacts& wheel);
// The Python files that may run when a module with a public name (no part begins with '_') is imported, whatever the
// conditions. Needs WheelFacts::all_python.
std::set<MemberIndex> files_of_public_imports(const WheelFacts& wheel);
// What imported_files() returns, what the modules directly in site-packages run, apart from scripts of the project, and
// the files that only the scripts of entry_points.txt run, with the name of the first such script; "" for the others.
std::map<MemberIndex, std::string> files_that_run(const WheelFacts& wheel);

// The modules that these files certainly import, as paths below site-packages without an ending: pkg/core. Of
// `from pkg import name`, the name is among them, whatever it is.
std::set<std::string> certain_modules(const WheelFacts& wheel);

// A call that opens a library.
struct CertainOpen {
  MemberIndex file;
  const PythonCall* call = nullptr;  // never null; its library is known
};
// Those that the import of a package certainly runs, and whose failure ends it: without a condition, and outside of
// `try` or in one whose handlers raise. Needs WheelFacts::all_python.
std::vector<CertainOpen> certain_opens(const WheelFacts& wheel);
// Whether one of them opens the file of the wheel by its path.
bool opens_path(std::span<const CertainOpen> opens, std::string_view path);

}  // namespace wheelcheck::import_plan
