// The reading of a distribution, wherever its files lie: an archive, an unpacked wheel, an environment.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "base/bytes.h"
#include "wheel/json_files.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

// `facts` comes with its name, file and path; with dist_info where that is not the one *.dist-info at the root.
Result<WheelFacts> read_source(const archive::Source& source, WheelFacts facts, const Limits& limits, unsigned jobs,
                               const Progress& progress);

// What is known of a member once its bytes have passed, and the Python code whose reading waits for the other members.

inline std::string_view text_of(std::span<const std::byte> bytes) { return Bytes(bytes).as_text(); }

// What one member's bytes gave; the bytes themselves are gone, but for the dist-info files that are read as text. Most
// members give a digest alone, and there may be a hundred thousand.
struct Reading {
  std::string sha256;
  std::unique_ptr<ElfFacts> elf;
  std::unique_ptr<PythonFile> python;
  std::unique_ptr<std::string> text;
  std::unique_ptr<JsonReading> json;
  std::unique_ptr<std::string> waiting;  // Python code that is still to be read
  std::unique_ptr<Error> error;
  ForeignKind foreign = ForeignKind::None;
  bool waits = false;  // its Python code is still to be read, whether or not it found room
};

// How many bytes of Python code may wait. What finds no room is inflated once more.
class WaitingRoom {
 public:
  bool enter(std::size_t size) { return (taken_ += size) <= most; }

 private:
  static constexpr std::uint64_t most = std::uint64_t{8} << 20;
  std::atomic<std::uint64_t> taken_ = 0;
};

// Few wheels set RTLD_GLOBAL. As it holds for what is imported afterwards, it matters there what other files with such
// calls do when they are imported: their events are told as well. `readings`: by entry of the source.
Result<void> read_waiting(const archive::Source& source, std::span<Reading> readings, unsigned jobs);

}  // namespace wheelcheck::wheel
