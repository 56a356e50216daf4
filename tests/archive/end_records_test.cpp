// The end of the archive: cut short, doubled, lying, or of another format.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/archive/opened.h"

namespace wheelcheck::archive {
namespace {

const std::vector<ZipMember> one = {{.name = "a", .data = "x", .method = 0}};  // its directory is at 32, 47 bytes
std::string with_end(const std::function<void(ZipEnd&)>& change) { return make_zip(one, {.end = change}); }
std::string with_zip64(const std::function<void(Zip64End&)>& change) {
  return make_zip(one, {.zip64 = true, .zip64_end = change});
}
Error open_error(const std::string& path) {
  const auto archive = Archive::open(path, {});
  return archive ? Error{ErrorCode::Usage, "accepted"} : archive.error();
}

TEST(NotAFile, IsSaidInOneLineWithoutBlocking) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(open_error(directory.path("none.whl")).message, "cannot be opened: no such file");
  EXPECT_EQ(open_error(directory.path("none.whl")).code, ErrorCode::NotFound);
  EXPECT_EQ(open_error(directory.path()).message, "is a directory, not a file");
  EXPECT_EQ(open_error(directory.path()).code, ErrorCode::NotFound);
  ASSERT_EQ(::mkfifo(directory.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(open_error(directory.path("pipe")).message, "is a pipe, not a file");
  EXPECT_EQ(open_error("/dev/null").message, "is a device, not a file");
  ASSERT_EQ(::symlink("loop", directory.path("loop").c_str()), 0);
  EXPECT_EQ(open_error(directory.path("loop")).message, "cannot be opened: its symbolic links form a loop");
}

TEST(NotAFile, MayBeReachedThroughASymbolicLinkIfItIsOne) {
  const test::TemporaryDirectory directory;
  test::write_file(directory.path("a.whl"), make_zip(one));
  ASSERT_EQ(::symlink("a.whl", directory.path("b.whl").c_str()), 0);
  EXPECT_TRUE(Archive::open(directory.path("b.whl"), {}));
}

TEST(NotAnArchive, IsToldFromOneThatWasCutShort) {
  expect_refused("", "not a ZIP archive: the file is empty", ErrorCode::NotAWheel);
  expect_refused("hello, this is a text\n", "not a ZIP archive", ErrorCode::NotAWheel);
  expect_refused(std::string("\x7f"
                             "ELF") +
                     std::string(100000, 'x'),
                 "not a ZIP archive", ErrorCode::NotAWheel);
  const std::string zip = make_zip(one);
  expect_refused(zip.substr(0, zip.size() - 22), "cut short", ErrorCode::NotAWheel);
}

TEST(CutShort, IsRefusedAtEveryLength) {
  const std::string zip =
      make_zip({{.name = "a", .data = "some text"}, {.name = "b", .data = "y"}}, {.comment = "comment"});
  const std::string zip64 = make_zip(one, {.zip64 = true});
  for (const std::string& whole : {zip, zip64})
    for (std::size_t length = 0; length < whole.size(); ++length)
      EXPECT_TRUE(error_of(whole.substr(0, length))) << length << " bytes of " << whole.size();
  expect_refused(zip.substr(0, zip.size() - 1), "cut short in its comment");
  expect_refused(make_zip(one).substr(0, make_zip(one).size() - 1), "cut short in its end record");
}

TEST(BytesThatBelongToNothing, AreRefusedWhereverTheyStand) {
  expect_refused(make_zip(one, {.after = std::string(1, '\0')}), "1 bytes follow the archive's end record");
  expect_refused(make_zip(one, {.before = "#!/bin/sh\n"}), "10 bytes are before the first member, a");
  expect_refused(make_zip(one, {.before = "#!/bin/sh\n", .counts_before = false}), "10 bytes are before the archive");
  expect_refused(make_zip({}), "the archive has no members");
  expect_refused(make_zip({}, {.before = "abc"}), "3 bytes are before an archive without members");
  expect_refused(make_zip({}, {.before = "abc", .counts_before = false}), "3 bytes are before the archive");
  expect_refused(make_zip(one, {.before_directory = "abc"}), "member a: 3 bytes behind it belong to no member");
  expect_refused(make_zip(one, {.before_end = "abc"}), "3 bytes are before the archive, or between");
  expect_refused(make_zip({{.name = "a", .data = "x"}, {.name = "b", .data = "y", .before = "abc"}}),
                 "member a: 3 bytes behind it belong to no member");
}

TEST(TwoArchives, AreNotOne) {
  expect_refused(make_zip(one) + make_zip(one), "are before the archive");
  // The second in the comment of the first.
  const std::string second = make_zip({{.name = "b", .data = "y"}});
  expect_refused(make_zip(one, {.comment = second}), "contains another end record");
  expect_refused(make_zip(one, {.comment = "PK\5\6"}), "contains another end record");
  expect_refused(make_zip(one, {.comment = "PK\5\6" + std::string(40, ' ')}), "contains another end record");
}

TEST(EndRecord, MustTellTheTruth) {
  expect_refused(with_end([](ZipEnd& e) { e.members = e.members_here = 2; }), "counts 2 members, more than");
  expect_refused(
      make_zip({{.name = "a", .data = "x", .central = [](ZipHeader& h) { h.comment = std::string(46, ' '); }}},
               {.end = [](ZipEnd& e) { e.members = e.members_here = 2; }}),
      "counts 2 members, the central directory lists 1");
  expect_refused(with_end([](ZipEnd& e) { e.members = e.members_here = 0; }), "goes on behind the 0 members");
  expect_refused(with_end([](ZipEnd& e) { e.members = 0; }), "two counts: 1 and 0");
  expect_refused(with_end([](ZipEnd& e) { e.directory_size += 1; }), "does not fit before the end record");
  expect_refused(with_end([](ZipEnd& e) { e.directory_size -= 1; }), "are before the archive, or between");
  expect_refused(with_end([](ZipEnd& e) { e.directory_size = e.directory_offset = 0xFFFFFFFF; }),
                 "does not fit before");
  expect_refused(with_end([](ZipEnd& e) {
                   ++e.directory_offset;
                   --e.directory_size;
                 }),
                 "no entry at");
  expect_refused(with_end([](ZipEnd& e) {
                   --e.directory_offset;
                   ++e.directory_size;
                 }),
                 "no entry at");
  expect_refused(with_end([](ZipEnd& e) { e.disk = 1; }), "several parts");
  expect_refused(with_end([](ZipEnd& e) { e.directory_disk = 1; }), "several parts");
}

TEST(Zip64EndRecord, MustAgreeWithTheEndRecord) {
  const auto with_both = [](const std::function<void(ZipEnd&)>& change) {
    return make_zip(one, {.zip64 = true, .end = change});
  };
  expect_refused(with_both([](ZipEnd& e) { e.members = 2; }), "counts 2 members, the ZIP64 end record 1");
  expect_refused(with_both([](ZipEnd& e) { e.members_here = 2; }), "members, the ZIP64 end record 1");
  expect_refused(with_both([](ZipEnd& e) { e.directory_size = 5; }), "has 5 bytes, the ZIP64 end record");
  expect_refused(with_both([](ZipEnd& e) { e.directory_offset = 5; }), "at 5, the ZIP64 end record at 32");
  expect_refused(with_both([](ZipEnd& e) { e.disk = 1; }), "several parts");
}

TEST(Zip64EndRecord, MustBeWholeAndWhereItsLocatorSays) {
  expect_refused(with_zip64([](Zip64End& e) { e.offset += 1; }), "the ZIP64 locator points to");
  expect_refused(with_zip64([](Zip64End& e) { e.offset = ~std::uint64_t{0}; }), "the ZIP64 locator points to");
  expect_refused(with_zip64([](Zip64End& e) { e.signature = 0; }), "missing where its locator points to");
  expect_refused(with_zip64([](Zip64End& e) { e.length = 45; }), "says that it has 45 bytes, not 44");
  expect_refused(with_zip64([](Zip64End& e) { e.length = ~std::uint64_t{0}; }), "bytes, not 44");
  expect_refused(with_zip64([](Zip64End& e) {
                   e.extensible = "data";
                   e.length += 4;
                 }),
                 "the ZIP64 locator points to");
  expect_refused(with_zip64([](Zip64End& e) { e.locator_disk = 1; }), "several parts");
  expect_refused(with_zip64([](Zip64End& e) { e.disks = 2; }), "several parts");
  expect_refused(with_zip64([](Zip64End& e) { e.disk = 1; }), "several parts");
  expect_refused(with_zip64([](Zip64End& e) { e.members_here = 2; }), "two counts: 2 and 1");
  expect_refused(with_zip64([](Zip64End& e) { e.version = 46; }), "needs version 46");
}

TEST(Zip64EndRecord, WithHugeValuesCostsNothing) {
  const std::uint64_t huge = ~std::uint64_t{0} - 7;
  expect_refused(with_zip64([=](Zip64End& e) { e.directory_size = huge; }), "does not fit before");
  expect_refused(with_zip64([=](Zip64End& e) { e.directory_offset = huge; }), "does not fit before");
  expect_refused(with_zip64([=](Zip64End& e) { e.members = e.members_here = huge; }), "over the limit of 200000",
                 ErrorCode::OverLimit);
  expect_refused(with_zip64([](Zip64End& e) { e.members = e.members_here = 1000; }), "counts 1000 members, more than");
}

TEST(Zip64Locator, IsMissedWhereTheEndRecordNeedsIt) {
  // The record without its locator: bytes that belong to nothing.
  std::string zip = make_zip(one, {.zip64 = true});
  zip.erase(zip.size() - 22 - 20, 20);
  expect_refused(zip, "does not fit before");
  // A locator with nothing before it.
  expect_refused(test::u32(0x07064b50) + test::u32(0) + test::u64(0) + test::u32(1) + make_zip({}),
                 "ZIP64 end record is missing");
}

TEST(Comment, WithControlCharactersIsRemarkedUpon) {
  EXPECT_EQ(warnings_of(make_zip(one, {.comment = "a\x1b[2J"})),
            std::vector<std::string>{": its comment has control characters"});
}

TEST(Limit, OfMembersIsHeld) {
  const std::string zip = make_zip({{.name = "a", .data = "x"}, {.name = "b", .data = "y"}});
  expect_refused(zip, "the archive has 2 members, over the limit of 1", ErrorCode::OverLimit, {.members = 1});
  EXPECT_TRUE(open_bytes(zip, {.members = 2}));
}

}  // namespace
}  // namespace wheelcheck::archive
