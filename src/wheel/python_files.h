// Decides which members of a wheel are read as Python code, and in how much detail. Python code matters because it can
// load libraries and set the flags of dlopen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "archive/archive.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

// Python code that may load libraries. Files over the size limit are skipped. Files in a directory named `tests` are
// skipped as well, unless imports are followed.
bool is_python(const archive::Entry& entry, const Limits& limits);

enum class PythonReading : std::uint8_t {
  Names,    // names of libraries, in a file that loads none
  Calls,    // also calls that load libraries
  Events,   // also other events during import
  Imports,  // events during import, of every file
};

// How much of a file is read. Nothing if that depends on the other files: the file loads a library, and its events
// matter only if some other file of its wheel sets dlopen flags.
std::optional<PythonReading> reading_of(std::string_view source, const Limits& limits);

// Null for a file that neither loads nor names libraries, unless its imports are read.
std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading);

}  // namespace wheelcheck::wheel
