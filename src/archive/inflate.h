// The bytes of a member, checked as they pass: whole where they are few, else as a stream that is never held here.
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

inline constexpr std::uint64_t whole_limit = std::uint64_t{12} << 20;  // packed and inflated; above it, a stream
inline constexpr std::size_t chunk_size = std::size_t{256} << 10;  // stays in the second-level cache while it is hashed

// Takes the inflated bytes in order. Every chunk but the last has chunk_size bytes, unless the whole member comes as
// one.
class Sink {
 public:
  virtual ~Sink() = default;
  // Where a stream shall be inflated to next; at least chunk_size bytes, or nothing: working memory of the thread.
  virtual std::span<std::byte> room() { return {}; }
  // The bytes are good until the thread unpacks again.
  virtual void take(std::span<const std::byte> chunk) = 0;
};

// Positions in a deflate stream from which it can be inflated again without its beginning.
class Trail {
 public:
  Trail();
  Trail(const Trail&) = delete;
  Trail& operator=(const Trail&) = delete;
  ~Trail();

 private:
  friend class Stream;
  struct Mark;
  std::vector<std::unique_ptr<const Mark>> marks_;  // by place
  std::unique_ptr<const Mark> last_;                // where the last second reading ended
};

// Sends the member to `sink` and demands its declared size and CRC-32, and that its stream fills its packed bytes.
// Never inflates more than one byte past the declared size. What the sink took before a failure is worth nothing.
// `trail`: is left for unpack_again.
Result<void> unpack(const File& file, const Entry& entry, Sink& sink, Trail* trail = nullptr);

// The bytes from `begin` to `end` once more, as unpack sent them with the same trail; bounds are multiples of 4096 or
// the member's end. Returns how many bytes were inflated for it: no more than those where the call before ended at
// `begin`.
Result<std::uint64_t> unpack_again(const File& file, const Entry& entry, Trail& trail, std::uint64_t begin,
                                   std::uint64_t end, Sink& sink);

// Gives back what this thread keeps between members.
void release_working_memory();

// Inflates the first bytes of a member, no more. Nothing where that fails.
std::optional<Start> read_start(const File& file, const Entry& entry);

}  // namespace wheelcheck::archive
