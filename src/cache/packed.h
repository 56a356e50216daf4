// Lines as gzip members, which `zcat` reads as one text. The last member is a seal: the SHA-256 of all bytes before it,
// so that a file that was cut, changed or put together is known for one.
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
  // All lines and the seal, once; nothing where a line or the whole is longer than what unpack takes.
  std::optional<std::string> finish();

 private:
  void flush();

  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor_;
  std::string open_, packed_;  // lines that are not packed yet; members
  Sha2 hash_;                  // of packed_
  std::uint64_t bytes_ = 0;    // of all lines
  bool good_ = true;
};

// Hands over each line until `take` says no. True where all came, sealed, and were taken. Memory is bounded whatever
// the bytes are.
bool unpack(std::string_view packed, const std::function<bool(std::string_view line)>& take);

}  // namespace wheelcheck::cache
