// RFC 1951, 3.2.3 to 3.2.7: a block's header, its codes, and one symbol.
#include "archive/first_byte.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace wheelcheck::archive {
namespace {

constexpr unsigned end_of_block = 256, longest_code = 15, longest_of_lengths = 7;
constexpr unsigned most_literals = 286, most_distances = 30;

// Bits from the lowest of each byte on.
class Bits {
 public:
  explicit Bits(std::span<const std::byte> bytes) : bytes_(bytes) {}
  // At most 16; zeros behind the end.
  [[gnu::always_inline]] unsigned peek(unsigned count) {
    if (have_ < count && bytes_.size() - std::min(at_, bytes_.size()) >= sizeof(std::uint32_t)) {
      const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes_[at_ + i]) << (8 * i); };
      hold_ |= std::uint64_t{byte(0) | byte(1) | byte(2) | byte(3)} << have_;
      at_ += sizeof(std::uint32_t);
      have_ += 8 * sizeof(std::uint32_t);
    }
    while (have_ < count) {
      const unsigned next = at_ < bytes_.size() ? std::to_integer<unsigned>(bytes_[at_]) : 0;
      hold_ |= std::uint64_t{next} << have_;
      ++at_;
      have_ += 8;
    }
    return static_cast<unsigned>(hold_) & ((1U << count) - 1);
  }
  void drop(unsigned count) {
    hold_ >>= count;
    have_ -= count;
  }
  [[gnu::always_inline]] unsigned take(unsigned count) {
    const unsigned value = peek(count);
    drop(count);
    return value;
  }
  // Of the bits taken so far, some were none of the stream's.
  bool past_end() const { return at_ > bytes_.size() && 8 * (at_ - bytes_.size()) > have_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  std::uint64_t hold_ = 0;
  unsigned have_ = 0;
};

// Of codes, by length; a length of 0 is none.
using Counts = std::array<unsigned, longest_code + 1>;

enum class Set : std::uint8_t { Complete, Incomplete, Oversubscribed };
Set set_of(const Counts& counts) {
  int left = 1;
  for (unsigned bits = 1; bits <= longest_code; ++bits) {
    left = 2 * left - static_cast<int>(counts[bits]);
    if (left < 0) return Set::Oversubscribed;
  }
  return left == 0 ? Set::Complete : Set::Incomplete;
}

// One symbol of a canonical code; nothing where no code begins so.
std::optional<unsigned> symbol(Bits& bits, std::span<const std::uint8_t> lengths, const Counts& counts) {
  unsigned code = 0, first = 0;
  for (unsigned length = 1; length <= longest_code; ++length) {
    code |= bits.take(1);
    if (code < first + counts[length]) {
      unsigned before = code - first;
      for (unsigned one = 0; one < lengths.size(); ++one)
        if (lengths[one] == length && before-- == 0) return one;
      return std::nullopt;
    }
    first = (first + counts[length]) << 1U;
    code <<= 1U;
  }
  return std::nullopt;
}

// The code of the code lengths as a table: what the next bits begin with.
struct LengthCode {
  struct Row {
    std::uint8_t symbol, bits;
  };
  std::array<Row, 1U << longest_of_lengths> rows;  // all of them are set, as the code is complete

  LengthCode(std::span<const std::uint8_t> lengths, const Counts& counts) {
    std::array<unsigned, longest_of_lengths + 1> next{};
    for (unsigned bits = 2; bits <= longest_of_lengths; ++bits) next[bits] = (next[bits - 1] + counts[bits - 1]) << 1U;
    for (unsigned one = 0; one < lengths.size(); ++one) {
      const unsigned bits = lengths[one];
      if (bits == 0) continue;
      // Codes stand in the stream with their first bit lowest.
      for (unsigned code = turned(next[bits]++, bits); code < rows.size(); code += 1U << bits)
        rows[code] = {static_cast<std::uint8_t>(one), static_cast<std::uint8_t>(bits)};
    }
  }

 private:
  static unsigned turned(unsigned code, unsigned bits) {
    unsigned out = 0;
    for (unsigned bit = 0; bit < bits; ++bit) out |= (code >> bit & 1U) << (bits - 1 - bit);
    return out;
  }
};

struct Lengths {
  std::array<std::uint8_t, most_literals + most_distances> of;
  unsigned literals = 0, all = 0;  // as many are set
  Counts of_literals{}, of_distances{};

  // `often` more symbols whose codes have that length.
  void add(unsigned& at, std::uint8_t length, unsigned often) {
    std::fill_n(of.begin() + at, often, length);
    const unsigned here = at < literals ? std::min(often, literals - at) : 0;
    of_literals[length] += here;
    of_distances[length] += often - here;
    at += often;
  }
};

// False where zlib would refuse them.
bool read_lengths(Bits& bits, Lengths& lengths) {
  static constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
  lengths.literals = bits.take(5) + 257;
  const unsigned distances = bits.take(5) + 1, described = bits.take(4) + 4;
  if (lengths.literals > most_literals || distances > most_distances) return false;
  lengths.all = lengths.literals + distances;
  std::array<std::uint8_t, order.size()> of_lengths{};
  Counts counts{};
  for (unsigned i = 0; i < described; ++i) ++counts[of_lengths[order[i]] = static_cast<std::uint8_t>(bits.take(3))];
  if (set_of(counts) != Set::Complete) return false;
  const LengthCode code(of_lengths, counts);
  for (unsigned at = 0; at < lengths.all;) {
    const LengthCode::Row next = code.rows[bits.peek(longest_of_lengths)];
    bits.drop(next.bits);
    if (next.symbol < 16) {
      lengths.add(at, next.symbol, 1);
      continue;
    }
    if (next.symbol == 16 && at == 0) return false;
    const std::uint8_t value = next.symbol == 16 ? lengths.of[at - 1] : std::uint8_t{0};
    const unsigned often = next.symbol == 16   ? 3 + bits.take(2)
                           : next.symbol == 17 ? 3 + bits.take(3)
                                               : 11 + bits.take(7);
    if (often > lengths.all - at) return false;
    lengths.add(at, value, often);
  }
  return true;
}

std::optional<unsigned> first_symbol(Bits& bits) {
  Lengths lengths;
  if (!read_lengths(bits, lengths) || lengths.of[end_of_block] == 0) return std::nullopt;
  // A code of one symbol may be incomplete, and there may be no distance at all.
  const auto usable = [](const Counts& some) {
    const Set set = set_of(some);
    const bool longer = std::any_of(some.begin() + 2, some.end(), [](unsigned codes) { return codes != 0; });
    return set == Set::Complete || (set == Set::Incomplete && !longer);
  };
  if (set_of(lengths.of_literals) != Set::Complete || !usable(lengths.of_distances)) return std::nullopt;
  return symbol(bits, std::span(lengths.of).first(lengths.literals), lengths.of_literals);
}

// The fixed code (3.2.6) of a literal has 8 bits up to 143, from 00110000 on, and 9 above, from 110010000 on.
std::optional<unsigned> first_fixed(Bits& bits) {
  unsigned code = 0;
  for (unsigned i = 0; i < 8; ++i) code = code << 1U | bits.take(1);
  if (code >= 0x30 && code < 0xC0) return code - 0x30;
  if (code >= 0xC8) return 144 + (code << 1U | bits.take(1)) - 0x190;
  return std::nullopt;
}

}  // namespace

std::optional<std::byte> first_byte(std::span<const std::byte> packed) {
  Bits bits(packed);
  std::optional<unsigned> symbol;
  switch (bits.take(3) >> 1U) {
    case 0:  // stored: its length twice, from the next byte on, then the bytes
      if (packed.size() < 6 || (packed[1] ^ packed[3]) != std::byte{0xFF} ||
          (packed[2] ^ packed[4]) != std::byte{0xFF} || (packed[1] | packed[2]) == std::byte{0})
        return std::nullopt;
      return packed[5];
    case 1:
      symbol = first_fixed(bits);
      break;
    case 2:
      symbol = first_symbol(bits);
      break;
    default:
      break;
  }
  if (!symbol || *symbol >= end_of_block || bits.past_end()) return std::nullopt;
  return static_cast<std::byte>(*symbol);
}

}  // namespace wheelcheck::archive
