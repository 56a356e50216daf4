// Looks through bytes for places that two neighbours tell of, many places at a time: what is asked of every byte of a
// wheel must cost less than inflating it.
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

// Each lane what the next one was, and a NUL.
[[gnu::always_inline]] inline Block without_first(Block bytes) {
  return __builtin_shufflevector(bytes, Block{}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

// By lane, what `tells` says of the bytes of a block and those behind each.
using Lanes = std::array<std::uint64_t, 2>;
template <class Tells>
[[gnu::always_inline]] inline Lanes ask(Tells tells, const Block& bytes, const Block& next) {
  decltype(bytes == next) marks;
  tells(bytes, next, marks);
  return std::bit_cast<Lanes>(marks);
}

// Calls `visit` with the number of each lane that is not zero, until it returns true.
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
inline constexpr std::size_t least_for_wide = 256;  // bytes; below that it does not pay

// any_pair() from `at` on, as far as two blocks are whole and a byte stands behind them; `at` is where it ended.
template <class Tells, class Visit>
[[gnu::target("avx2")]] bool any_wide(std::string_view text, std::size_t& at, std::size_t end, Tells tells,
                                      Visit visit) {
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
      tells(bytes, next, marks);
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

// Calls `visit` with each place from `begin` to `end` at which `tells` says so of the byte there and the next one, in
// order, until it returns true. Behind the text stands a NUL. `tells` takes two blocks of any width and sets the lanes
// of a third where it says so, [](const auto& c, const auto& d, auto& marks) { marks = (c == 'd') & (d == 'l'); }, by
// reference, because how blocks are handed over depends on the processor that code is compiled for.
template <class Tells, class Visit>
bool any_pair(std::string_view text, std::size_t begin, std::size_t end, Tells tells, Visit visit) {
  std::size_t at = begin;
#if defined(__x86_64__)
  if (end - begin >= pairs::least_for_wide && cpu::has_avx2() && pairs::any_wide(text, at, end, tells, visit))
    return true;
#endif
  const auto lanes_of = [&](const char* bytes) __attribute__((always_inline)) {
    return pairs::ask(tells, pairs::load(bytes), pairs::load(bytes + 1));
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
  const std::size_t first = text.size() - std::min(text.size(), block_size);  // of the last block, not before `at` only
  Block bytes{};
  if (text.size() >= block_size)
    bytes = pairs::load(text.data() + first);
  else
    std::memcpy(&bytes, text.data(), text.size());
  const pairs::Lanes lanes = pairs::ask(tells, bytes, pairs::without_first(bytes));
  return pairs::any_lane(
      lanes, [&](std::size_t lane) { return first + lane >= at && first + lane < end && visit(first + lane); });
}

}  // namespace wheelcheck
