// Tests scratch buffers of every size: all memory is writable, does not move until a larger buffer is requested, and is
// returned.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

#include "archive/scratch_buffer.h"

namespace wheelcheck::archive {
namespace {

constexpr std::size_t mb = std::size_t{1} << 20;

TEST(ScratchBuffer, GrowsAndIsGivenBack) {
  ScratchBuffer buffer;
  for (int round = 0; round < 2; ++round) {
    for (const std::size_t size :
         {std::size_t{1}, mb / 4, mb / 2, mb / 2 + 1, 2 * mb - 1, 2 * mb, 2 * mb + 1, 9 * mb}) {
      const std::span<std::byte> bytes = buffer.get(size);
      ASSERT_EQ(bytes.size(), size);
      std::ranges::fill(bytes, std::byte{7});
      EXPECT_EQ(buffer.get(size / 2 + 1).data(), bytes.data());
      EXPECT_EQ(buffer.get(size)[size - 1], std::byte{7});
    }
    buffer.give_back();
    buffer.give_back();
  }
}

TEST(ScratchBuffer, WhatNobodyHasIsAnError) {
  ScratchBuffer buffer;
  const std::size_t too_much = std::size_t{1} << 60;
  EXPECT_THROW(buffer.get(too_much), std::bad_alloc);
  EXPECT_EQ(buffer.get(mb).size(), mb);
}

}  // namespace
}  // namespace wheelcheck::archive
