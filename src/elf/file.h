// The bytes of one ELF file as the readers of this room ask for them: all in memory, or a large file of which a
// PageFilter kept what is likely to be asked for and the rest is fetched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "base/sparse.h"

namespace wheelcheck::elf {

struct FileRange {
  std::uint64_t begin = 0, end = 0;  // offsets in the file
};

class PageFilter;

class File {
 public:
  File(std::span<const std::byte> whole) : bytes_(whole) {}  // NOLINT: a span is a file
  // `sieve` saw the file's bytes pass.
  File(SparseBytes& pages, const PageFilter& sieve) : bytes_(pages.bytes()), pages_(&pages), sieve_(&sieve) {}

  std::uint64_t size() const { return bytes_.size(); }
  bool contains(std::uint64_t offset, std::uint64_t length) const {
    return offset <= size() && length <= size() - offset;
  }
  // The range must lie in the file. Views stay good until done() is said of them.
  std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t length) const {
    if (pages_ != nullptr) pages_->need(offset, offset + length);
    return bytes_.subspan(offset, length);
  }
  std::optional<Bytes> slice(std::uint64_t offset, std::uint64_t length,
                             std::endian order = std::endian::little) const {
    if (!contains(offset, length)) return std::nullopt;
    return Bytes(bytes(offset, length), order);
  }
  // A table of many records, piece by piece, so that no more than one piece need be in memory. Pieces are multiples of
  // `record` bytes, but for a rest.
  void walk(FileRange table, std::uint64_t record, const std::function<void(std::span<const std::byte>)>& visit) const;
  // What for a reader searches the data: a sieve looks for some things only.
  enum class Search { Marks, Everything };
  // Visits those parts of a range, in order, in which something may be found; of the bytes around each, `margin` on
  // either side are there as well, and all others read as zeros. `visit` returns where to go on: the part's end, or
  // behind it.
  void search(FileRange range, std::uint64_t margin, Search what,
              const std::function<std::uint64_t(FileRange part)>& visit) const;
  // The bytes of all of the file's offsets, for search(): what nobody asked for may read as zeros.
  std::span<const std::byte> unchecked() const { return bytes_; }
  // Views into these bytes are kept, whatever else is done.
  void hold(FileRange range) const {
    if (pages_ != nullptr) pages_->hold(range.begin, range.end);
  }
  // These bytes will not be asked for any more.
  void done(FileRange range) const {
    if (pages_ != nullptr) pages_->drop(range.begin, range.end);
  }
  // Whether a view into the file can be kept after the reading, as a large file's can, by whoever holds its pages.
  bool lasts() const { return pages_ != nullptr; }

 private:
  std::span<const std::byte> bytes_;
  SparseBytes* pages_ = nullptr;
  const PageFilter* sieve_ = nullptr;
};

}  // namespace wheelcheck::elf
