// Tests archives that every careful reader accepts.
#include <gtest/gtest.h>

#include <thread>

#include "archive/inflate.h"
#include "base/hash.h"
#include "tests/archive/opened.h"

namespace wheelcheck::archive {
namespace {

const std::string text(5000, 'a');

TEST(GoodArchive, GivesItsFilesByPathWithTheirFacts) {
  const std::string zip = make_zip({{.name = "b/two.py", .data = text},
                                    {.name = "b/"},
                                    {.name = "a.so",
                                     .data = "\x7f"
                                             "ELF and more",
                                     .method = 0,
                                     .mode = 0100755}});
  const auto archive = open_bytes(zip);
  ASSERT_TRUE(archive) << archive.error().message;
  ASSERT_EQ(archive->entries().size(), 2u);
  const Entry& so = archive->entries()[0];
  EXPECT_EQ(so.path.text(), "a.so");
  EXPECT_EQ(so.size, 13u);
  EXPECT_EQ(so.packed_size, 13u);
  EXPECT_EQ(so.unix_mode, 0100755u);
  EXPECT_EQ(so.method, 0);
  EXPECT_EQ(so.data_offset, so.header_offset + 30 + 4);
  EXPECT_EQ(archive->entries()[1].path.text(), "b/two.py");
  EXPECT_EQ(archive->entries()[1].header_offset, 0u);
  EXPECT_EQ(archive->size(), zip.size());
  EXPECT_TRUE(archive->warnings().empty());
}

TEST(GoodArchive, MayDeflateTheNothingOfADirectory) {
  // CPython's writestr("d/", "") and other writers.
  expect_accepted(make_zip({{.name = "d/", .packed = std::string("\3\0", 2)}, {.name = "d/a", .data = "x"}}));
  expect_accepted(make_zip({{.name = "d/", .packed = std::string("\1\0\0\xff\xff", 5)}}));
}

TEST(GoodArchive, MayHaveAPrintableComment) {
  EXPECT_TRUE(warnings_of(make_zip({{.name = "a", .data = "x"}}, {.comment = "built by hand"})).empty());
}

TEST(GoodArchive, MayHaveZip64ExtraFieldsOnSmallFiles) {
  const auto archive = open_bytes(make_zip({{.name = "a", .data = text, .zip64 = true}}));
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_EQ(archive->entries()[0].size, text.size());
  EXPECT_TRUE(archive->read(archive->entries()[0], {.keep = Keep::Nothing}));
  EXPECT_TRUE(archive->warnings().empty());
}

TEST(GoodArchive, MayHaveZip64FieldsThatRepeatWhatTheLocalHeadersSay) {
  // CPython before 3.11.4 wrote these with force_zip64.
  const std::string extra = test::extra_field(1, test::u64(text.size()) + test::u64(test::deflate(text).size()));
  const auto add = [&](ZipHeader& h) { h.extra = extra; };
  expect_accepted(make_zip({{.name = "a", .data = text, .local = add}}));
}

TEST(GoodArchive, MayHaveAZip64EndRecord) { expect_accepted(make_zip({{.name = "a", .data = text}}, {.zip64 = true})); }

TEST(GoodArchive, MayHaveAZip64EndRecordThatRepeatsTheEndRecord) {
  const auto repeat = [](ZipEnd& e) {
    e = {.members_here = 1, .members = 1, .directory_size = 47, .directory_offset = 32};
  };
  expect_accepted(make_zip({{.name = "a", .data = "x", .method = 0}}, {.zip64 = true, .end = repeat}));
}

TEST(GoodArchive, MayTakeAnOffsetFromItsZip64Field) {
  expect_accepted(make_zip({{.name = "a", .data = "x", .central = [](ZipHeader& h) {
                               h.extra = test::extra_field(1, test::u64(h.offset));
                               h.offset = 0xFFFFFFFF;
                             }}}));
  expect_accepted(make_zip({{.name = "a", .data = "x", .central = [](ZipHeader& h) {
                               h.extra = test::extra_field(1, test::u64(h.offset) + test::u32(0));
                               h.offset = 0xFFFFFFFF;
                               h.disk = 0xFFFF;
                             }}}));
}

TEST(GoodArchive, MayHaveATimestampAndARightUnicodePath) {
  const std::string extra =
      test::extra_field(0x5455, "\1abcd") + test::extra_field(0x7075, "\1" + test::u32(test::crc32_of("a")) + "a");
  const auto add = [&](ZipHeader& h) { h.extra = extra; };
  EXPECT_TRUE(warnings_of(make_zip({{.name = "a", .data = "x", .local = add, .central = add}})).empty());
}

TEST(GoodArchive, MayListItsMembersInAnotherOrderThanTheyLie) {
  const std::string a = make_zip({{.name = "a", .data = "x"}, {.name = "b", .data = "y"}});
  // Swap the two central entries, 47 bytes each.
  const std::size_t directory = a.size() - 22 - 2 * 47;
  const std::string swapped =
      a.substr(0, directory) + a.substr(directory + 47, 47) + a.substr(directory, 47) + a.substr(a.size() - 22);
  expect_accepted(swapped);
}

TEST(Descriptor, IsReadInAllItsFormsAndRemarkedUpon) {
  for (const bool zip64 : {false, true})
    for (const bool signature : {false, true}) {
      const std::string zip =
          make_zip({{.name = "a", .data = text, .zip64 = zip64, .descriptor = true, .descriptor_signature = signature},
                    {.name = "b", .data = "y"}});
      expect_accepted(zip);
      const auto warnings = warnings_of(zip);
      ASSERT_EQ(warnings.size(), 1u);
      EXPECT_NE(warnings[0].find("a: its sizes are behind its data"), std::string::npos) << warnings[0];
    }
}

TEST(Reading, GivesBytesAndTheirHash) {
  const auto archive = open_bytes(make_zip({{.name = "a", .data = text}}));
  ASSERT_TRUE(archive);
  const auto content = archive->read(archive->entries()[0], {.keep = Keep::Everything});
  ASSERT_TRUE(content) << content.error().message;
  EXPECT_EQ(text_of_buffer(content->bytes), text);
  EXPECT_EQ(content->digest, sha256_hex(std::as_bytes(std::span(text))));
  EXPECT_FALSE(content->elf);
}

TEST(Reading, KeepsOnlyWhatWasAskedFor) {
  const std::string elf = std::string(
                              "\x7f"
                              "ELF",
                              4) +
                          text;
  const auto archive = open_bytes(make_zip({{.name = "elf.txt", .data = elf},
                                            {.name = "short",
                                             .data = "\x7f"
                                                     "EL"},
                                            {.name = "text.so", .data = text}}));
  ASSERT_TRUE(archive);
  const auto read = [&](std::size_t i, Keep keep) { return *archive->read(archive->entries()[i], {.keep = keep}); };
  EXPECT_EQ(text_of_buffer(read(0, Keep::IfElf).bytes), elf);
  EXPECT_TRUE(read(0, Keep::Nothing).bytes.empty());
  EXPECT_TRUE(read(0, Keep::Nothing).elf);
  EXPECT_TRUE(read(2, Keep::IfElf).bytes.empty());
  EXPECT_FALSE(read(1, Keep::IfElf).elf);
  EXPECT_EQ(text_of_buffer(read(1, Keep::Everything).bytes),
            "\x7f"
            "EL");
}

TEST(Reading, OfAnEmptyMemberGivesTheHashOfNothing) {
  const std::string empty_stream("\x03\x00", 2);
  const auto archive = open_bytes(make_zip({{.name = "a"}, {.name = "b", .packed = empty_stream}}));
  ASSERT_TRUE(archive) << archive.error().message;
  for (const Entry& entry : archive->entries()) {
    const auto content = archive->read(entry, {.keep = Keep::Everything});
    ASSERT_TRUE(content) << content.error().message;
    EXPECT_EQ(content->digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_TRUE(content->bytes.empty());
  }
}

// Above the size that is inflated as a whole, and around the size of the window.
std::string noise(std::size_t size) {
  std::string out(size, '\0');
  std::uint32_t state = 1;
  for (char& c : out) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 28);
  return out;
}

TEST(Reading, StreamsLargeMembersOfEverySizeAroundItsWindow) {
  constexpr std::size_t edge = whole_limit + chunk_size, largest = whole_limit + (std::size_t{2} << 20);
  const std::string all = noise(largest);
  for (const std::size_t size :
       {std::size_t{whole_limit} - 1, std::size_t{whole_limit}, whole_limit + 1, edge - 1, edge, edge + 1, largest})
    for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}}) {
      const std::string data = all.substr(0, size);
      const auto archive =
          open_bytes(make_zip({{.name = "a", .data = data, .method = method}, {.name = "b", .data = "y"}}));
      ASSERT_TRUE(archive);
      const auto content = archive->read(archive->entries()[0], {.keep = Keep::Everything});
      ASSERT_TRUE(content) << content.error().message;
      EXPECT_EQ(text_of_buffer(content->bytes), data);
      EXPECT_EQ(content->digest, sha256_hex(std::as_bytes(std::span(data))));
    }
}

TEST(Reading, MayBeDoneBySeveralThreadsAtOnce) {
  std::vector<ZipMember> members;
  for (int i = 0; i < 20; ++i)
    members.push_back(
        {.name = "m" + std::to_string(i), .data = noise(i % 4 == 0 ? whole_limit + 1 : 3000u) + std::to_string(i)});
  const auto archive = open_bytes(make_zip(members));
  ASSERT_TRUE(archive);
  std::vector<std::string> hashes[2];
  {
    std::vector<std::jthread> threads;
    for (auto& mine : hashes)
      threads.emplace_back([&] {
        for (const Entry& entry : archive->entries()) {
          const auto content = archive->read(entry, {.keep = Keep::Nothing});
          mine.push_back(content ? content->digest : content.error().message);
        }
      });
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  for (std::size_t i = 0; i < archive->entries().size(); ++i)
    for (const ZipMember& m : members)
      if (m.name == archive->entries()[i].path.text()) {
        EXPECT_EQ(hashes[0][i], sha256_hex(std::as_bytes(std::span(m.data))));
      }
}

}  // namespace
}  // namespace wheelcheck::archive
