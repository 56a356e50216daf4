// Selects the pages of a large ELF file that are kept in memory. A file of a wheel is decompressed once, as a stream,
// and may be too large to keep as a whole. While the bytes pass, the filter guesses from the headers and the bytes
// which pages the readers will need. A page that is needed but was not kept is fetched again (decompressed a second
// time). The filter therefore affects only the time, never the facts.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elf/code_scan.h"
#include "elf/fatbin.h"
#include "elf/image.h"

namespace wheelcheck::elf {

class PageFilter {
 public:
  static constexpr std::uint64_t page = SparseBytes::page;
  static constexpr std::uint64_t max_tables = std::uint64_t{16} << 20;

  // Bytes of code that may still be kept, of all files that are being read.
  using CodeMemory = std::atomic<std::uint64_t>;

  // `max_unknown`: limit in bytes for data that is kept because it may be a table. Code is kept as far as
  // `code_memory` has room for it, which is returned at the end; none without it, or if there is far too little.
  explicit PageFilter(std::uint64_t max_unknown = max_tables, CodeMemory* code_memory = nullptr)
      : max_unknown_(max_unknown), code_memory_(code_memory) {}
  PageFilter(const PageFilter&) = delete;
  PageFilter& operator=(const PageFilter&) = delete;
  ~PageFilter();
  // `pages` receives the kept pages; it must exist until the last take().
  void start(SparseBytes& pages);
  // Takes the chunks in order. All chunks except the last have the same size, a multiple of the page size.
  void take(std::span<const std::byte> chunk);

  // True if the page at `offset` was searched for marks: characters that indicate texts, starts of fat binaries, module
  // slots. If such a page was not kept, it contains none.
  bool looked(std::uint64_t offset) const;
  // The first offset after `offset` where looked() changes, at most `end`.
  std::uint64_t same_until(std::uint64_t offset, std::uint64_t end) const;
  // The search of the code, if this is a library for x86-64 whose program headers were in the first chunk.
  const CodeScan* code_scan() const { return code_ ? &*code_ : nullptr; }

 private:
  static constexpr std::uint64_t margin = 2048;  // bytes kept before and after a mark; more than the longest text
  static constexpr std::size_t seam = 64;        // bytes; more than a mark with its neighbours
  // Classification of a range. If several apply, the first is used.
  enum class What : std::uint8_t {
    Kept,
    WritableData,
    Data,       // data or tables of the loader
    Constants,  // data after the code, where linkers do not put tables
    Passed,
  };
  struct Stretch {
    std::uint64_t end = 0;
    What what = What::Passed;
  };

  void plan(std::span<const std::byte> head);
  void take_memory_for(std::span<const FileRange> code);
  bool is_kept_code(std::uint64_t page_at) const;
  void look_over_seam(std::span<const std::byte> chunk);
  void look(std::span<const std::byte> chunk, FileRange part, bool writable);
  std::uint64_t follow(std::span<const std::byte> chunk, FileRange part);
  void mark(std::uint64_t at);
  void mark_range(std::uint64_t begin, std::uint64_t end);
  bool keeps(std::span<const std::byte> bytes, std::span<const std::byte> next, std::uint64_t at, What what);
  void let_through(std::span<const std::byte> chunk);

  SparseBytes* pages_ = nullptr;
  std::uint64_t at_ = 0;            // offset of the current chunk
  std::vector<Stretch> stretches_;  // classification of the whole file, in order
  std::size_t stretch_ = 0;
  std::vector<bool> marked_, looked_;  // by page
  std::vector<std::byte> last_page_;   // of the previous chunk, if it was not kept
  std::array<std::byte, seam> seam_{};
  std::uint64_t max_unknown_, unknown_ = 0;
  CodeMemory* code_memory_;
  std::uint64_t code_bytes_ = 0;  // of that memory
  std::vector<FileRange> kept_code_;
  std::optional<CodeScan> code_;
  std::optional<FatbinWalk> walk_;  // in the fat binary that is passing
  std::uint64_t skip_until_ = 0;    // end of the last fat binary
  // The previous page is outside of all segments and contains names.
  bool in_names_ = false;
  bool names_ahead_ = false;  // the page at `ahead_` contains names
  std::uint64_t ahead_ = 0;
  std::uint64_t relocations_end_ = 0;  // end of the last page of relocations
  std::uint64_t word_ = 8;             // word size, bytes
  bool little_endian_ = true;
};

}  // namespace wheelcheck::elf
