// Python code that influences the loader: calls that open libraries or change the flags of dlopen. They are found in
// the syntax tree of the .py files of a wheel; no Python code is executed. Plain data.
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
  SetDlopenFlags,  // sys.setdlopenflags(flags): flags of all later imports
  Cdll,            // ctypes.CDLL, PyDLL, cdll.LoadLibrary and the like
  CffiDlopen,      // ffi.dlopen(name, flags)
  FindLibrary,     // ctypes.util.find_library(name)
};
std::string_view name_of(LoadCall call);  // "sys.setdlopenflags"

// How certain it is that the import of the package runs the call.
enum class Reach {
  Possible,  // in a function that module-level code does not call, or under a condition on the environment
  Likely,    // under another condition, or in a function that module-level code calls
  Certain,   // at module level without a condition (`try` is not a condition)
};
std::string_view name_of(Reach reach);  // "certain"

// One call.
struct PythonCall {
  LoadCall call = LoadCall::Cdll;
  std::uint32_t line = 0;  // from 1
  // The library, as far as it can be computed; `*` replaces a part that cannot be computed: "libcudart.so.*". nullopt:
  // the argument is not a name (None, self), or nothing is known about it.
  std::optional<std::string> library;
  std::optional<std::uint32_t> flags;  // RTLD_* bits of glibc's dlfcn.h; nullopt: not given or not computable
  bool global = false;                 // flags include RTLD_GLOBAL (0x100), by value or by name
  Reach reach = Reach::Possible;
  std::string text;  // the call as written, white space reduced to single blanks, at most 200 bytes
};
// A string literal that names a shared library, however it is used. Libraries are often opened in a loop over a table
// of names.
struct PythonName {
  std::string text;  // `*` for the formatted parts: "libcudart.so.*"
  std::uint32_t line = 0;
};

// --- events: what a file does when it runs. They allow following imports from file to file. -----------------------
enum class PythonAction : std::uint8_t {
  Import,     // import module, from module import names
  Call,       // a call of a function, or of a class, which runs its __init__
  Enter,      // `with function():` runs its code up to Pause, or the __enter__ of the class
  Leave,      // the end of that `with`: the code after Pause, or __exit__
  Pause,      // yield
  SaveFlags,  // sys.getdlopenflags()
  SetFlags,   // sys.setdlopenflags(flags)
  Load,       // a call in PythonFile::calls that opens a library
};
inline constexpr std::uint32_t no_python_index = UINT32_MAX;
// One action, in the order of execution.
struct PythonEvent {
  PythonAction action = PythonAction::Import;
  Reach reach = Reach::Certain;  // given that its unit runs and its condition is true
  std::uint32_t line = 0;
  std::uint32_t condition = no_python_index;  // index into PythonFile::conditions
  std::uint32_t attempt = no_python_index;    // number of the `try` with handlers whose body contains it
  // Call, Enter, Leave: the unit, if it is in this file. SaveFlags: number of the slot that receives the flags;
  // SetFlags: number of the slot that provides the unknown bits. SetFlags, Load: see `call`.
  std::uint32_t target = no_python_index;
  std::uint32_t call = no_python_index;  // index into PythonFile::calls
  std::uint32_t bits = 0, known = 0;     // SetFlags: value of the flags, and mask of the bits that are known
  // Import: the module as written; a relative one with its dots. Call, Enter, Leave: the name of a function in another
  // file, as imported: ".helper.set_flags".
  std::string name = {};
  // Import: the names after `from ... import`; "*" for all.
  std::vector<std::string> names = {};
};
// A condition: the body of a `try` ran to its end, or it did not.
struct PythonCondition {
  std::uint32_t attempt = 0;
  bool succeeds = false;
  std::uint32_t outer = no_python_index;  // index of another condition that must also be true
};
// The body of the module or of a function.
struct PythonUnit {
  std::string name;                    // name for other files: "set_flags", "Guard.__enter__"; "" if they cannot use it
  std::uint32_t first = 0, count = 0;  // range in PythonFile::events
};
// An environment variable that is set: os.environ["NAME"] = ..., os.environ.setdefault or os.putenv with a literal
// name.
struct PythonVariable {
  std::string name;
  std::uint32_t line = 0;
  Reach reach = Reach::Possible;
  std::string text;  // the line of the statement as written, at most 200 bytes
};
// The descriptor of a .proto file that the import of generated code (*_pb2.py) adds to the pool of the process.
struct PythonDescriptor {
  std::string file;                // name of the .proto file
  std::vector<std::string> names;  // full names of what it defines, sorted
  std::string digest;              // of the serialized descriptor: equal ones may be added twice
  std::uint32_t line = 0;
  // The releases of protobuf that accept the code: from the first on, before the second; "" if there is no limit.
  std::string since, before;
};
// A `raise` under a comparison, in code about versions, or a call of require_version("numpy<2") and the like: the
// package refuses other releases of what it imports.
struct PythonRefusal {
  std::uint32_t line = 0;
  std::string condition;  // the line of the comparison or call as written, at most 200 bytes
  std::string text;       // from the comparison to the end of the statement, or what is required; at most 600 bytes
};
// Why further calls of a file are possible.
enum class PythonCut : std::uint8_t {
  None,
  Bytecode,  // Python runs it, and not the source
  Encoding,  // other characters than its bytes in ASCII are the code (PEP 263)
  Text,      // exec or eval runs a text that loads libraries or is decoded
  Size,      // it and the code before it are longer than the limit
  Steps,     // it takes more steps than the limit
};

// What is known of one .py file.
struct PythonFile {
  MemberIndex member;
  std::vector<PythonCall> calls;         // by line; empty if the file could not be read
  bool broken = false;                   // the parser found syntax errors; the other facts are valid
  PythonCut cut = PythonCut::None;       // why it was not read completely
  std::vector<PythonName> names;         // by line; each contains ".so" as a file name does
  std::vector<PythonUnit> units = {};    // the module's body first; functions without events are omitted
  std::vector<PythonEvent> events = {};  // by unit, in the order of execution
  std::vector<PythonCondition> conditions = {};
  std::vector<PythonVariable> variables = {};  // by line; only present if all Python files are read (Limits::imports)
  std::vector<PythonDescriptor> descriptors = {};
  std::vector<PythonRefusal> refusals = {};  // by line; only present if all Python files are read
};

// True if a call of sys.setdlopenflags in the file sets RTLD_GLOBAL for later imports.
inline bool sets_global(const PythonFile& file) {
  return std::ranges::any_of(
      file.calls, [](const PythonCall& call) { return call.call == LoadCall::SetDlopenFlags && call.global; });
}

}  // namespace wheelcheck
