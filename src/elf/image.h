// The bytes of one ELF file as the readers of this room ask for them: all in memory, or a large file of which a
// PageFilter kept what is likely to be asked for and the rest is fetched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

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

// The memory that the loader would make of a file: address -> bytes, by PT_LOAD and nothing else. Every table of the
// dynamic section is read through it, and every access is checked.

struct Segment {  // a program header, widened to 64 bits
  std::uint32_t type = 0, flags = 0;
  std::uint64_t offset = 0, address = 0, file_size = 0, memory_size = 0, align = 0;
};

// The smallest page of any machine that a wheel can name. The loader maps whole pages (glibc elf/dl-load.c,
// _dl_map_object_from_fd): what lies beside a segment in its pages is in memory too.
inline constexpr std::uint64_t page_size = 4096;

class Image {
 public:
  // Byte for byte what glibc maps with pages of page_size (elf/dl-load.c, dl-map-segments.h): a later PT_LOAD lies over
  // an earlier one, as MAP_FIXED does. Of a program the kernel maps the same, but without the first one's reservation.
  Image(const File& file, std::span<const Segment> segments, bool shared_object, unsigned bits = 64);
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  // Where the byte at `address` lies in the file, and those behind it as far as they lie in one piece; nothing where
  // nothing is mapped, or only zeros.
  std::optional<FileRange> place(std::uint64_t address) const;
  // The bytes at `address` that lie in one piece of the file, at most `most`; empty where place() is nothing.
  std::span<const std::byte> from(std::uint64_t address, std::uint64_t most) const;
  // Exactly `size` bytes; pieces that adjoin in memory only are joined, up to a bound. Good as long as the Image lives.
  std::optional<std::span<const std::byte>> bytes(std::uint64_t address, std::uint64_t size) const;
  // A table of records of one size, piece by piece (File::walk), and not to be asked for again. False, and nothing is
  // visited, where bytes() would give nothing.
  bool walk(std::uint64_t address, std::uint64_t size, std::uint64_t record,
            const std::function<void(std::span<const std::byte>)>& visit) const;
  // These bytes will not be asked for any more (File::done).
  void done(std::uint64_t address, std::uint64_t size) const;
  // Bytes mapped from `address` on without a gap, zeros included.
  std::uint64_t room(std::uint64_t address) const;
  // Of those, the ones that the loader may write to (PF_W).
  std::uint64_t room_to_write(std::uint64_t address) const { return room_in(writable_, address); }
  // Whether code at the address can run once the loader is done (PF_X, and not below PT_GNU_RELRO).
  bool is_executable(std::uint64_t address) const { return room_in(executable_, address) > 0; }

  struct Range {
    std::uint64_t begin = 0, end = 0;  // addresses
  };
  // The pages that the last PT_GNU_RELRO, which is the one that counts, makes read-only.
  static Range relro_of(std::span<const Segment> segments);

  // An address is a sum that may wrap, as those of the process do.
  std::uint64_t wrapped(std::uint64_t address) const { return bits_ == 32 ? address & 0xFFFFFFFFU : address; }

  template <class Record>
  std::optional<Record> read(std::uint64_t address) const {
    static_assert(std::is_trivially_copyable_v<Record>);
    const auto place = bytes(address, sizeof(Record));
    if (!place) return std::nullopt;
    Record record;
    std::memcpy(&record, place->data(), sizeof(Record));
    return record;
  }

 private:
  struct Extent {
    std::uint64_t begin = 0, end = 0;  // addresses
    std::uint64_t run_end = 0;         // up to where memory is mapped without a gap
    std::uint64_t offset = 0;          // of `begin` in the file
    bool zero = false;                 // memory without file behind it
  };
  static void append(std::vector<Range>& ranges, Range range);
  static std::uint64_t room_in(std::span<const Range> ranges, std::uint64_t address);
  const Extent* find(std::uint64_t address) const;
  std::optional<std::span<const std::byte>> join(const Extent* first, std::uint64_t address, std::uint64_t size) const;

  const File& file_;
  unsigned bits_;
  std::vector<Extent> extents_;               // by address, disjoint
  std::vector<Range> writable_, executable_;  // in order, disjoint
  // A cache of join(): tables over two pieces exist in hostile files only. One thread reads one file.
  mutable std::deque<std::vector<std::byte>> joined_;
  mutable std::uint64_t joined_bytes_ = 0;
};

}  // namespace wheelcheck::elf
