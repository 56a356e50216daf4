// The facts of a wheel as lines of JSON, all of them: what is read back is equal in everything that a rule, a
// resolution or a report looks at. The first line says of what and by whom; then come the wheel, its members, each ELF
// file with its symbols, the Python files. A line holds at most some 70,000 symbols, so that neither side ever holds
// the whole text. docs/cache.md describes the form.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::facts {

inline constexpr std::uint32_t kept_version = 3;  // of the form

// All that the facts depend on.
struct KeptHeader {
  std::uint32_t version = kept_version;
  std::string reader;  // the code that read the wheel
  std::string file;    // base name of the wheel, which tells what it claims and where its files go
  std::string sha256;  // of the wheel, lower-case hex
  std::uint64_t size = 0;
  Limits limits;
};
std::string header_line(const KeptHeader& header);

// Hands over one line after the other, without line feeds. Facts of a directory are not kept.
void keep(const KeptHeader& header, const WheelFacts& wheel, const std::function<void(std::string_view)>& line);

class KeptReader {
 public:
  KeptReader();
  KeptReader(const KeptReader&) = delete;
  KeptReader& operator=(const KeptReader&) = delete;
  ~KeptReader();

  // False: not what keep() hands over. Every index is held against its table.
  bool take(std::string_view line);
  const std::optional<KeptHeader>& header() const;
  // The facts, without a path; nothing where a line was not taken or is missing. Ends the reading.
  std::optional<WheelFacts> finish();

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

}  // namespace wheelcheck::facts
