#include "bench/first_bytes.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace bench {
namespace {

constexpr std::array<std::uint8_t, 4> magic = {0x7F, 'E', 'L', 'F'};
constexpr unsigned end_of_block = 256, longest_code = 15;

// Reads bits, the lowest of each byte first; zeros after the end.
class Bits {
 public:
  explicit Bits(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint32_t peek(unsigned count) {
    if (have_ < count) refill();
    return static_cast<std::uint32_t>(hold_ & ((std::uint64_t{1} << count) - 1));
  }
  void drop(unsigned count) {
    hold_ >>= count;
    have_ -= count;
  }
  std::uint32_t take(unsigned count) {
    const std::uint32_t value = peek(count);
    drop(count);
    return value;
  }

 private:
  void refill() {
    while (have_ <= 56) {
      if (at_ < bytes_.size()) hold_ |= std::uint64_t{bytes_[at_]} << have_;
      ++at_;
      have_ += 8;
    }
  }
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::uint64_t hold_ = 0;
  unsigned have_ = 0;
};

std::uint32_t reversed(std::uint32_t code, unsigned length) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < length; ++i) result |= (code >> i & 1) << (length - 1 - i);
  return result;
}

// The canonical code of a few symbols (RFC 1951, section 3.2.2) as it occurs in the stream.
class Codes {
 public:
  explicit Codes(std::span<const std::uint8_t> lengths) : lengths_(lengths) {
    std::array<std::uint32_t, longest_code + 1> count{};
    for (const std::uint8_t length : lengths) ++count[length];
    count[0] = 0;
    for (unsigned bits = 1; bits <= longest_code; ++bits) first_[bits] = (first_[bits - 1] + count[bits - 1]) << 1;
  }
  bool next_is(Bits& bits, unsigned symbol) const {
    const unsigned length = lengths_[symbol];
    if (length == 0) return false;
    const auto before = std::count(lengths_.begin(), lengths_.begin() + symbol, lengths_[symbol]);
    if (bits.peek(length) != reversed(first_[length] + static_cast<std::uint32_t>(before), length)) return false;
    bits.drop(length);
    return true;
  }

 private:
  std::span<const std::uint8_t> lengths_;
  std::array<std::uint32_t, longest_code + 1> first_{};
};

struct Lengths {
  std::array<std::uint8_t, 288 + 32> of{};  // lengths of literals and match lengths, then of distances
  unsigned literals = 0;                    // number of literals and match lengths
};

// The code of the code lengths as a table that is indexed by the next 7 bits.
struct LengthCode {
  std::array<std::uint8_t, 128> symbol{}, bits{};
  explicit LengthCode(std::span<const std::uint8_t> lengths) {
    std::uint32_t code = 0;
    for (unsigned length = 1; length <= 7; ++length, code <<= 1) {
      for (unsigned one = 0; one < lengths.size(); ++one) {
        if (lengths[one] != length) continue;
        for (std::uint32_t at = reversed(code++, length); at < 128; at += 1U << length) {
          symbol[at] = static_cast<std::uint8_t>(one);
          bits[at] = static_cast<std::uint8_t>(length);
        }
      }
    }
  }
};

// False if the stream is malformed.
bool read_lengths(Bits& bits, Lengths& lengths) {
  static constexpr std::uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  lengths.literals = bits.take(5) + 257;
  const unsigned count = lengths.literals + bits.take(5) + 1;
  const unsigned described = bits.take(4) + 4;
  std::array<std::uint8_t, 19> of_lengths{};
  for (unsigned i = 0; i < described; ++i) of_lengths[order[i]] = static_cast<std::uint8_t>(bits.take(3));
  const LengthCode code(of_lengths);
  for (unsigned at = 0; at < count;) {
    const std::uint32_t next = bits.peek(7);
    if (code.bits[next] == 0) return false;
    bits.drop(code.bits[next]);
    const unsigned symbol = code.symbol[next];
    if (symbol < 16) {
      lengths.of[at++] = static_cast<std::uint8_t>(symbol);
      continue;
    }
    if (symbol == 16 && at == 0) return false;
    const std::uint8_t value = symbol == 16 ? lengths.of[at - 1] : std::uint8_t{0};
    const unsigned often = symbol == 16 ? 3 + bits.take(2) : symbol == 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    const unsigned last = at + often;
    if (last > count) return false;
    std::fill(lengths.of.begin() + at, lengths.of.begin() + last, value);
    at = last;
  }
  return true;
}

}  // namespace

Start start_of_stored(std::span<const std::uint8_t> bytes) {
  return std::ranges::equal(bytes.first(std::min(bytes.size(), magic.size())), magic) ? Start::Elf : Start::Other;
}

Start start_of_deflated(std::span<const std::uint8_t> packed) {
  if (packed.size() < 2) return Start::Unknown;
  Bits bits(packed);
  const unsigned type = bits.take(3) >> 1;
  if (type == 0) {  // stored: the length twice, starting at the next byte, then the bytes
    const bool holds_magic = packed.size() >= 5 + magic.size() && (packed[2] != 0 || packed[1] >= magic.size());
    return holds_magic ? start_of_stored(packed.subspan(5)) : Start::Unknown;
  }
  Lengths lengths;
  if (type == 1) {  // the fixed code (3.2.6)
    lengths.literals = 288;
    for (unsigned i = 0; i < 288; ++i) lengths.of[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  } else if (type != 2 || !read_lengths(bits, lengths)) {
    return Start::Unknown;
  }
  // The four bytes are different, so a compressor cannot have encoded any of them as a copy.
  const Codes codes(std::span(lengths.of).first(lengths.literals));
  for (const std::uint8_t byte : magic) {
    if (!codes.next_is(bits, byte)) return codes.next_is(bits, end_of_block) ? Start::Unknown : Start::Other;
  }
  return Start::Elf;
}

}  // namespace bench
