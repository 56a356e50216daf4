// What the Python code of a wheel does to the loader: calls that open libraries or change how they are opened, read
// from the syntax tree. Plain data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/index.h"

namespace wheelcheck {

enum class LoadCall {
  SetDlopenFlags,  // sys.setdlopenflags(flags): every import that follows opens with them
  Cdll,            // ctypes.CDLL, PyDLL, cdll.LoadLibrary and the like
  CffiDlopen,      // ffi.dlopen(name, flags)
  FindLibrary,     // ctypes.util.find_library(name)
};
std::string_view name_of(LoadCall call);  // "sys.setdlopenflags"

// How sure it is that importing the package runs the call.
enum class Reach {
  Possible,  // in a function that nothing at module level calls, or behind a condition on the environment
  Likely,    // behind another condition, or in a function that code at module level calls
  Certain,   // at module level, unconditionally (`try` counts as unconditional)
};
std::string_view name_of(Reach reach);  // "certain"

struct PythonCall {
  LoadCall call = LoadCall::Cdll;
  std::uint32_t line = 0;  // from 1
  // The library, as far as it can be worked out; `*` stands for a part that cannot: "libcudart.so.*". nullopt: not a
  // name at all (None, self), or nothing is known of it.
  std::optional<std::string> library;
  std::optional<std::uint32_t> flags;  // RTLD_* bits of glibc's dlfcn.h; nullopt: not given, or cannot be worked out
  bool global = false;                 // flags hold RTLD_GLOBAL (0x100), by value or by name
  Reach reach = Reach::Possible;
  std::string text;  // the call as written, blanks folded, at most 200 bytes
};
// A string literal that names a shared library, whatever is done with it: tables of names are opened in loops.
struct PythonName {
  std::string text;  // `*` for what is filled in: "libcudart.so.*"
  std::uint32_t line = 0;
};

// --- what a file does when it runs, for whoever follows imports from file to file ---
enum class PythonAction : std::uint8_t {
  Import,     // import module, from module import names
  Call,       // of a function, or of a class, which runs its __init__
  Enter,      // with function(): its code up to Pause, or the __enter__ of the class
  Leave,      // the end of that `with`: the code behind Pause, or __exit__
  Pause,      // yield
  SaveFlags,  // sys.getdlopenflags()
  SetFlags,   // sys.setdlopenflags(flags)
  Load,       // a call of PythonFile::calls that opens a library
};
inline constexpr std::uint32_t no_python_index = UINT32_MAX;
struct PythonEvent {
  PythonAction action = PythonAction::Import;
  Reach reach = Reach::Certain;  // once its unit runs and its condition holds
  std::uint32_t line = 0;
  std::uint32_t condition = no_python_index;  // into PythonFile::conditions
  std::uint32_t attempt = no_python_index;    // the `try` with handlers whose body holds it, by number
  // Call, Enter, Leave: the unit, if it is one of this file. SaveFlags: a slot for the flags, by number; SetFlags: the
  // slot that gives the bits that are not known. SetFlags, Load: see `call`.
  std::uint32_t target = no_python_index;
  std::uint32_t call = no_python_index;  // into PythonFile::calls
  std::uint32_t bits = 0, known = 0;     // SetFlags: the flags, as far as they are known
  // Import: the module as written, relative ones with their dots. Call, Enter, Leave: the name of another file's
  // function, through the import that brought it: ".helper.set_flags".
  std::string name = {};
  std::vector<std::string> names = {};  // Import: what `from` takes out of the module; "*" for all
};
// Holds where the body of a `try` ran to its end, or where it did not.
struct PythonCondition {
  std::uint32_t attempt = 0;
  bool succeeds = false;
  std::uint32_t outer = no_python_index;  // another one that must hold as well
};
struct PythonUnit {                    // the module's body, or a function's
  std::string name;                    // as other files say it: "set_flags", "Guard.__enter__"; "" if they cannot
  std::uint32_t first = 0, count = 0;  // into PythonFile::events
};
// os.environ["NAME"] = ..., os.environ.setdefault, os.putenv with a literal name.
struct PythonVariable {
  std::string name;
  std::uint32_t line = 0;
  Reach reach = Reach::Possible;
  std::string text;  // the statement's line as written, at most 200 bytes
};
struct PythonFile {
  MemberIndex member;
  std::vector<PythonCall> calls;         // by line; empty where a file could not be read
  bool broken = false;                   // the parser met errors; what it understood stands
  bool cut = false;                      // to read all of it costs more than a file may: there may be more calls
  std::vector<PythonName> names;         // by line; holds ".so" as a file name does
  std::vector<PythonUnit> units = {};    // the module's body first; functions without events are left out
  std::vector<PythonEvent> events = {};  // by unit, in the order of execution
  std::vector<PythonCondition> conditions = {};
  std::vector<PythonVariable> variables = {};  // that it sets, by line; only where all Python files are read
};

// Imports that follow one of its calls of sys.setdlopenflags open with RTLD_GLOBAL.
inline bool sets_global(const PythonFile& file) {
  return std::ranges::any_of(
      file.calls, [](const PythonCall& call) { return call.call == LoadCall::SetDlopenFlags && call.global; });
}

}  // namespace wheelcheck
