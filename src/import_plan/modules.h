// The importable modules of several distributions in one site-packages: which file an import finds.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::import_plan {

using ModuleId = std::uint32_t;
inline constexpr std::uint32_t none = UINT32_MAX;

struct Module {
  enum class Form : std::uint8_t { Directory, Source, Parsed, Extension };
  // Directory: a package without __init__. Source: a file without facts. Parsed: a file with facts.
  Form form = Form::Directory;
  bool package = false;
  std::uint32_t distribution = 0;
  std::uint32_t at = none;  // Parsed: index into WheelFacts::python; Extension: index into WheelFacts::elfs
  std::string name;         // dotted name
};

// One distribution, and the files that the interpreter accepts as its extension modules.
struct Part {
  const WheelFacts* wheel = nullptr;
  std::vector<std::pair<std::string, ElfIndex>> modules;
};

// With every extension module, whatever interpreter it is for.
Part part_of(const WheelFacts& wheel);

class Modules {
 public:
  explicit Modules(std::span<const Part> parts);

  std::optional<ModuleId> find(std::string_view name) const;
  const Module& operator[](ModuleId id) const { return all_[id]; }
  std::size_t size() const { return all_.size(); }
  const PythonFile& file(ModuleId id) const { return parts_[all_[id].distribution].wheel->python[all_[id].at]; }
  const Part& part(std::uint32_t distribution) const { return parts_[distribution]; }
  std::optional<ModuleId> of_file(std::uint32_t distribution, MemberIndex member) const;
  std::vector<std::string> names() const;  // of all modules, sorted

 private:
  void add(Module module);
  void add_sources(std::uint32_t distribution);

  std::span<const Part> parts_;
  std::vector<Module> all_;
  std::map<std::string, ModuleId, std::less<>> by_name_;
};

// The dotted name of a .py file, and whether it is the __init__ of a package. nullopt: it cannot be imported.
std::optional<std::pair<std::string, bool>> module_of(std::string_view path);
// The absolute name of `name` in an import statement of a module: "..x" in the package a.b is a.x. nullopt: it leads
// out of the top-level package.
std::optional<std::string> absolute(std::string_view name, std::string_view module, bool package);

// --- the modules that the user of a distribution imports ----------------------------------------------------------

// True for a top-level package. google.protobuf is one, because google is only a directory.
bool is_top_package(const Modules& modules, ModuleId id);
// The package with the name of the distribution. If there is none, all top-level packages, or those in directories that
// distributions share, in alphabetical order.
std::vector<ModuleId> roots_of(const Modules& modules, std::uint32_t distribution);

// --- libraries that Python code opens by name ---------------------------------------------------------------------

// A file that a call of ctypes or cffi would open.

struct Named {
  process::ObjectIndex object;
  bool by_path = false;  // false: dlopen searches for the name
};
// The files of the installation that `library` matches. It is the PythonCall::library of a call in `file`, with `*` for
// an unknown part. Ordered by path; empty if none or too many match.
std::vector<Named> libraries_named(const Installation& installation, DistributionIndex distribution, MemberIndex file,
                                   std::string_view library);

// Compares the last parts of `requested`, up to its last unknown part, with the end of `path`.
bool ends_with_parts(std::string_view path, std::string_view requested);

// The same for one wheel.
class OwnLibraries {
 public:
  explicit OwnLibraries(const WheelFacts& wheel);
  // Those of that name, in that directory if the call gives one; if some are below the directory of `file`, only these.
  std::vector<ElfIndex> named(MemberIndex file, std::string_view library) const;
  // Those of a call with a path whose beginning is unknown: "*/foo.libs/libx.so.1".
  std::vector<ElfIndex> at_path(MemberIndex file, std::string_view library) const;

 private:
  const WheelFacts& wheel_;
  std::multimap<std::string_view, ElfIndex> by_name_;
};

}  // namespace wheelcheck::import_plan
