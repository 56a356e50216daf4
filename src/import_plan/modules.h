// Which file an import would find: the modules of several distributions in one site-packages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::import_plan {

using ModuleId = std::uint32_t;
inline constexpr std::uint32_t none = UINT32_MAX;

struct Module {
  enum class Form : std::uint8_t { Directory, Source, Parsed, Extension };
  Form form = Form::Directory;  // Directory: a package without __init__; Source: a file whose facts were not kept
  bool package = false;
  std::uint32_t distribution = 0;
  std::uint32_t at = none;  // Parsed: into WheelFacts::python; Extension: into WheelFacts::elfs
  std::string name;         // dotted
};

// One distribution, and the files that the interpreter takes for its extension modules.
struct Part {
  const WheelFacts* wheel = nullptr;
  std::vector<std::pair<std::string, ElfIndex>> modules;
};

class Modules {
 public:
  explicit Modules(std::span<const Part> parts);

  std::optional<ModuleId> find(std::string_view name) const;
  const Module& operator[](ModuleId id) const { return all_[id]; }
  std::size_t size() const { return all_.size(); }
  const PythonFile& file(ModuleId id) const { return parts_[all_[id].distribution].wheel->python[all_[id].at]; }
  const Part& part(std::uint32_t distribution) const { return parts_[distribution]; }
  std::optional<ModuleId> of_file(std::uint32_t distribution, MemberIndex member) const;
  std::vector<std::string> names() const;  // of all that can be imported, sorted

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  void add(Module module);
  void add_sources(std::uint32_t distribution);

  std::span<const Part> parts_;
  std::vector<Module> all_;
  std::unordered_map<std::string, ModuleId, Hash, std::equal_to<>> by_name_;
};

// The dotted name of a .py file, and whether it is a package's __init__; nullopt: nothing can import it.
std::optional<std::pair<std::string, bool>> module_of(std::string_view path);
// `name` as written in a module: "..x" of the package a.b is a.x.
std::optional<std::string> absolute(std::string_view name, std::string_view module, bool package);

// Where imports begin: the packages that the user of a distribution imports.

// The package that has the distribution's name; else all that stand at the top, or below directories that are shared
// between distributions; in alphabetical order.
std::vector<ModuleId> roots_of(const Modules& modules, std::uint32_t distribution);

// Which files of an installation a call of ctypes or cffi in its Python code would open.

struct Named {
  process::ObjectIndex object;
  bool by_path = false;  // else dlopen has to search for the name as it is written
};
// library: PythonCall::library, `*` for what is not known, of a call in that file. By path; empty where no file of the
// installation is meant, or too many may be.
std::vector<Named> libraries_named(const Installation& installation, DistributionIndex distribution, MemberIndex file,
                                   std::string_view library);

}  // namespace wheelcheck::import_plan
