// Whichever library this processor takes, against zlib.
#include "archive/crc32.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

namespace wheelcheck::archive {
namespace {

std::uint32_t by_zlib(std::uint32_t crc, std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      ::crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

TEST(Crc32, IsThatOfZlibForEveryLengthAndPlace) {
  std::mt19937 random(3);
  std::vector<std::byte> bytes(1200);
  for (std::byte& one : bytes) one = static_cast<std::byte>(random());
  for (std::size_t size = 0; size <= 1100; ++size)
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{63}}) {
      const auto piece = std::span<const std::byte>(bytes).subspan(place, size);
      const auto before = static_cast<std::uint32_t>(random());
      ASSERT_EQ(archive::crc32(before, piece), by_zlib(before, piece)) << size << " bytes at " << place;
    }
}

TEST(Crc32, IsThatOfZlibForMegabytes) {
  std::mt19937 random(4);
  std::vector<std::byte> bytes((std::size_t{3} << 20) + 77);
  for (std::byte& one : bytes) one = static_cast<std::byte>(random());
  EXPECT_EQ(archive::crc32(0, bytes), by_zlib(0, bytes));
}

TEST(Crc32, GoesOnWhereItEnded) {
  const std::vector<std::byte> bytes(5000, std::byte{0xA5});
  const std::span<const std::byte> all(bytes);
  EXPECT_EQ(archive::crc32(archive::crc32(0, all.first(1234)), all.subspan(1234)), by_zlib(0, all));
  EXPECT_EQ(archive::crc32(7, {}), 7U);
}

}  // namespace
}  // namespace wheelcheck::archive
