// Searches bytes for positions at which two adjacent bytes satisfy a condition, with SIMD over 16 or 32 positions at a
// time. Every byte of a wheel passes through such searches, so they must cost less than inflating the wheel.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/cpu.h"

namespace wheelcheck {

using Block [[gnu::vector_size(16)]] = unsigned char;
inline constexpr std::size_t block_size = sizeof(Block);

namespace pairs {

[[gnu::always_inline]] inline Block load(const char* at) {
  Block bytes;
  std::memcpy(&bytes, at, block_size);
  return bytes;
}

// Shifts each lane to the lane before it; the last lane becomes 0.
[[gnu::always_inline]] inline Block without_first(Block bytes) {
  return __builtin_shufflevector(bytes, Block{}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

// The result of the predicate `test` for a block and the bytes that follow each of its bytes: one byte per lane, 0 for
// false.
using Lanes = std::array<std::uint64_t, 2>;
template <class Test>
[[gnu::always_inline]] inline Lanes apply(Test test, const Block& bytes, const Block& next) {
  decltype(bytes == next) marks;
  test(bytes, next, marks);
  return std::bit_cast<Lanes>(marks);
}

// Calls `visit` with the index of each lane that is not zero, in order, until it returns true. Returns whether it did.
template <class Visit>
bool any_lane(const Lanes& lanes, Visit visit) {
  for (std::size_t half = 0; half < 2; ++half) {
    for (std::uint64_t left = lanes[half]; left != 0;) {
      constexpr bool little = std::endian::native == std::endian::little;
      const auto lane = static_cast<unsigned>(little ? std::countr_zero(left) : std::countl_zero(left)) / 8;
      left &= ~(std::uint64_t{0xFF} << (little ? 8 * lane : 56 - 8 * lane));
      if (visit(8 * half + lane)) return true;
    }
  }
  return false;
}

#if defined(__x86_64__)
inline constexpr std::size_t least_for_wide = 256;  // bytes; for a shorter range the setup costs more than it saves

// any_pair() with AVX2, from `at` on, while two whole blocks and one more byte remain. On return `at` is the position
// where it stopped.
template <class Test, class Visit>
[[gnu::target("avx2")]] bool any_wide(std::string_view text, std::size_t& at, std::size_t end, Test test, Visit visit) {
  using Wide [[gnu::vector_size(32)]] = unsigned char;
  using Signs [[gnu::vector_size(32)]] = char;
  constexpr std::size_t size = sizeof(Wide);
  for (; at + 2 * size <= end && at + 2 * size < text.size(); at += 2 * size) {
    std::uint64_t found = 0;
    for (std::size_t half = 0; half < 2; ++half) {
      Wide bytes, next;
      std::memcpy(&bytes, text.data() + at + half * size, size);
      std::memcpy(&next, text.data() + at + half * size + 1, size);
      decltype(bytes == next) marks;
      test(bytes, next, marks);
      Signs signs;
      std::memcpy(&signs, &marks, size);
      const auto lanes = static_cast<std::uint32_t>(__builtin_ia32_pmovmskb256(signs));
      found |= std::uint64_t{lanes} << (half * size);
    }
    for (; found != 0; found &= found - 1)
      if (visit(at + static_cast<std::size_t>(std::countr_zero(found)))) return true;
  }
  return false;
}
#endif

}  // namespace pairs

// Calls `visit` with each position in [begin, end) at which `test` is true for the byte and the one after it, in
// order, until `visit` returns true. Returns whether it did. The byte after the end of the text counts as NUL. `test`
// gets two blocks of the same width, which may be any width, and sets the lanes of a third: [](const auto& c, const
// auto& d, auto& marks) { marks = (c == 'd') & (d == 'l'); } All three are references, because the calling convention
// for vectors depends on the target CPU.
template <class Test, class Visit>
bool any_pair(std::string_view text, std::size_t begin, std::size_t end, Test test, Visit visit) {
  std::size_t at = begin;
#if defined(__x86_64__)
  if (end - begin >= pairs::least_for_wide && cpu::has_avx2() && pairs::any_wide(text, at, end, test, visit))
    return true;
#endif
  const auto lanes_of = [&](const char* bytes) __attribute__((always_inline)) {
    return pairs::apply(test, pairs::load(bytes), pairs::load(bytes + 1));
  };
  const auto visit_all = [&](const pairs::Lanes& lanes, std::size_t first, std::size_t count) {
    return pairs::any_lane(lanes, [&](std::size_t lane) { return lane < count && visit(first + lane); });
  };
  for (; at + block_size <= end && at + block_size < text.size(); at += block_size) {
    const pairs::Lanes lanes = lanes_of(text.data() + at);
    if ((lanes[0] | lanes[1]) != 0 && visit_all(lanes, at, block_size)) return true;
  }
  if (at >= end) return false;
  if (at + block_size < text.size()) return visit_all(lanes_of(text.data() + at), at, end - at);
  // start of the last block, which may be before `at`
  const std::size_t first = text.size() - std::min(text.size(), block_size);
  Block bytes{};
  if (text.size() >= block_size)
    bytes = pairs::load(text.data() + first);
  else
    std::memcpy(&bytes, text.data(), text.size());
  const pairs::Lanes lanes = pairs::apply(test, bytes, pairs::without_first(bytes));
  return pairs::any_lane(
      lanes, [&](std::size_t lane) { return first + lane >= at && first + lane < end && visit(first + lane); });
}

}  // namespace wheelcheck
