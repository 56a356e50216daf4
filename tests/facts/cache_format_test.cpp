// Tests facts of wheels that are written as lines and read back, and malicious lines.
#include "facts/cache_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/facts/random_wheel.h"
#include "tests/facts/shown.h"

namespace wheelcheck::facts {
namespace {

using Lines = std::vector<std::string>;

CacheHeader header_of(const WheelFacts& wheel) {
  CacheHeader header{.reader = "test", .file = wheel.file, .sha256 = "ab", .size = wheel.size, .limits = {}};
  header.limits.imports = true;
  return header;
}

Lines lines_of(const WheelFacts& wheel) {
  Lines lines;
  write_lines(header_of(wheel), wheel, [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

std::optional<WheelFacts> read(const Lines& lines) {
  CacheReader reader;
  for (const std::string& line : lines)
    if (!reader.take(line)) return std::nullopt;
  return reader.finish();
}

bool is_refused(const Lines& lines) { return !read(lines); }

void expect_round_trip(const WheelFacts& wheel) {
  const Lines lines = lines_of(wheel);
  const auto again = read(lines);
  ASSERT_TRUE(again);
  EXPECT_EQ(test::Shown::of(*again), test::Shown::of(wheel));
  EXPECT_EQ(lines_of(*again), lines);
}

TEST(CacheFormat, RandomWheelsComeBackAsTheyWere) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    expect_round_trip(test::RandomWheel(seed).wheel());
    if (HasFailure()) return;
  }
}

TEST(CacheFormat, AnEmptyWheelComesBack) {
  expect_round_trip({});
  WheelFacts wheel;
  wheel.record.emplace();
  expect_round_trip(wheel);
}

TEST(CacheFormat, TheHeaderComesBack) {
  CacheReader reader;
  CacheHeader header{.reader = "r", .file = "f-1.whl", .sha256 = "00ff", .size = 7, .limits = {}};
  header.limits.texts = 0;
  header.limits.imports = true;
  ASSERT_TRUE(reader.take(header_line(header)));
  EXPECT_EQ(header_line(*reader.header()), header_line(header));
  EXPECT_EQ(reader.header()->limits.texts, 0U);
  EXPECT_TRUE(reader.header()->limits.imports);
  EXPECT_FALSE(reader.finish()) << "a header alone is no wheel";
}

// More symbols, names and members than fit into one line.
TEST(CacheFormat, LongListsAreCutIntoLines) {
  WheelFacts wheel;
  for (int i = 0; i < 10000; ++i)
    wheel.members.push_back({.path = *MemberPath::parse("m" + std::to_string(10000 + i))});
  ElfMember& elf = wheel.elfs.emplace_back();
  elf.facts.strings = std::make_unique<const StringPool>();
  DynamicFacts& dynamic = elf.facts.dynamic.emplace();
  const std::string long_name(std::size_t{5} << 20, 'x');
  for (std::uint32_t i = 0; i < 140'000; ++i) {
    dynamic.exports.push_back({.name = i % 50'000 == 7 ? std::string_view(long_name) : "name", .size = i});
    dynamic.references.emplace_back(i, true);
  }
  expect_round_trip(wheel);
  std::size_t longest = 0;
  for (const std::string& line : lines_of(wheel)) longest = std::max(longest, line.size());
  EXPECT_LT(longest, std::size_t{12} << 20);
}

// A missing, repeated or moved line is detected, for every line of a wheel that uses everything.
TEST(CacheFormat, LinesThatAreLostDoubledOrMovedAreNoticed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Lines lines = lines_of(test::RandomWheel(seed).wheel());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      SCOPED_TRACE(lines[i]);
      Lines fewer = lines, more = lines;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_TRUE(is_refused(fewer));
      more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
      EXPECT_TRUE(is_refused(more));
      if (i == 0) continue;
      Lines swapped = lines;
      std::swap(swapped[i - 1], swapped[i]);
      EXPECT_TRUE(is_refused(swapped));
    }
  }
}

// Every truncation and every changed byte is read or rejected, without other effects.
TEST(CacheFormat, BrokenLinesAreReadOrRefused) {
  test::RandomWheel random(5);
  const Lines lines = lines_of(random.wheel());
  std::size_t refused = 0, bytes = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t at = 0; at < lines[i].size(); ++at, ++bytes) {
      Lines broken = lines;
      broken[i].resize(at);
      EXPECT_TRUE(is_refused(broken));
      broken[i] = lines[i];
      broken[i][at] = "0[]{}\",-x9"[random.below(10)];
      refused += is_refused(broken) ? 1 : 0;
    }
  }
  EXPECT_GT(refused, bytes / 2);
}

// --- malicious lines ----------------------------------------------------------------------------------------------

// The lines of a small wheel with one change.
bool refuses(const std::string& from, const std::string& to) {
  WheelFacts wheel;
  for (const char* const path : {"a.so", "b.py", "c.so"}) wheel.members.push_back({.path = *MemberPath::parse(path)});
  wheel.flaws.push_back({.area = WheelArea::Member, .member = MemberIndex{2}, .subject = {}, .reason = {}});
  for (const std::uint32_t member : {0U, 2U}) {
    ElfMember& elf = wheel.elfs.emplace_back(ElfMember{.member = MemberIndex{member}, .role = PlainLibrary{}});
    elf.facts.bits = 64;
    DynamicFacts& dynamic = elf.facts.dynamic.emplace();
    dynamic.needs = {{.library = "l", .version = "V", .index = 2}};
    dynamic.provides = {{.version = "V", .index = 2}};
    dynamic.imports = {{.name = "f", .need = NeedIndex{0}, .kind = SymbolKind::Object}, {.name = "gg"}};
    dynamic.exports = {{.name = "e", .version = std::uint16_t{0}, .copied_version = NeedIndex{0}, .size = 9}};
    dynamic.references = {{1, false}, {0, true}};
  }
  PythonFile& python = wheel.python.emplace_back(PythonFile{.member = MemberIndex{1}, .calls = {{}}, .names = {}});
  python.conditions = {{.attempt = 1}, {.attempt = 2, .outer = 0}};
  python.events = {{.action = PythonAction::Load, .condition = 1, .call = 0},
                   {.action = PythonAction::Call, .attempt = 1, .target = 0}};
  python.units = {{.name = "u", .first = 0, .count = 2}};
  Lines lines = lines_of(wheel);
  EXPECT_FALSE(is_refused(lines));
  std::size_t found = 0;
  for (std::string& line : lines) {
    const std::size_t at = line.find(from);
    if (at == line.npos) continue;
    line.replace(at, from.size(), to);
    ++found;
  }
  EXPECT_GT(found, 0U) << from;
  return is_refused(lines);
}

TEST(CacheFormat, WhatPointsBeyondItsTableIsRefused) {
  EXPECT_TRUE(refuses(R"("needs":[1,0])", R"("needs":[2,0])"));
  EXPECT_TRUE(refuses(R"("versions":[1])", R"("versions":[2])"));
  EXPECT_TRUE(refuses(R"("copied_versions":[1])", R"("copied_versions":[2])"));
  EXPECT_TRUE(refuses(R"("symbols":[1,0])", R"("symbols":[2,0])"));
  EXPECT_TRUE(refuses(R"("symbols":[1,0])", R"("symbols":[1,1])"));
  EXPECT_TRUE(refuses(R"({"area":"member","member":2})", R"({"area":"member","member":3})"));
  EXPECT_TRUE(refuses(R"({"elf":{"member":2)", R"({"elf":{"member":3)"));
  EXPECT_TRUE(refuses(R"({"python":{"member":1)", R"({"python":{"member":3)"));
  EXPECT_TRUE(refuses(R"("count":2)", R"("count":3)"));
  EXPECT_TRUE(refuses(R"("count":2)", R"("first":4294967295,"count":2)"));
  EXPECT_TRUE(refuses(R"("condition":1)", R"("condition":2)"));
  EXPECT_TRUE(refuses(R"("call":0)", R"("call":1)"));
  EXPECT_TRUE(refuses(R"("target":0)", R"("target":1)"));
  EXPECT_TRUE(refuses(R"("outer":0)", R"("outer":1)"));
}

TEST(CacheFormat, ACallThatIsNotThereIsRefused) { EXPECT_TRUE(refuses(R"(,"call":0)", "")); }

TEST(CacheFormat, FilesInAnotherOrderThanTheirMembersAreRefused) {
  EXPECT_TRUE(refuses(R"({"elf":{"member":2)", R"({"elf":{"member":0)"));
  EXPECT_TRUE(refuses(R"({"path":"b.py"})", R"({"path":"d.py"})"));
  EXPECT_TRUE(refuses(R"({"path":"b.py"})", R"({"path":"../b"})"));
}

TEST(CacheFormat, ColumnsOfAnotherLengthAreRefused) {
  EXPECT_TRUE(refuses(R"("kinds":"on")", R"("kinds":"o")"));
  EXPECT_TRUE(refuses(R"("kinds":"on")", R"("kinds":"oq")"));
  EXPECT_TRUE(refuses(R"("sizes":[1,2])", R"("sizes":[2,2])"));
  EXPECT_TRUE(refuses(R"("sizes":[1,2])", R"("sizes":[2,18446744073709551616])"));
  EXPECT_TRUE(refuses(R"("sizes":[1,2])", R"("sizes":[4,18446744073709551615])")) << "their sum wraps to three";
  EXPECT_TRUE(refuses(R"("sizes":[9])", R"("sizes":[9,9])"));
}

TEST(CacheFormat, WhatIsWrittenInAnotherWayIsRefused) {
  EXPECT_TRUE(refuses(R"("bits":64)", R"("bits":064)"));
  EXPECT_TRUE(refuses(R"("bits":64)", R"("bits": 64)"));
  EXPECT_TRUE(refuses(R"("bits":64)", R"("bits":16)"));
  EXPECT_TRUE(refuses(R"("bits":64)", R"("bits":65600)"));
  EXPECT_TRUE(refuses(R"("bits":64)", R"("bits":64,"bits":64)"));
  EXPECT_TRUE(refuses(R"("bits":64)", R"("bits":64,"more":1)"));
  EXPECT_TRUE(refuses(R"("library":"l")", R"("library":"\u006c")"));
  EXPECT_TRUE(refuses(R"("library":"l")", R"("library":"\u20ac")"));
  EXPECT_TRUE(refuses(R"("library":"l")", R"("library":"\n")"));
  EXPECT_TRUE(refuses(R"("library":"l")", "\"library\":\"\xc3\xa9\""));
  EXPECT_TRUE(refuses(R"({"plain_library":{}})", "{}"));
  EXPECT_TRUE(refuses(R"({"plain_library":{}})", R"({"plain_library":{},"program":{}})"));
  EXPECT_FALSE(refuses(R"({"plain_library":{}})", R"({"program":{}})"));
}

TEST(CacheFormat, MoreSymbolsThanTheLimitAreRefused) {
  EXPECT_TRUE(refuses(R"("imports":2)", R"("imports":4000001)"));
  EXPECT_TRUE(refuses(R"("imports":2)", R"("imports":18446744073709551615)"));
}

}  // namespace
}  // namespace wheelcheck::facts
