// Which members of a wheel are read as Python, and what of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "archive/archive.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

// Python code that may load libraries; a longer file than that is passed over, and what lies in a directory named
// `tests` as well, unless imports are followed.
bool is_python(const archive::Entry& entry, const Limits& limits);

enum class PythonReading : std::uint8_t {
  Names,    // of libraries, in a file that opens none
  Calls,    // that load, too
  Events,   // and what else happens at an import
  Imports,  // what happens at an import, of any file
};

// How a file is read. Nothing where that is known once the other files are read: it loads something, and cannot be the
// one of its wheel that sets flags of dlopen, for which its events matter.
std::optional<PythonReading> reading_of(std::string_view source, const Limits& limits);

// Nothing for a file that neither opens libraries nor names any, unless its imports are read.
std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading);

}  // namespace wheelcheck::wheel
