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

inline constexpr std::uint32_t cache_version = 11;  // version of the format

// Everything that the facts depend on.
struct CacheHeader {
  std::uint32_t version = cache_version;
  std::string reader;      // identifies the code that read the wheel
  std::string file;        // base name of the wheel; it determines the claimed tags and the installed paths
  std::string sha256;      // of the wheel, lower-case hex
  std::uint64_t size = 0;  // 0: a distribution of an environment; `sha256` is that of its files
  Limits limits;
};
std::string header_line(const CacheHeader& header);

// Calls `line` for one line after the other, without line feeds.
void write_lines(const CacheHeader& header, const WheelFacts& wheel, const std::function<void(std::string_view)>& line);

// Reads the lines that write_lines() writes.
class CacheReader {
 public:
  CacheReader();
  CacheReader(const CacheReader&) = delete;
  CacheReader& operator=(const CacheReader&) = delete;
  ~CacheReader();

  // Returns false for a line that write_lines() does not write. Every index is checked against its table.
  bool take(std::string_view line);
  const std::optional<CacheHeader>& header() const;
  // The facts, without WheelFacts::path. nullopt if a line was rejected or is missing. The reader must not be used
  // afterwards.
  std::optional<WheelFacts> finish();

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

}  // namespace wheelcheck::facts
