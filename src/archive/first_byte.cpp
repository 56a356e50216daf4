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
  unsigned peek(unsigned count) {
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
  unsigned take(unsigned count) {
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

using Counts = std::array<unsigned, longest_code + 1>;  // of codes, by length

Counts count(std::span<const std::uint8_t> lengths) {
  Counts counts{};
  for (const std::uint8_t length : lengths) ++counts[length];
  return counts;
}

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

  explicit LengthCode(std::span<const std::uint8_t> lengths) {
    unsigned code = 0;
    for (unsigned length = 1; length <= longest_of_lengths; ++length, code <<= 1U) {
      for (unsigned one = 0; one < lengths.size(); ++one) {
        if (lengths[one] != length) continue;
        unsigned turned = 0;  // codes stand in the stream with their first bit lowest
        for (unsigned bit = 0; bit < length; ++bit) turned |= (code >> bit & 1U) << (length - 1 - bit);
        ++code;
        for (; turned < rows.size(); turned += 1U << length)
          rows[turned] = {static_cast<std::uint8_t>(one), static_cast<std::uint8_t>(length)};
      }
    }
  }
};

struct Lengths {
  std::array<std::uint8_t, most_literals + most_distances> of{};
  unsigned literals = 0, all = 0;
};

std::optional<Lengths> read_lengths(Bits& bits) {
  static constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
  Lengths lengths;
  lengths.literals = bits.take(5) + 257;
  const unsigned distances = bits.take(5) + 1, described = bits.take(4) + 4;
  if (lengths.literals > most_literals || distances > most_distances) return std::nullopt;
  lengths.all = lengths.literals + distances;
  std::array<std::uint8_t, order.size()> of_lengths{};
  for (unsigned i = 0; i < described; ++i) of_lengths[order[i]] = static_cast<std::uint8_t>(bits.take(3));
  if (set_of(count(of_lengths)) != Set::Complete) return std::nullopt;
  const LengthCode code(of_lengths);
  for (unsigned at = 0; at < lengths.all;) {
    const LengthCode::Row next = code.rows[bits.peek(longest_of_lengths)];
    bits.drop(next.bits);
    if (next.symbol < 16) {
      lengths.of[at++] = next.symbol;
      continue;
    }
    if (next.symbol == 16 && at == 0) return std::nullopt;
    const std::uint8_t value = next.symbol == 16 ? lengths.of[at - 1] : std::uint8_t{0};
    const unsigned often = next.symbol == 16   ? 3 + bits.take(2)
                           : next.symbol == 17 ? 3 + bits.take(3)
                                               : 11 + bits.take(7);
    if (often > lengths.all - at) return std::nullopt;
    std::fill_n(lengths.of.begin() + at, often, value);
    at += often;
  }
  return lengths;
}

std::optional<unsigned> first_symbol(Bits& bits) {
  const auto lengths = read_lengths(bits);
  if (!lengths || lengths->of[end_of_block] == 0) return std::nullopt;
  const auto all = std::span(lengths->of).first(lengths->all);
  const auto literals = all.first(lengths->literals);
  const Counts counts = count(literals), of_distances = count(all.subspan(lengths->literals));
  // A code of one symbol may be incomplete, and there may be no distance at all.
  const auto usable = [](const Counts& some) {
    const Set set = set_of(some);
    const bool longer = std::any_of(some.begin() + 2, some.end(), [](unsigned codes) { return codes != 0; });
    return set == Set::Complete || (set == Set::Incomplete && !longer);
  };
  if (set_of(counts) != Set::Complete || !usable(of_distances)) return std::nullopt;
  return symbol(bits, literals, counts);
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
