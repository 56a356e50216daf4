// Access to the bytes of one ELF file. A small file is in memory as a whole. Of a large file only the pages that a
// PageFilter selected are in memory, and other pages are fetched on demand. Image, below, gives access by address
// instead of offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "base/sparse.h"

namespace wheelcheck::elf {

struct FileRange {
  std::uint64_t begin = 0, end = 0;  // offsets in the file
};

class PageFilter;
struct CodeScan;

class File {
 public:
  File(std::span<const std::byte> whole) : bytes_(whole) {}  // NOLINT: implicit, a span is a file
  // `page_filter` has seen all bytes of the file.
  File(SparseBytes& pages, const PageFilter& page_filter)
      : bytes_(pages.bytes()), pages_(&pages), page_filter_(&page_filter) {}

  std::uint64_t size() const { return bytes_.size(); }
  bool contains(std::uint64_t offset, std::uint64_t length) const {
    return offset <= size() && length <= size() - offset;
  }
  // The range must be inside the file. Views are valid until done() is called for them.
  std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t length) const {
    if (pages_ != nullptr) pages_->need(offset, offset + length);
    return bytes_.subspan(offset, length);
  }
  std::optional<Bytes> slice(std::uint64_t offset, std::uint64_t length,
                             std::endian order = std::endian::little) const {
    if (!contains(offset, length)) return std::nullopt;
    return Bytes(bytes(offset, length), order);
  }
  // Visits a table of records piece by piece, so that only one piece has to be in memory. The size of each piece except
  // the last is a multiple of `record` bytes.
  void walk(FileRange table, std::uint64_t record, const std::function<void(std::span<const std::byte>)>& visit) const;
  // What a search looks for: only the marks that a PageFilter knows, or anything.
  enum class Search { Marks, Everything };
  // Visits the parts of a range that may contain what is searched for, in order. `margin` bytes before and after each
  // part are in memory as well; all other bytes read as zeros. `visit` returns the offset to continue at: the end of
  // the part, or later.
  void search(FileRange range, std::uint64_t margin, Search what,
              const std::function<std::uint64_t(FileRange part)>& visit) const;
  // The whole file, for search(). Bytes that are not in memory read as zeros.
  std::span<const std::byte> unchecked() const { return bytes_; }
  // What a PageFilter found in the code of the whole file; null if there is none.
  const CodeScan* code_scan() const;
  // Keeps these bytes in memory, because views into them are stored.
  void hold(FileRange range) const {
    if (pages_ != nullptr) pages_->hold(range.begin, range.end);
  }
  // Whether the byte is in memory: reading it costs nothing.
  bool is_here(std::uint64_t offset) const { return pages_ == nullptr || pages_->has(offset); }
  // Declares that these bytes are not needed again.
  void done(FileRange range) const {
    if (pages_ != nullptr) pages_->drop(range.begin, range.end);
  }
  // True if views into the file can be stored after reading. This is so for a large file, whose pages can be owned by
  // the facts.
  bool lasts() const { return pages_ != nullptr; }

 private:
  std::span<const std::byte> bytes_;
  SparseBytes* pages_ = nullptr;
  const PageFilter* page_filter_ = nullptr;
};

// The memory of a file after loading: a map from address to bytes, built from the PT_LOAD segments only. All tables of
// the dynamic section are read by address, and every access is checked.

// A program header with all fields widened to 64 bits.
struct Segment {
  std::uint32_t type = 0, flags = 0;
  std::uint64_t offset = 0, address = 0, file_size = 0, memory_size = 0, align = 0;
};

// The smallest page size of the machines that a wheel can name. The loader maps whole pages (glibc elf/dl-load.c,
// _dl_map_object_from_fd), so the bytes around a segment in its pages are in memory too.
inline constexpr std::uint64_t page_size = 4096;

class Image {
 public:
  // Maps the same bytes as glibc with pages of page_size (elf/dl-load.c, dl-map-segments.h): a later PT_LOAD replaces
  // an earlier one, as with MAP_FIXED. For a program the kernel maps the same, but does not reserve memory with the
  // first segment.
  Image(const File& file, std::span<const Segment> segments, bool shared_object, unsigned bits = 64);
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  // The range of the file from the byte at `address` to the end of its contiguous piece. nullopt if nothing or only
  // zeros are mapped there.
  std::optional<FileRange> place(std::uint64_t address) const;
  // The bytes from `address` to the end of its contiguous piece, at most `most`. Empty if place() is nullopt.
  std::span<const std::byte> from(std::uint64_t address, std::uint64_t max) const;
  // The text that a NUL ends within `max` bytes. nullopt if none does.
  std::optional<std::string_view> text(std::uint64_t address, std::uint64_t max) const {
    const std::string_view all = Bytes(from(address, max)).as_text();
    const std::size_t end = all.find('\0');
    return end == std::string_view::npos ? std::nullopt : std::optional(all.substr(0, end));
  }
  // Exactly `size` bytes. Pieces that are adjacent in memory but not in the file are copied together, up to a limit.
  // Valid as long as the Image exists.
  std::optional<std::span<const std::byte>> bytes(std::uint64_t address, std::uint64_t size) const;
  // Visits a table of records piece by piece (File::walk); the bytes are not kept. Returns false without a visit if
  // bytes() would return nullopt.
  bool walk(std::uint64_t address, std::uint64_t size, std::uint64_t record,
            const std::function<void(std::span<const std::byte>)>& visit) const;
  // Declares that these bytes are not needed again (File::done).
  void done(std::uint64_t address, std::uint64_t size) const;
  // Number of bytes mapped from `address` on without a gap, including zeros.
  std::uint64_t available(std::uint64_t address) const;
  // Number of those bytes that are writable (PF_W).
  std::uint64_t writable_space(std::uint64_t address) const { return room_in(writable_, address); }
  // Whether code at the address can run once the loader is done (PF_X, and not below PT_GNU_RELRO).
  bool is_executable(std::uint64_t address) const { return room_in(executable_, address) > 0; }

  struct Range {
    std::uint64_t begin = 0, end = 0;  // addresses
  };
  // The pages that the last PT_GNU_RELRO, which is the one that counts, makes read-only.
  static Range relro_of(std::span<const Segment> segments);

  // An address after wrap-around at the word size of the process.
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
    std::uint64_t run_end = 0;         // end of the contiguously mapped memory
    std::uint64_t offset = 0;          // file offset of `begin`
    bool zero = false;                 // zeros, not from the file
  };
  static void append(std::vector<Range>& ranges, Range range);
  static std::uint64_t room_in(std::span<const Range> ranges, std::uint64_t address);
  const Extent* find(std::uint64_t address) const;
  std::optional<std::span<const std::byte>> join(const Extent* first, std::uint64_t address, std::uint64_t size) const;

  const File& file_;
  unsigned bits_;
  std::vector<Extent> extents_;               // sorted by address, disjoint
  std::vector<Range> writable_, executable_;  // sorted, disjoint
  // A cache of join(). Only malicious files have tables in two pieces. It is not locked, because a file is read by one
  // thread.
  mutable std::deque<std::vector<std::byte>> joined_;
  mutable std::uint64_t joined_bytes_ = 0;
};

}  // namespace wheelcheck::elf
