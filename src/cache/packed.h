// Lines of text stored as gzip members, which `zcat` decompresses to one text. The last member contains a checksum: the
// SHA-256 of all bytes before it. It detects a file that was truncated, changed or concatenated.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"

struct libdeflate_compressor;

namespace wheelcheck::cache {

class Packer {
 public:
  Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  ~Packer();

  void add(std::string_view line);  // without its line feed
  // Returns all lines and the checksum; call it once. Nothing if a line or the whole exceeds the limits of unpack.
  std::optional<std::string> finish();

 private:
  void flush();

  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor_;
  std::string open_, packed_;  // open_: lines that are not compressed yet; packed_: gzip members
  Sha2 hash_;                  // of packed_
  std::uint64_t bytes_ = 0;    // of all lines
  bool good_ = true;
};

// Passes each line to `take` until it returns false. True if all lines were taken and the checksum is correct. Memory
// is bounded for any input.
bool unpack(std::string_view packed, const std::function<bool(std::string_view line)>& take);

}  // namespace wheelcheck::cache
