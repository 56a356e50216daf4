// Tests packed and sealed lines, and files that were truncated, changed or combined.
#include "cache/packed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libdeflate.h>

#include <string>
#include <vector>

namespace wheelcheck::cache {
namespace {

using Lines = std::vector<std::string>;

std::string packed(const Lines& lines) {
  Packer packer;
  for (const std::string& line : lines) packer.add(line);
  return packer.finish().value_or("");
}

// nullopt if the file is not complete.
std::optional<Lines> unpacked(std::string_view bytes) {
  Lines lines;
  const bool whole = unpack(bytes, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  return whole ? std::optional(lines) : std::nullopt;
}

std::string gzip(const std::string& text) {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(1);
  std::string out(libdeflate_gzip_compress_bound(compressor, text.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor, text.data(), text.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

TEST(Packed, LinesComeBack) {
  const Lines lines = {"{}", "", "two", std::string(std::size_t{5} << 20, 'x'), "last"};
  EXPECT_EQ(unpacked(packed(lines)), lines);
  EXPECT_EQ(unpacked(packed({})), Lines());
  EXPECT_EQ(packed(lines), packed(lines));
}

TEST(Packed, ReadingEndsWhereALineIsNotTaken) {
  std::size_t seen = 0;
  EXPECT_FALSE(unpack(packed({"a", "b", "c"}), [&](std::string_view line) {
    ++seen;
    return line != "b";
  }));
  EXPECT_EQ(seen, 2U);
}

TEST(Packed, EveryCutAndEveryChangedByteIsNoticed) {
  const Lines lines = {"first", "second", "third"};
  const std::string bytes = packed(lines);
  const std::size_t seal = bytes.size() - packed({}).size();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(unpacked(bytes.substr(0, i))) << i;
    for (const char change : {'\x01', '\x80'}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ change);
      const auto read = unpacked(changed);
      // Some bytes of gzip's header have no meaning, such as the time; the seal does not cover its own bytes.
      EXPECT_TRUE(!read || (i >= seal && *read == lines)) << i;
    }
  }
}

TEST(Packed, WhatFollowsOrLacksTheSealIsRefused) {
  const std::string bytes = packed({"a"}), seal = packed({});
  EXPECT_FALSE(unpacked(""));
  EXPECT_FALSE(unpacked(bytes + '\0'));
  EXPECT_FALSE(unpacked(bytes + bytes));
  EXPECT_FALSE(unpacked(gzip("a\n")));
  EXPECT_FALSE(unpacked(gzip("a\n") + seal)) << "the seal of nothing";
  EXPECT_TRUE(unpacked(seal));
  EXPECT_FALSE(unpacked(bytes.substr(0, bytes.size() - seal.size()) + gzip("") + seal));
}

// A line of 300 MB in 300 kB.
TEST(Packed, ALineBeyondAllMeasureIsRefused) {
  const std::string text(std::size_t{300} << 20, 'x');
  EXPECT_FALSE(unpacked(gzip(text + '\n') + packed({})));
  Packer packer;
  packer.add(text);
  EXPECT_FALSE(packer.finish());
}

}  // namespace
}  // namespace wheelcheck::cache
