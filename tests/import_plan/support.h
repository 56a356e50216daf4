// Wheels whose Python files are given as text and read like those of a real wheel.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/read.h"
#include "tests/support/facts.h"

namespace wheelcheck::test {

struct Source {
  std::string path, text;
};
// Code whose functions call each other so often that no walk follows all calls; in the last one, `text` runs.
inline std::string calls_without_end(const std::string& text) {
  std::string code = "import ctypes, os, sys\ndef f30():\n    " + text + "\n";
  for (int i = 29; i >= 0; --i) code += fmt::format("def f{0}():\n    f{1}()\n    f{1}()\n", i, i + 1);
  return code + "f0()\n";
}

// A wheel with these .py files as `read` returns it: with all of them, or only those that may use the loader.
inline WheelBuilder with_python(WheelBuilder builder, const std::vector<Source>& sources, bool all = true) {
  for (const Source& source : sources) builder.member(source.path);
  return builder.edit([sources, all](WheelFacts& wheel) {
    wheel.all_python = all;
    for (std::uint32_t m = 0; m < wheel.members.size(); ++m)
      for (const Source& source : sources)
        if (source.path == wheel.members[m].path.text()) {
          if (python::is_worth_parsing(source.text)) {
            wheel.python.push_back(python::read_source(source.text, MemberIndex{m}));
          } else if (all) {
            wheel.python.push_back(python::read_imports(source.text, MemberIndex{m}));
          }
        }
  });
}

// A function like TensorFlow's that sets the flags, and files that call it.
inline const Source setter{"pkg/flags.py", R"(import ctypes
import sys

_can = hasattr(sys, 'getdlopenflags') and hasattr(sys, 'setdlopenflags')
if _can:
  _default_dlopen_flags = sys.getdlopenflags()


def set_dlopen_flags():
  if _can:
    sys.setdlopenflags(_default_dlopen_flags | ctypes.RTLD_GLOBAL)


def reset_dlopen_flags():
  if _can:
    sys.setdlopenflags(_default_dlopen_flags)
)"};
inline const Source caller{"pkg/load.py", R"(import ctypes
import sys

try:
  from pkg import flags
  _use_dlopen_global_flags = True
except ImportError:
  _use_dlopen_global_flags = False

_default_dlopen_flags = sys.getdlopenflags()

try:
  if _use_dlopen_global_flags:
    flags.set_dlopen_flags()
  else:
    sys.setdlopenflags(_default_dlopen_flags | ctypes.RTLD_LOCAL)
  try:
    from pkg._internal import *
  except ModuleNotFoundError:
    pass
  if _use_dlopen_global_flags:
    flags.reset_dlopen_flags()
  else:
    sys.setdlopenflags(_default_dlopen_flags)
except ImportError as error:
  raise ImportError('failed') from error
from pkg import _after
)"};

}  // namespace wheelcheck::test
