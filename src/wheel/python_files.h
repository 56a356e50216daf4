// Which members of a wheel are read as Python, and what of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "archive/archive.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

// Python code that may load libraries; a longer file than that is passed over, and what lies in a directory named
// `tests` as well, unless imports are followed.
bool is_python(const archive::Entry& entry, const Limits& limits);

enum class PythonReading : std::uint8_t {
  Calls,    // calls that load; and what else happens at an import where these may set flags of dlopen
  Events,   // both, whatever the calls are
  Imports,  // what happens at an import, of any file
};

// Whether it loads something and cannot be the file of its wheel that sets flags of dlopen: whether its events are
// asked for is known once the others are read.
bool may_wait(std::string_view source);

// Nothing for a file that neither opens libraries nor names any, unless its imports are read.
std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading);

}  // namespace wheelcheck::wheel
