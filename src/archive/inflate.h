// The bytes of a member, as a stream: checked as they pass, and never held here.
#pragma once

#include <cstddef>
#include <span>

#include "archive/archive.h"
#include "archive/file.h"
#include "wheelcheck/result.h"

namespace wheelcheck::archive {

// Takes the inflated bytes in order. Every chunk but the last has chunk_size bytes, unless the whole member comes as
// one.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(std::span<const std::byte> chunk) = 0;
};
inline constexpr std::size_t chunk_size = std::size_t{256} << 10;  // stays in the second-level cache while it is hashed

// Sends the member to `sink` and demands its declared size and CRC-32, and that its stream fills its packed bytes.
// Never inflates more than one byte past the declared size. What the sink took before a failure is worth nothing.
Result<void> unpack(const File& file, const Entry& entry, Sink& sink);

}  // namespace wheelcheck::archive
