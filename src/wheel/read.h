// Reads the facts of a distribution from any source: an archive, an unpacked wheel, or an environment. The members are
// read in parallel, each in one pass over its bytes. A second pass reads the Python code whose meaning depends on other
// members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "base/bytes.h"
#include "wheel/json_files.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

enum class Members { All, Python };  // Python: what has Python code, and the files of .dist-info

// `facts` contains name, file and path, and dist_info if it is not the only *.dist-info directory at the root.
Result<WheelFacts> read_source(const archive::Source& source, WheelFacts facts, const Limits& limits, unsigned jobs,
                               const Progress& progress, Members which = Members::All);
// The Python code of an archive that was read before. To inflate the ELF files again takes as long as the first time.
Result<std::vector<PythonFile>> read_python_again(const OpenedInput& input, const Limits& limits, unsigned jobs);

inline std::string_view text_of(std::span<const std::byte> bytes) { return Bytes(bytes).as_text(); }

// The result for one member. Its bytes are already freed, except dist-info files that are read as text. Most members
// have only a digest, and a wheel may have a hundred thousand members, so the other fields are pointers.
struct Reading {
  std::string sha256;
  std::unique_ptr<ElfFacts> elf;
  std::unique_ptr<PythonFile> python;
  std::unique_ptr<std::string> text;
  std::unique_ptr<JsonReading> json;
  std::unique_ptr<ScriptLine> script_line;
  std::vector<std::string_view> names_data;  // DataNames::named_in() its code
  std::unique_ptr<std::string> waiting;      // Python code that is read later
  std::unique_ptr<Error> error;
  ForeignKind foreign = ForeignKind::None;
  std::uint32_t tokens = 0;  // of Python code that is read later
  bool waits = false;        // Python code is read later, whether or not `waiting` contains it
  bool sets_flags = false;   // and may set flags of dlopen
  // Python code imports a module that the wheel should contain and lacks, or opens a library by its file name, so that
  // all imports of the wheel are read.
  bool needs_imports = false;
};

}  // namespace wheelcheck::wheel
