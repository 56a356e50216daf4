// The cache format: all facts of a wheel as lines of JSON. Facts that are read back are equal in everything that the
// resolution, a rule or a report uses. The first line is a header with the wheel and the version of the reader. The
// wheel, its members, each ELF file with its symbols, and the Python files follow. A line contains at most about 70,000
// symbols, so that neither side needs the whole text in memory. docs/cache.md describes the format.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::facts {

inline constexpr std::uint32_t kept_version = 3;  // version of the format

// Everything that the facts depend on.
struct KeptHeader {
  std::uint32_t version = kept_version;
  std::string reader;  // identifies the code that read the wheel
  std::string file;    // base name of the wheel; it determines the claimed tags and the installed paths
  std::string sha256;  // of the wheel, lower-case hex
  std::uint64_t size = 0;
  Limits limits;
};
std::string header_line(const KeptHeader& header);

// Calls `line` for one line after the other, without line feeds. Must not be called for facts of a directory.
void keep(const KeptHeader& header, const WheelFacts& wheel, const std::function<void(std::string_view)>& line);

// Reads the lines that keep() writes.
class KeptReader {
 public:
  KeptReader();
  KeptReader(const KeptReader&) = delete;
  KeptReader& operator=(const KeptReader&) = delete;
  ~KeptReader();

  // Returns false for a line that keep() does not write. Every index is checked against its table.
  bool take(std::string_view line);
  const std::optional<KeptHeader>& header() const;
  // The facts, without WheelFacts::path. nullopt if a line was rejected or is missing. The reader must not be used
  // afterwards.
  std::optional<WheelFacts> finish();

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

}  // namespace wheelcheck::facts
