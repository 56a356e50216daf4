// Decides, while the bytes of a large ELF file pass once, which of its pages its readers will ask for. It is a guess
// from the headers at the file's start and from the bytes themselves: what it lets go and somebody asks for after all
// is fetched again, so it decides about time, never about facts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elf/fatbin.h"
#include "elf/image.h"

namespace wheelcheck::elf {

class PageFilter {
 public:
  static constexpr std::uint64_t page = SparseBytes::page;

  // `most_unknown`: bytes of data that are kept because they may be tables.
  explicit PageFilter(std::uint64_t most_unknown = std::uint64_t{16} << 20) : most_unknown_(most_unknown) {}
  // `pages` takes what is kept; it must live as long as bytes come.
  void start(SparseBytes& pages);
  // In order; each chunk but the last has the same size, a multiple of that of a page.
  void take(std::span<const std::byte> chunk);

  // Whether the page at `offset` was searched for marks: the telling characters of texts, starts of fat binaries,
  // module slots. If so, and the page was not kept, it holds none.
  bool looked(std::uint64_t offset) const;
  // From `offset` on, up to `end`, where looked() changes.
  std::uint64_t same_until(std::uint64_t offset, std::uint64_t end) const;

 private:
  static constexpr std::uint64_t margin = 2048;  // bytes kept around a mark; more than the longest text
  static constexpr std::size_t seam = 64;        // bytes, more than a mark and what must stand beside it
  enum class What : std::uint8_t {               // the first that fits counts
    Kept,
    WritableData,
    Data,       // and tables of the loader
    Constants,  // data behind the code, where linkers put no table
    Passed,
  };
  struct Stretch {
    std::uint64_t end = 0;
    What what = What::Passed;
  };

  void plan(std::span<const std::byte> head);
  void look_over_seam(std::span<const std::byte> chunk);
  void look(std::span<const std::byte> chunk, FileRange part, bool writable);
  std::uint64_t follow(std::span<const std::byte> chunk, FileRange part);
  void mark(std::uint64_t at);
  void mark_range(std::uint64_t begin, std::uint64_t end);
  bool keeps(std::span<const std::byte> bytes, std::span<const std::byte> next, std::uint64_t at, What what);
  void let_through(std::span<const std::byte> chunk);

  SparseBytes* pages_ = nullptr;
  std::uint64_t at_ = 0;            // of the chunk in hand
  std::vector<Stretch> stretches_;  // of the whole file, in order
  std::size_t stretch_ = 0;
  std::vector<bool> marked_, looked_;  // by page
  std::vector<std::byte> last_page_;   // of the chunk before, if it was let go
  std::array<std::byte, seam> seam_{};
  std::uint64_t most_unknown_, unknown_ = 0;
  std::optional<FatbinWalk> walk_;  // through the fat binary that is passing
  std::uint64_t skip_until_ = 0;    // the end of the last one
  bool in_names_ = false;           // the page before, if no segment holds it, was full of names
  bool names_ahead_ = false;        // so is the page at `ahead_`
  std::uint64_t ahead_ = 0;
  std::uint64_t relocations_end_ = 0;  // of the last page of them that passed
  std::uint64_t word_ = 8;             // bytes
  bool little_endian_ = true;
};

}  // namespace wheelcheck::elf
