// Tests the checks of one entry of the central directory.
#include <gtest/gtest.h>

#include "tests/archive/opened.h"

namespace wheelcheck::archive {
namespace {

const std::string text(5000, 'a');
// The same change in both headers, so that only the tested check can fail.
std::string both(const std::function<void(ZipHeader&)>& change) {
  return make_zip({{.name = "a", .data = text, .local = change, .central = change}});
}
std::string central(const std::function<void(ZipHeader&)>& change) {
  return make_zip({{.name = "a", .data = text, .central = change}});
}
std::string sizes() { return test::u64(text.size()) + test::u64(test::deflate(text).size()); }

TEST(Flags, OfOtherKindsOfMembersAreRefused) {
  expect_refused(both([](ZipHeader& h) { h.flags = 1 << 0; }), "member a: it is encrypted");
  expect_refused(both([](ZipHeader& h) { h.flags = 1 << 0 | 1 << 6; }), "member a: it is encrypted");
  expect_refused(both([](ZipHeader& h) { h.flags = 1 << 5; }), "member a: it contains patch data");
  expect_refused(both([](ZipHeader& h) { h.flags = 1 << 13; }), "member a: its header is masked");
  for (const int bit : {4, 7, 8, 9, 10, 12, 14, 15})
    expect_refused(both([=](ZipHeader& h) { h.flags = static_cast<std::uint16_t>(1 << bit); }),
                   "bits that mean nothing");
  for (const int bit : {1, 2, 11})
    expect_accepted(both([=](ZipHeader& h) { h.flags = static_cast<std::uint16_t>(1 << bit); }));
}

TEST(Method, IsStoredOrDeflate) {
  for (const int method : {1, 6, 9, 12, 14, 93, 95, 99})
    expect_refused(both([=](ZipHeader& h) { h.method = static_cast<std::uint16_t>(method); }),
                   "member a: it is packed by method " + std::to_string(method));
}

TEST(Version, IsAtMost45) {
  expect_accepted(both([](ZipHeader& h) { h.version = 45; }));
  expect_refused(both([](ZipHeader& h) { h.version = 46; }), "member a: it needs version 46");
  // cefpython3 66.0: METADATA has 20 and the system 3 (Unix); pip and uv install it.
  expect_accepted(both([](ZipHeader& h) { h.version = (3 << 8) | 20; }));
  expect_refused(both([](ZipHeader& h) { h.version = (3 << 8) | 46; }), "member a: it needs version 46");
  expect_refused(make_zip({{.name = "a", .data = text, .local = [](ZipHeader& h) { h.version = 63; }}}),
                 "its local header needs version 63");
}

TEST(Disk, IsTheOnlyOne) {
  expect_refused(central([](ZipHeader& h) { h.disk = 1; }), "another part of the archive");
  expect_refused(central([](ZipHeader& h) { h.disk = 0xFFFF; }), "its ZIP64 extra field is missing");
  expect_refused(central([](ZipHeader& h) {
                   h.disk = 0xFFFF;
                   h.extra = test::extra_field(1, test::u32(0x10000));
                 }),
                 "another part of the archive");
}

TEST(Zip64Extra, HasExactlyWhatTheHeaderLeavesOut) {
  const auto with = [](std::string payload) {
    return make_zip({{.name = "a", .data = text, .zip64 = true, .central = [=](ZipHeader& h) {
                        h.extra = test::extra_field(1, payload);
                      }}});
  };
  expect_accepted(with(sizes()));
  expect_refused(with(sizes().substr(0, 8)), "has 8 bytes, not the 16 that its header requires");
  expect_refused(with(sizes().substr(0, 15)), "has 15 bytes, not the 16");
  expect_refused(with(sizes() + test::u64(0)), "has 24 bytes, not the 16");
  expect_refused(with(sizes() + test::u64(0) + test::u32(0)), "has 28 bytes, not the 16");
  expect_refused(
      make_zip({{.name = "a", .data = text, .zip64 = true, .central = [](ZipHeader& h) { h.extra.clear(); }}}),
      "member a: its ZIP64 extra field is missing");
  expect_refused(
      make_zip({{.name = "a", .data = text, .zip64 = true, .central = [](ZipHeader& h) { h.extra += h.extra; }}}),
      "two ZIP64 extra fields");
}

// uv refuses such a field even if its values are those of the header.
TEST(Zip64Extra, IsNotThereIfTheHeaderLeavesOutNothing) {
  expect_refused(central([](ZipHeader& h) { h.extra = test::extra_field(1, sizes()); }), "has 16 bytes, not the 0");
  expect_refused(central([](ZipHeader& h) { h.extra = test::extra_field(1, test::u64(1)); }), "has 8 bytes, not the 0");
}

TEST(Extra, IsWellFormed) {
  expect_refused(both([](ZipHeader& h) { h.extra = "abc"; }), "its extra fields end in the middle of one");
  expect_refused(both([](ZipHeader& h) { h.extra = test::u16(0x5455) + test::u16(9) + "12345678"; }),
                 "longer than all of them");
  expect_refused(make_zip({{.name = "a", .data = text, .local = [](ZipHeader& h) { h.extra = "abc"; }}}),
                 "member a: in its local header, its extra fields end");
}

TEST(UnicodePath, MustRepeatTheName) {
  const auto field = [](std::string_view of, std::string_view path) {
    return test::extra_field(0x7075, "\1" + test::u32(test::crc32_of(of)) + std::string(path));
  };
  const auto with = [&](std::string extra) { return both([=](ZipHeader& h) { h.extra = extra; }); };
  expect_accepted(with(field("a", "a")));
  expect_refused(with(field("a", "b\n")), "its Unicode path extra field gives it another name: b\\x0a");
  expect_refused(with(field("stale", "b")), "gives it another name: b");
  expect_refused(with(field("a", "a") + field("a", "a")), "two Unicode path extra fields");
  expect_refused(with(test::extra_field(0x7075, "\1abc")), "Unicode path extra field is too short");
}

TEST(Sizes, MustBePossible) {
  expect_refused(make_zip({{.name = "a",
                            .data = text,
                            .method = 0,
                            .local = [](ZipHeader& h) { ++h.size; },
                            .central = [](ZipHeader& h) { ++h.size; }}}),
                 "member a: it is stored, but its two sizes are 5000 and 5001");
  expect_refused(both([](ZipHeader& h) { h.size = 0xFFFFFFFE; }), "packed bytes cannot contain the 4294967294");
  expect_refused(make_zip({{.name = "d/", .data = text, .method = 0}}),
                 "member d/: a directory with 5000 bytes of data");
  expect_refused(make_zip({{.name = "d/", .packed = std::string("\3\1", 2)}}),
                 "member d/: a directory with 2 bytes of data");
}

TEST(Sizes, OfADirectoryAreNothing) {
  expect_refused(make_zip({{.name = "d/", .packed = std::string("\3\0\0", 3)}}), "a directory with 3 bytes of data");
  expect_refused(make_zip({{.name = "d/", .packed = "123456"}}), "a directory with 6 bytes of data");
}

TEST(Sizes, AreHeldAgainstTheLimits) {
  const std::string zip = make_zip({{.name = "a", .data = text}, {.name = "b", .data = text}});
  expect_refused(zip, "member a: it has 5000 bytes, over the limit of 4999 for one member", ErrorCode::OverLimit,
                 {.member_bytes = 4999});
  expect_refused(zip, "more than 9999 bytes together", ErrorCode::OverLimit, {.total_bytes = 9999});
  expect_refused(zip, "inflate to 10000, over the limit of 3 to 1", ErrorCode::OverLimit,
                 {.ratio = 3, .ratio_floor = 9999});
  EXPECT_TRUE(open_bytes(zip, {.ratio = 3, .ratio_floor = 10000}));
  EXPECT_TRUE(open_bytes(zip, {.member_bytes = 5000, .total_bytes = 10000}));
}

TEST(Type, IsTheSameByNameAndByAttributes) {
  expect_refused(make_zip({{.name = "a", .data = "x", .mode = 0040755}}),
                 "a directory by its attributes, a file by its name");
  // libarchive takes no mode from the attributes of DOS.
  for (const std::uint32_t mode : {0U, 0100644U, 0030643U})
    expect_refused(make_zip({{.name = "a",
                              .data = "x",
                              .central =
                                  [&](ZipHeader& h) {
                                    h.made_by = 20;
                                    h.attributes = mode << 16 | 0x10;
                                  }}}),
                   "a directory by its attributes");
  expect_refused(make_zip({{.name = "d/", .central = [](ZipHeader& h) { h.attributes = 0120777u << 16; }}}),
                 "a directory by its name, a special file by its attributes");
  expect_accepted(make_zip({{.name = "d/", .central = [](ZipHeader& h) { h.attributes = 0; }}}));
}

TEST(Mode, OfAnOddKindIsRemarkedUpon) {
  const auto warn = [](std::uint32_t mode) {
    const auto warnings = warnings_of(make_zip({{.name = "a", .data = "x", .mode = mode}}));
    return warnings.size() == 1 ? warnings[0] : std::to_string(warnings.size());
  };
  EXPECT_EQ(warn(0120777), "a: a symbolic link: installers write its target into a file");
  EXPECT_EQ(warn(0020644), "a: a device by its attributes");
  EXPECT_EQ(warn(0060644), "a: a device by its attributes");
  EXPECT_EQ(warn(0010644), "a: a pipe by its attributes");
  EXPECT_EQ(warn(0140644), "a: a socket by its attributes");
  EXPECT_EQ(warn(0150644), "a: its mode 150644 has no known file type");
  EXPECT_EQ(warn(0104755), "a: it has the setuid bit");
  EXPECT_EQ(warn(0102755), "a: it has the setgid bit");
  EXPECT_EQ(warn(0100777), "0");
  EXPECT_EQ(warn(0), "0");
}

TEST(MemberComment, IsRemarkedUpon) {
  EXPECT_EQ(warnings_of(central([](ZipHeader& h) { h.comment = "hello"; })),
            std::vector<std::string>{"a: it has a comment in the central directory, which package indexes refuse"});
}

TEST(Warning, PointsToItsEntryOrToNone) {
  const auto archive = open_bytes(
      make_zip({{.name = "d\xc2\xa0/"}, {.name = "a", .data = "x"}, {.name = "b", .data = "x", .mode = 0104755}}));
  ASSERT_TRUE(archive) << archive.error().message;
  ASSERT_EQ(archive->warnings().size(), 3u);
  EXPECT_EQ(archive->warnings()[0].entry, 1u);
  EXPECT_EQ(archive->warnings()[1].entry, std::nullopt);
}

TEST(Entry, MustBeWhole) {
  // The length of the name exceeds the directory.
  std::string zip = make_zip({{.name = "a", .data = "x", .method = 0}});
  zip[32 + 28] = 100;
  expect_refused(zip, "the central directory is cut short in its entry at 32");
  expect_refused(central([](ZipHeader& h) { h.signature = 0x05054b50; }), "the central directory has no entry at");
}

}  // namespace
}  // namespace wheelcheck::archive
