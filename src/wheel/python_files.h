// Decides which members of a wheel are read as Python code, and in how much detail. Python code matters because it can
// load libraries and set the flags of dlopen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

enum class PythonForm : std::uint8_t {
  None,
  Module,    // .py
  PathFile,  // .pth in site-packages: Python runs the lines that begin with "import" when it starts (Lib/site.py)
  Script,    // of *.data/scripts: Python if its first line says so
};

// Python code that may load libraries. Files in a directory named `tests` are skipped, unless imports are followed.
PythonForm python_form(const archive::Entry& entry, const Limits& limits);
// Whether the first line of a script runs Python.
bool runs_python(std::string_view script);
// The code of a file as Python reads it: of a .pth, the lines that Python runs, with the numbers that they have in the
// file; with its ends of lines and forms of names. If it is not the text itself, `room` contains it.
std::string_view code_of(const archive::Entry& entry, std::string_view text, std::string& room);
// Compiled code, and whether it is other code than its source shows: Python imports a file outside of __pycache__
// without a source, and one inside without a look at the source if it says so (PEP 552). Installers write the other
// ones again, or Python does.
bool is_bytecode(const archive::Entry& entry, const Limits& limits);
bool hides_code(std::string_view path, std::string_view bytecode);
// A longer file is only searched for words that load libraries; of its imports, what is left without the functions that
// no import runs is read (modules of SWIG consist of thousands of them).
bool is_too_long(const archive::Entry& entry, const Limits& limits);
// The longest file that is searched.
inline constexpr std::uint64_t most_searched = std::uint64_t{16} << 20;
// Whether CPython reads other code than the bytes show, because a comment names an encoding (PEP 263) in which ASCII
// bytes may be something else.
bool has_other_encoding(std::string_view source);
// The facts of a file that was not read.
std::unique_ptr<PythonFile> not_read(MemberIndex member);

// How much code of a wheel is parsed: a count of bytes that grows with the packed wheel, so that no more time is spent
// than for inflating, and the same for every number of threads. The real wheels of the tests need less than a third.
// Dense code counts by its tokens, because they are what the parser needs time for.
class PythonBudget {
 public:
  explicit PythonBudget(std::span<const archive::Entry> entries);
  // Call it in the order of the members.
  bool admits(std::uint64_t size, std::uint64_t tokens);

  static constexpr std::uint64_t for_token = 4;

 private:
  static constexpr std::uint64_t base = std::uint64_t{1} << 20, for_packed_byte = 2, for_file = 8192;
  std::uint64_t left_ = base;
};

// How many tokens of a file the parser gets: at most, if the file is not denser than real code.
std::uint32_t tokens_to_parse(std::string_view source);

enum class PythonReading : std::uint8_t {
  Names,    // names of libraries, in a file that loads none
  Calls,    // also calls that load libraries
  Events,   // also other events during import
  Imports,  // events during import, of every file
};

// How much of a file is read. Nothing if that depends on the other files: the file loads a library, its events matter
// only if some file of its wheel sets dlopen flags, and all such files share one budget. If imports are followed: the
// file belongs to a test suite, which is read only if code outside of test suites imports one.
std::optional<PythonReading> reading_of(const archive::Entry& entry, std::string_view source, const Limits& limits);
bool imports_test_suite(const PythonFile& file);

// The same for a file that is_too_long: null if nothing in it matters, not_read() if it cannot be told.
std::unique_ptr<PythonFile> read_long_python(std::string_view source, MemberIndex member, const Limits& limits);
// Null for a file that neither loads nor names libraries, unless its imports are read.
std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading);

}  // namespace wheelcheck::wheel
