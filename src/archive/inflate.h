// Inflates the bytes of a member and checks its size and CRC-32. Small members are inflated at once; larger ones as a
// stream of chunks, so that memory stays bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "archive/archive.h"
#include "archive/file.h"
#include "wheelcheck/result.h"

namespace wheelcheck::archive {

// packed and inflated bytes; larger members are streamed
inline constexpr std::uint64_t whole_limit = std::uint64_t{12} << 20;
inline constexpr std::size_t chunk_size = std::size_t{256} << 10;  // fits in the L2 cache while it is hashed

// Receives the inflated bytes in order. Every chunk except the last has chunk_size bytes, unless the whole member comes
// as one chunk.
class Sink {
 public:
  virtual ~Sink() = default;
  // The buffer for the next chunk of a stream: at least chunk_size bytes, or empty for the thread's working memory.
  virtual std::span<std::byte> buffer() { return {}; }
  // The bytes are valid until the thread unpacks again.
  virtual void take(std::span<const std::byte> chunk) = 0;
};

// Positions in a deflate stream at which inflating can resume without the data before them.
class Trail {
 public:
  Trail();
  Trail(const Trail&) = delete;
  Trail& operator=(const Trail&) = delete;
  ~Trail();

 private:
  friend class Stream;
  struct Mark;
  std::vector<std::unique_ptr<const Mark>> marks_;  // sorted by position
  std::unique_ptr<const Mark> last_;                // position where the last unpack_again() ended
};

// Sends the member to `sink`. Requires its declared size and CRC-32, and that its stream fills its packed bytes. Never
// inflates more than one byte past the declared size. After a failure the caller must discard what the sink received.
// `trail` is filled for unpack_again.
Result<void> unpack(const File& file, const Entry& entry, Sink& sink, Trail* trail = nullptr);

// Sends the bytes from `begin` to `end` again, as unpack did with the same trail. The bounds are multiples of 4096 or
// the member's end. Returns the number of bytes that were inflated for it, which is end - begin if the previous call
// ended at `begin`.
Result<std::uint64_t> unpack_again(const File& file, const Entry& entry, Trail& trail, std::uint64_t begin,
                                   std::uint64_t end, Sink& sink);

// Frees the memory that this thread keeps between members.
void release_working_memory();

// Inflates only the first bytes of a member. Nothing on failure.
std::optional<FirstBytes> read_start(const File& file, const Entry& entry);

}  // namespace wheelcheck::archive
