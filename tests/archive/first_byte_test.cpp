// The first byte of a deflate stream against zlib: of streams that it writes, of their beginnings, and of damaged ones.
#include "archive/first_byte.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wheelcheck::archive {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string deflated(std::string data, int level, int strategy) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy), Z_OK);
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(data.data());
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct ByZlib {
  std::optional<std::byte> byte;
  bool refused = false;  // before it made one
};
ByZlib first_by_zlib(std::string packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -MAX_WBITS), Z_OK);
  Bytef byte = 0;
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = &byte;
  stream.avail_out = 1;
  const int status = inflate(&stream, Z_SYNC_FLUSH);
  const bool made = stream.avail_out == 0;
  inflateEnd(&stream);
  return {made ? std::optional(std::byte{byte}) : std::nullopt, !made && status == Z_DATA_ERROR};
}

class Numbers {
 public:
  std::uint32_t next(std::uint32_t below) { return (state_ = state_ * 1664525 + 1013904223) / 65536 % below; }

 private:
  std::uint32_t state_ = 11;
};

// Of few and many different bytes, so that the codes of literals are short and long.
std::string text(Numbers& numbers, std::size_t size, std::uint32_t kinds) {
  std::string out(size, '\0');
  const std::uint32_t from = numbers.next(256);
  for (char& c : out) c = static_cast<char>(from + numbers.next(numbers.next(kinds) + 1));
  return out;
}

template <class Visit>
void each_stream(const Visit& visit) {
  Numbers numbers;
  for (const std::size_t size : {1, 2, 3, 10, 200, 3000, 40000})
    for (const std::uint32_t kinds : {1, 2, 20, 256})
      for (const int level : {0, 1, 6, 9})
        for (const int strategy : {Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_FIXED}) {
          const std::string data = text(numbers, size, kinds);
          visit(data, deflated(data, level, strategy));
        }
}

TEST(FirstByte, IsThatOfWhatWasPacked) {
  each_stream([](const std::string& data, const std::string& packed) {
    const auto first = first_byte(bytes_of(packed));
    ASSERT_TRUE(first.has_value()) << packed.size();
    EXPECT_EQ(*first, static_cast<std::byte>(data.front()));
  });
}

TEST(FirstByte, OfABeginningIsTheSameOrNothing) {
  std::size_t known = 0, unknown = 0;
  each_stream([&](const std::string& data, const std::string& packed) {
    for (std::size_t size = 0; size <= std::min<std::size_t>(packed.size(), 400); ++size) {
      const auto first = first_byte(bytes_of(packed).first(size));
      if (first) EXPECT_EQ(*first, static_cast<std::byte>(data.front()));
      EXPECT_EQ(first.has_value(), first_by_zlib(packed.substr(0, size)).byte.has_value()) << size;
      ++(first ? known : unknown);
    }
  });
  EXPECT_GT(known, 10000U);
  EXPECT_GT(unknown, 1000U);
}

TEST(FirstByte, OfADamagedStreamIsThatOfZlibOrNothing) {
  Numbers numbers;
  std::size_t known = 0, refused = 0;
  each_stream([&](const std::string&, const std::string& packed) {
    for (int round = 0; round < 200; ++round) {
      std::string damaged = packed;
      for (std::uint32_t bits = 1 + numbers.next(3); bits > 0; --bits) {
        const std::uint32_t at = numbers.next(static_cast<std::uint32_t>(std::min<std::size_t>(packed.size(), 120)));
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << numbers.next(8)));
      }
      const ByZlib right = first_by_zlib(damaged);
      const auto first = first_byte(bytes_of(damaged));
      if (first) EXPECT_EQ(first, right.byte);
      known += first.has_value();
      refused += right.refused;
    }
  });
  EXPECT_GT(known, 10000U);
  EXPECT_GT(refused, 10000U);
}

TEST(FirstByte, IsNotToldWhereTheFirstBlockMakesNone) {
  using namespace std::string_view_literals;
  const std::string empty = deflated("", 6, Z_DEFAULT_STRATEGY), more = deflated("x", 6, Z_DEFAULT_STRATEGY);
  for (const std::string_view packed : {""sv, "\0"sv, "\1"sv, "\7"sv, "\1\0\0\xff\xff"sv, std::string_view(empty)})
    EXPECT_EQ(first_byte(bytes_of(packed)), std::nullopt);
  const std::string second_block = std::string("\0\0\0\xff\xff"sv).append(more);
  EXPECT_EQ(first_byte(bytes_of(second_block)), std::nullopt);
  EXPECT_EQ(first_by_zlib(second_block).byte, std::byte{'x'});
}

}  // namespace
}  // namespace wheelcheck::archive
