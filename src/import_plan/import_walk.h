// Executes the import events of Python files (python.h) in the order of an interpreter, and records what the loader
// opens, with which flags. The execution is approximate: both sides of an unknown condition are executed, a loop is
// executed once, and modules that are not in the installation are skipped.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "import_plan/modules.h"

namespace wheelcheck::import_plan {

struct SourcePosition {
  std::uint32_t distribution = 0;
  MemberIndex file;
  std::uint32_t line = 0;
  auto operator<=>(const SourcePosition&) const = default;
};
// The reason for non-default flags: a call of sys.setdlopenflags, or of ctypes with a mode.
struct Cause {
  SourcePosition place;
  std::uint32_t call = 0;                 // index into PythonFile::calls of that file
  std::optional<SourcePosition> through;  // the call in another file that ran the function with the call
  Reach reach = Reach::Certain;
};
// One open.
struct Opening {
  // An extension module that is imported. nullopt: a library that `cause` opens.
  std::optional<ElfIndex> module;
  std::uint32_t distribution = 0;
  std::uint32_t flags = 0;     // RTLD_* bits
  std::optional<Cause> cause;  // set for flags that are not the default, and for each library
  Reach reach = Reach::Certain;
};

// True if the event happens whenever its unit runs, and an exception leaves the unit.
bool is_certain(const PythonEvent& event);

class Run {
 public:
  // What is executed, of all events or of imports alone.
  enum class Follow : std::uint8_t {
    CertainImports,  // imports of modules that certainly run, and whose failure nothing catches; calls are not followed
    Likely,          // all but what has Reach::Possible
    Everything,
  };
  // default_flags: sys.getdlopenflags() at the start.
  Run(const Modules& modules, std::uint32_t default_flags, Follow follow)
      : modules_(modules), default_{default_flags, {}}, follow_(follow) {
    // Each module runs once, and nothing twice.
    if (follow == Follow::CertainImports) work_ = Budget(UINT64_MAX, walk_name);
  }

  // Starts again with a new process. The work limit is not reset.
  void restart();
  void import(ModuleId module);  // with the packages that contain it
  void import(std::string_view name) { load(name, Reach::Certain); }
  bool is_loaded(ModuleId module) const { return loaded_.contains(module); }
  const std::vector<ModuleId>& loaded() const { return order_; }  // in order

  // "the walk ... ended at its limit"; "" if it went to its end.
  std::string cut() const { return work_.cut(); }
  const std::vector<Opening>& openings() const { return openings_; }     // in order
  const std::vector<Cause>& global_imports() const { return globals_; }  // calls that set RTLD_GLOBAL for later imports

 private:
  enum class State : std::uint8_t { Fine, Unknown, Failed };  // whether a `try` ran to its end
  struct Flags {
    std::uint32_t bits = 2;
    std::optional<Cause> cause;
  };
  struct Frame {
    ModuleId module = 0;
    bool called = false;     // a function, not the body of a module
    std::uint32_t line = 0;  // the current line
    Reach reach = Reach::Certain;
  };
  using UnitKey = std::pair<ModuleId, std::uint32_t>;
  // What calls look up in a file; made at its first call.
  struct Names {
    std::map<std::string_view, std::uint32_t> units;    // by name
    std::map<std::string_view, std::uint32_t> imports;  // events of the body, by the names that they import
    std::vector<std::uint32_t> to_pause;                // by unit: the events up to the first Pause
  };

  const Names& names_of(ModuleId module) const;
  State load(std::string_view name, Reach reach);
  void load_one(ModuleId module, Reach reach);
  void execute(const Frame& frame, std::uint32_t first, std::uint32_t count);
  std::optional<Reach> reach_of(const PythonEvent& event, const Frame& frame) const;
  State perform(const PythonEvent& event, const Frame& frame);
  State import_event(const PythonEvent& event, const Frame& frame);
  State load_library(const PythonEvent& event, const Frame& frame);
  void call(const PythonEvent& event, const Frame& frame);
  void call_unit(ModuleId module, std::uint32_t unit, PythonAction action, const Frame& frame);
  void call_elsewhere(const PythonEvent& event, const Frame& frame);
  // The full name of `name` in a module that imported it from another one.
  std::optional<std::string> imported_as(ModuleId module, std::string_view name) const;
  void set_flags(const PythonEvent& event, const Frame& frame);
  Cause cause_of(const PythonEvent& event, const Frame& frame) const;
  SourcePosition place_of(const Frame& frame) const;

  const Modules& modules_;
  const Flags default_;
  const Follow follow_;
  Flags flags_ = default_;
  std::set<ModuleId> loaded_;
  std::vector<ModuleId> order_;                                   // of these
  std::map<std::pair<ModuleId, std::uint32_t>, State> attempts_;  // by module and number of the `try`
  std::map<std::pair<ModuleId, std::uint32_t>, Flags> saved_;     // by module and slot
  std::vector<Frame> stack_;
  std::set<UnitKey> running_;
  mutable std::map<ModuleId, Names> names_;
  std::set<std::pair<SourcePosition, std::uint32_t>> seen_;  // calls in `globals_` and libraries in `openings_`
  std::vector<Opening> openings_;
  std::vector<Cause> globals_;
  static constexpr std::string_view walk_name = "the walk through the imports of Python code";
  Budget work_{1'000'000, walk_name};  // events; the largest wheels have fewer
};

}  // namespace wheelcheck::import_plan
