#include "rewrite/zip_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "rewrite/output_file.h"
#include "rewrite/wheel_writer.h"
#include "tests/support/zip_builder.h"
#include "wheel/filename.h"

namespace wheelcheck::rewrite {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

struct Written {
  Descriptor file;
  archive::Archive archive;
};
Written written(const std::vector<std::pair<Header, std::string>>& members, int level = default_level) {
  auto file = memory_file();
  ZipWriter zip(file->value());
  for (const auto& [header, text] : members) EXPECT_TRUE(zip.add(header, pack(bytes(text), level)));
  EXPECT_TRUE(zip.finish());
  auto archive = archive::Archive::open(file->path(), Limits{});
  EXPECT_TRUE(archive) << archive.error().message;
  return {std::move(*file), std::move(*archive)};
}

std::string content(const archive::Archive& archive, const archive::Entry& entry) {
  const auto read = archive.read(entry, {.keep = archive::Keep::Everything});
  EXPECT_TRUE(read);
  return {reinterpret_cast<const char*>(read->bytes.data()), read->bytes.size()};
}

TEST(ZipWriter, OurStrictReaderReadsWhatItWrites) {
  const std::string text(100'000, 'x');
  const Written zip = written(
      {{{.name = "b/text", .mode = 0100600}, text}, {{.name = "a", .mode = 0100755}, "#"}, {{.name = "\xC3\xA4"}, ""}});
  const auto entries = zip.archive.entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_TRUE(zip.archive.warnings().empty());
  EXPECT_EQ(content(zip.archive, entries[0]), "#");
  EXPECT_EQ(entries[0].unix_mode, 0100755U);
  EXPECT_EQ(entries[0].method, 0);  // deflate makes it no smaller
  EXPECT_EQ(content(zip.archive, entries[1]), text);
  EXPECT_EQ(entries[1].method, 8);
  EXPECT_LT(entries[1].packed_size, 1000U);
  EXPECT_EQ(entries[2].path.text(), "\xC3\xA4");
}

TEST(ZipWriter, TheSameMembersGiveTheSameBytes) {
  const std::vector<std::pair<Header, std::string>> members = {{{.name = "a"}, std::string(5000, 'y')}};
  EXPECT_EQ(*bytes_of(written(members).file), *bytes_of(written(members).file));
}

TEST(ZipWriter, ManyMembersNeedZip64) {
  std::vector<std::pair<Header, std::string>> members;
  for (int i = 0; i < 70'000; ++i) members.push_back({{.name = std::to_string(i)}, ""});
  EXPECT_EQ(written(members).archive.entries().size(), members.size());
}

TEST(ZipWriter, ADiskThatIsFullIsAnError) {
  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ZipWriter zip(full.value());
  const auto done = zip.add({.name = "a"}, pack(bytes("text")));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the wheel cannot be written: No space left on device");
}

TEST(DosTime, IsInUtcAndBounded) {
  EXPECT_EQ(dos_time(315532800).date, 0x21);  // 1980-01-01
  EXPECT_EQ(dos_time(0).date, 0x21);
  const DosTime time = dos_time(1'700'000'000);  // 2023-11-14 22:13:20
  EXPECT_EQ(time.date, 43 << 9 | 11 << 5 | 14);
  EXPECT_EQ(time.time, 22 << 11 | 13 << 5 | 10);
  EXPECT_EQ(dos_time(std::uint64_t{1} << 63).date, 127 << 9 | 12 << 5 | 31);
}

TEST(WheelTags, TagLinesAreReplacedWhereTheyStand) {
  const WheelName name = *wheel::parse_filename("a-1.0-2-cp311.cp312-abi3-linux_x86_64.whl");
  EXPECT_EQ(with_tags("Wheel-Version: 1.0\nTag: x-y-z\nRoot-Is-Purelib: true\nTag: q\n more\nBuild: 2\n", name,
                      {"p1", "p2"}, true),
            "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-abi3-p1\nTag: cp311-abi3-p2\n"
            "Tag: cp312-abi3-p1\nTag: cp312-abi3-p2\nBuild: 2\n");
  EXPECT_EQ(with_tags("Wheel-Version: 1.0", name, {"p"}, false),
            "Wheel-Version: 1.0\nTag: cp311-abi3-p\nTag: cp312-abi3-p\n");
  const std::string platlib = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-abi3-p\nTag: cp312-abi3-p\n";
  EXPECT_EQ(with_tags("Wheel-Version: 1.0\nRoot-Is-Purelib: true\n x\nroot-is-purelib: true\n", name, {"p"}, true),
            platlib)
      << "one line";
  EXPECT_EQ(with_tags("Wheel-Version: 1.0\n", name, {"p"}, true), platlib) << "no line";
  EXPECT_EQ(file_name_of(name, {"p1", "p2"}), "a-1.0-2-cp311.cp312-abi3-p1.p2.whl");
}

TEST(OutputFile, HasNoNameUntilItIsKept) {
  const test::TemporaryDirectory folder;
  const std::string path = folder.path("new/wheel.whl");
  {
    auto lost = OutputFile::create(folder.path("new"));
    ASSERT_TRUE(lost);
  }
  EXPECT_EQ(std::system(("test -z \"$(ls -A " + folder.path("new") + ")\"").c_str()), 0);
  for (const char* const text : {"first", "second"}) {  // the second replaces the first
    auto file = OutputFile::create(folder.path("new"));
    ASSERT_TRUE(file);
    ASSERT_GT(::write(file->descriptor().value(), text, 5), 0);
    EXPECT_TRUE(file->keep("wheel.whl"));
  }
  EXPECT_EQ(std::system(("test \"$(ls -A " + folder.path("new") + ")\" = wheel.whl").c_str()), 0);
}

TEST(OutputFile, ADirectoryThatCannotBeMadeIsAnError) {
  const auto file = OutputFile::create("/proc/none");
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("/proc/none"), std::string::npos);
}

}  // namespace
}  // namespace wheelcheck::rewrite
