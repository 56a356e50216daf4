// What the Python code of a wheel does to the loader: calls that open libraries or change how they are opened, read
// from the syntax tree. Plain data.
#pragma once

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
struct PythonFile {
  MemberIndex member;
  std::vector<PythonCall> calls;  // by line; empty where a file could not be read
  bool broken = false;            // the parser met errors; what it understood stands
  std::vector<PythonName> names;  // by line; holds ".so" as a file name does
};

}  // namespace wheelcheck
