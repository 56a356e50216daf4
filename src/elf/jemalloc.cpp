// pages_boot (jemalloc, src/pages.c) compares the pages of the system with the size that was compiled in:
//    os_page = sysconf(_SC_PAGESIZE);
//    if (os_page > PAGE) { malloc_write("<jemalloc>: Unsupported system page size\n"); ... return true; }
// The number is in the comparison. It is believed if the number 30 (_SC_PAGESIZE) is loaded before it, and the branch
// behind it leads to code that loads the address of the message. GCC may place the comparison at the end of the
// function, because it expects that sysconf fails.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <vector>

#include "code/instruction.h"
#include "elf/interfaces.h"
#include "elf/llvm_types.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

constexpr std::string_view message = "<jemalloc>: Unsupported system page size";
constexpr std::uint64_t bytes_around = 8192;  // of the comparison
constexpr std::int64_t words_to_prologue = 64, words_to_branch = 6, words_of_message = 8;
constexpr std::uint64_t words_to_argument = 256;
constexpr std::size_t max_searched = 16, max_candidates = 4096;

// Where the message must be if the comparison is that of pages_boot.
struct Candidate {
  std::uint64_t page_bytes = 0, message = 0;
};

constexpr std::int64_t signed_bits(std::uint32_t value, int bits) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << (64 - bits)) >> (64 - bits);
}

class Search {
 public:
  // `shift`: address minus offset in the file.
  Search(std::span<const std::byte> file, std::uint64_t shift, bool arm) : file_(file), shift_(shift), arm_(arm) {}

  void part(FileRange part) {
    const std::uint64_t begin = (part.begin + 3) / 4 * 4, before = 4 * words_to_argument;
    std::optional<std::uint64_t> argument;  // the last place that loads it
    for (std::uint64_t at = begin - std::min(begin, before); at + 4 <= part.end; at += 4) {
      const std::uint64_t bytes = arm_ ? arm_comparison(at) : power_comparison(at);
      if (at >= begin && bytes >= page_size && std::has_single_bit(bytes) && argument && at - *argument <= before)
        branch(at, bytes);
      if (word(at) == (arm_ ? 0x528003C0 : 0x3860001E)) argument = at;  // mov w0, #30; li r3, 30
    }
  }
  std::vector<Candidate> candidates;

 private:
  std::uint32_t word(std::uint64_t at, std::int64_t plus = 0) const {
    std::uint32_t value = 0;
    at += static_cast<std::uint64_t>(4 * plus);
    if (at < file_.size() && file_.size() - at >= 4) std::memcpy(&value, file_.data() + at, sizeof value);
    return value;
  }

  // cmp xN, #number, lsl #12
  std::uint64_t arm_comparison(std::uint64_t at) const {
    const std::uint32_t now = word(at);
    return (now & 0xFFC0001F) == 0xF140001F ? std::uint64_t{now >> 10 & 0xFFF} << 12 : 0;
  }
  // cmpldi rN, number; or lis rM, number and cmpld rN, rM
  std::uint64_t power_comparison(std::uint64_t at) const {
    const std::uint32_t now = word(at);
    if ((now & 0xFC600000) == 0x28200000) return now & 0xFFFF;
    if ((now & 0xFC6007FF) != 0x7C200040) return 0;
    const std::uint32_t number = now >> 11 & 31;
    for (std::int64_t i = 1; i <= words_to_branch; ++i)
      if (const std::uint32_t before = word(at, -i); (before & 0xFFFF0000) == (0x3C000000 | number << 21))
        return std::uint64_t{before & 0x7FFF} << 16;
    return 0;
  }
  // The next branch for unsigned > or <=.
  void branch(std::uint64_t comparison, std::uint64_t bytes) {
    for (std::int64_t i = 1; i <= words_to_branch; ++i) {
      const std::uint32_t now = word(comparison, i);
      const std::uint64_t at = comparison + static_cast<std::uint64_t>(4 * i);
      const bool above = arm_ ? (now & 0xFF00001F) == 0x54000008
                              : (now & 0xFFC30003) == 0x41810000 || (now & 0xFFC30003) == 0x41C10000;
      const bool below = arm_ ? (now & 0xFF00001F) == 0x54000009
                              : (now & 0xFFC30003) == 0x40810000 || (now & 0xFFC30003) == 0x40C10000;
      const std::int64_t offset = arm_ ? signed_bits(now >> 5 & 0x7FFFF, 19) * 4 : signed_bits(now & 0xFFFC, 16);
      if (above || below) return follow(comparison, below ? at + 4 : at + static_cast<std::uint64_t>(offset), bytes);
    }
  }
  // Takes the first address that the code there loads.
  void follow(std::uint64_t comparison, std::uint64_t at, std::uint64_t bytes) {
    for (std::int64_t i = 0; i < words_of_message && candidates.size() < max_candidates; ++i) {
      const std::uint32_t now = word(at, i);
      const std::uint64_t address = at + shift_ + static_cast<std::uint64_t>(4 * i);
      if (arm_ && (now & 0x9F000000) == 0x90000000) {  // adrp xN
        const std::uint64_t page = code::adr_target(now, address, 4096);
        for (std::int64_t k = i + 1; k < words_of_message; ++k)  // add x, xN, #offset
          if (const std::uint32_t add = word(at, k); (add & 0xFFC003E0) == (0x91000000 | (now & 31) << 5))
            candidates.push_back({bytes, page + (add >> 10 & 0xFFF)});
        return;
      }
      if (!arm_ && (now & 0xFC1F0000) == 0x3C020000) {  // addis rN, r2, high
        const std::uint32_t target = now >> 21 & 31;
        for (std::int64_t k = i + 1; k < words_of_message; ++k)  // addi r, rN, low
          if (const std::uint32_t add = word(at, k); (add & 0xFC1F0000) == (0x38000000 | target << 16))
            candidates.push_back({bytes, table_of_contents(comparison) + high(now) + low(add)});
        return;
      }
    }
  }
  static std::uint64_t low(std::uint32_t instruction) {
    return static_cast<std::uint64_t>(signed_bits(instruction & 0xFFFF, 16));
  }
  static std::uint64_t high(std::uint32_t instruction) { return low(instruction) << 16; }
  // r2 of the function (ELFv2 ABI, 2.3.2.1): it starts with addis r2, r12, high; addi r2, r2, low; r12 is its address.
  std::uint64_t table_of_contents(std::uint64_t at) const {
    for (std::int64_t i = 1; i <= words_to_prologue; ++i)
      if (const std::uint32_t first = word(at, -i), second = word(at, 1 - i);
          (first & 0xFFFF0000) == 0x3C4C0000 && (second & 0xFFFF0000) == 0x38420000)
        return at + shift_ - static_cast<std::uint64_t>(4 * i) + high(first) + low(second);
    return 0;
  }

  std::span<const std::byte> file_;
  std::uint64_t shift_;
  bool arm_;
};

}  // namespace

std::optional<std::uint64_t> read_jemalloc_page(const File& file, const Image& image, std::span<const Segment> segments,
                                                const Header& header) {
  const bool arm = header.machine == EM_AARCH64;
  if ((!arm && header.machine != EM_PPC64) || header.bits != 64 || !header.little_endian) return std::nullopt;
  std::uint64_t left = file.size();  // segments lie beside each other
  std::size_t searched = 0;
  for (const Segment& segment : segments) {
    if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0 || segment.offset >= file.size()) continue;
    if (++searched > max_searched) break;
    const std::uint64_t size = std::min({segment.file_size, file.size() - segment.offset, left});
    left -= size;
    Search search(file.unchecked(), segment.address - segment.offset, arm);
    file.search({segment.offset, segment.offset + size}, bytes_around, File::Search::Everything, [&](FileRange part) {
      search.part(part);
      return part.end;
    });
    for (const Candidate& candidate : search.candidates)
      if (Bytes(image.from(candidate.message, message.size())).as_text() == message) return candidate.page_bytes;
  }
  return std::nullopt;
}

}  // namespace wheelcheck::elf
