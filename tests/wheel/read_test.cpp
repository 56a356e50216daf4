// Tests the reading of a whole wheel from its bytes to its facts: every member is read, every claim is compared, and
// every ELF file is found under any name, with any number of threads.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/hash.h"
#include "tests/support/zip_builder.h"
#include "wheel/record.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Files = std::map<std::string, std::string>;

std::vector<test::ZipMember> zip_members(const Files& files) {
  std::vector<test::ZipMember> members;
  for (const auto& [name, body] : files) {
    test::ZipMember& member = members.emplace_back();
    member.name = name;
    member.data = body;
  }
  return members;
}
std::string zip_of(const Files& files) { return test::make_zip(zip_members(files)); }

std::string sha256_of(std::string_view bytes) { return sha256_hex(std::as_bytes(std::span(bytes))); }

std::string record_of(const Files& files) {
  std::string out;
  for (const auto& [name, body] : files)
    out += name + ",sha256=" + wheel::record_digest(sha256_of(body)) + "," + std::to_string(body.size()) + "\n";
  return out + "foo-1.0.dist-info/RECORD,,\n";
}

// A correct wheel with these files in addition to its own.
Files wheel_of(Files files, std::string_view tag = "cp311-cp311-linux_x86_64") {
  files["foo-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: foo\nVersion: 1.0\n";
  files["foo-1.0.dist-info/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: " + std::string(tag) + "\n";
  files["foo-1.0.dist-info/RECORD"] = record_of(files);
  return files;
}

constexpr std::string_view elf_magic = "\177ELF";

// An ELF header for x86-64 with that e_type and without program headers.
std::string elf_header(std::uint16_t type) {
  using test::u16, test::u32;
  return std::string(elf_magic) + "\2\1\1" + std::string(9, '\0') + u16(type) + u16(62) + u32(1) +
         std::string(24, '\0') + u32(0) + u16(64) + u16(56) + u16(0) + u16(64) + u32(0);
}
constexpr std::uint16_t et_rel = 1;

class ReadWheel : public testing::Test {
 protected:
  std::string write(std::string_view bytes, const std::string& name = good_name) const {
    return test::write_file(directory_.path(name), bytes);
  }
  Result<WheelFacts> read_files(const Files& files, const Limits& limits = {}, unsigned jobs = 1) const {
    return read(write(zip_of(files)), limits, jobs);
  }
  // The facts of files that must be readable.
  WheelFacts facts_of(const Files& files, unsigned jobs = 1, const Limits& limits = {}) const {
    Result<WheelFacts> facts = read_files(files, limits, jobs);
    if (facts) return std::move(*facts);
    ADD_FAILURE() << facts.error().message;
    return {};
  }

  static constexpr const char* good_name = "foo-1.0-cp311-cp311-linux_x86_64.whl";
  test::TemporaryDirectory directory_;
};

std::vector<std::string> flaws_of(const WheelFacts& facts) {
  std::vector<std::string> out;
  for (const WheelFlaw& flaw : facts.flaws) out.push_back(flaw.subject + ": " + flaw.reason);
  return out;
}

TEST_F(ReadWheel, KeepsTheFirstLinesOfScripts) {
  const std::string author = "#!/home/me/venv/bin/python3";
  const WheelFacts facts = facts_of(wheel_of({{"foo-1.0.data/scripts/a", author + "\nimport foo\n"},
                                              {"foo-1.0.data/scripts/b.py", "#!/usr/bin/env python\r\n"},
                                              {"foo-1.0.data/scripts/c", "#!/" + std::string(100, 'x')},
                                              {"foo-1.0.data/scripts/d", "import foo\n"},
                                              {"foo-1.0.data/data/e", author},
                                              {"foo/f.py", author}}));
  ASSERT_EQ(facts.script_lines.size(), 3U);
  EXPECT_EQ(facts.script_lines[0].interpreter, "/home/me/venv/bin/python3");
  EXPECT_FALSE(facts.script_lines[0].carriage_return);
  EXPECT_EQ(facts.script_lines[1].interpreter, "/usr/bin/env python");
  EXPECT_TRUE(facts.script_lines[1].carriage_return);
  EXPECT_EQ(facts.script_lines[2].interpreter, "/" + std::string(61, 'x'));
}

TEST_F(ReadWheel, GivesEveryPartOfACorrectWheelWithoutAFlaw) {
  const Files files = wheel_of({{"foo/a.py", "print()\n"}, {"foo/empty.py", ""}});
  const WheelFacts facts = facts_of(files);
  EXPECT_THAT(flaws_of(facts), IsEmpty());
  EXPECT_EQ(facts.file, good_name);
  EXPECT_EQ(facts.path, directory_.path(good_name));
  EXPECT_EQ(facts.name.distribution, "foo");
  EXPECT_EQ(facts.dist_info, "foo-1.0.dist-info");
  ASSERT_TRUE(facts.wheel);
  EXPECT_THAT(facts.wheel->tags, ElementsAre("cp311-cp311-linux_x86_64"));
  ASSERT_TRUE(facts.metadata);
  EXPECT_EQ(facts.metadata->name, "foo");
  ASSERT_TRUE(facts.record);
  EXPECT_EQ(facts.record->size(), 5U);
  EXPECT_EQ(facts.size, zip_of(files).size());
  EXPECT_THAT(facts.elfs, IsEmpty());
  ASSERT_EQ(facts.members.size(), 5U);
  EXPECT_EQ(facts.members[3].path.text(), "foo/a.py");
  EXPECT_EQ(facts.members[3].size, 8U);
  EXPECT_EQ(facts.members[3].sha256, sha256_of("print()\n"));
  EXPECT_EQ(facts.members[4].sha256, sha256_of(""));
}

TEST_F(ReadWheel, FindsElfFilesUnderAnyNameAndSaysWhereTheyAreInstalled) {
  const std::string object = elf_header(et_rel);
  const WheelFacts facts = facts_of(wheel_of({{"foo/data.py", object},
                                              {"foo-1.0.data/purelib/foo/x.o", object},
                                              {"foo-1.0.data/scripts/tool", std::string(elf_magic)},
                                              {"foo/notes.txt", "ELF\n"}}));
  EXPECT_THAT(flaws_of(facts), IsEmpty());
  ASSERT_EQ(facts.elfs.size(), 3U);
  EXPECT_EQ(facts.elfs[0].installed, "lib/python3.11/site-packages/foo/x.o");
  EXPECT_TRUE(facts.elfs[0].in_purelib);
  EXPECT_FALSE(facts.elfs[0].disguised);
  EXPECT_EQ(name_of(facts.elfs[0].role), "relocatable object");
  EXPECT_EQ(facts.elfs[1].installed, "bin/tool");
  EXPECT_TRUE(std::holds_alternative<BrokenElf>(facts.elfs[1].role));
  EXPECT_EQ(facts.elfs[2].installed, "lib/python3.11/site-packages/foo/data.py");
  EXPECT_TRUE(facts.elfs[2].disguised);
  EXPECT_EQ(facts.members[facts.elfs[2].member.value].path.text(), "foo/data.py");
}

TEST_F(ReadWheel, NamesAMemberThatRecordOmitsAndStillReadsIt) {
  Files files = wheel_of({{"foo/a.py", ""}});
  files["foo/hidden.so"] = elf_header(et_rel);
  const WheelFacts facts = facts_of(files);
  EXPECT_THAT(flaws_of(facts), ElementsAre("foo/hidden.so: is not listed in RECORD"));
  ASSERT_EQ(facts.elfs.size(), 1U);
  EXPECT_EQ(facts.elfs[0].facts.machine, 62);
}

TEST_F(ReadWheel, SaysTheSameWithAnyNumberOfThreads) {
  Files files = wheel_of({{"foo/a.so", elf_header(et_rel)}, {"foo/b.so", elf_header(et_rel) + std::string(5000, 'x')}});
  for (int i = 0; i < 50; ++i) files["foo/extra" + std::to_string(i)] = std::string(static_cast<std::size_t>(i), 'y');
  const WheelFacts one = facts_of(files, 1), four = facts_of(files, 4);
  EXPECT_EQ(flaws_of(one).size(), 50U);
  EXPECT_EQ(flaws_of(one), flaws_of(four));
  ASSERT_EQ(one.members.size(), four.members.size());
  for (std::size_t i = 0; i < one.members.size(); ++i) EXPECT_EQ(one.members[i].sha256, four.members[i].sha256);
  ASSERT_EQ(one.elfs.size(), four.elfs.size());
  for (std::size_t i = 0; i < one.elfs.size(); ++i) EXPECT_EQ(one.elfs[i].member, four.elfs[i].member);
}

TEST_F(ReadWheel, WithoutADistInfoDirectoryHasOneFlaw) {
  const WheelFacts facts = facts_of({{"foo/a.py", ""}});
  EXPECT_EQ(facts.dist_info, std::nullopt);
  ASSERT_EQ(facts.flaws.size(), 1U);
  EXPECT_EQ(facts.flaws[0].area, WheelArea::DistInfo);
  EXPECT_EQ(facts.flaws[0].subject, good_name);
}

TEST_F(ReadWheel, OfAnotherProjectsDistInfoIsFlawed) {
  Files files = wheel_of({{"foo/a.py", ""}});
  const Result<WheelFacts> facts = read(write(zip_of(files), "bar-1.0-cp311-cp311-linux_x86_64.whl"), {}, 1);
  ASSERT_TRUE(facts);
  EXPECT_THAT(flaws_of(*facts), Contains("foo-1.0.dist-info: does not name the project and version of the file name, "
                                         "bar 1.0"));
  EXPECT_THAT(flaws_of(*facts), Contains("foo-1.0.dist-info/METADATA: Name is foo, the file name says bar"));
}

TEST_F(ReadWheel, SaysWhichDistInfoFilesAreMissing) {
  const WheelFacts facts = facts_of({{"foo-1.0.dist-info/LICENSE", ""}});
  EXPECT_THAT(flaws_of(facts),
              ElementsAre("foo-1.0.dist-info/WHEEL: is missing", "foo-1.0.dist-info/METADATA: is missing",
                          "foo-1.0.dist-info/RECORD: is missing"));
  EXPECT_EQ(facts.wheel, std::nullopt);
  EXPECT_EQ(facts.metadata, std::nullopt);
  EXPECT_EQ(facts.record, std::nullopt);
}

TEST_F(ReadWheel, ListsAtMost500FlawsOfAKindForAnIndex) {
  std::string metadata = "Metadata-Version: 2.2\nName: foo\nVersion: 1.0\n";
  for (int i = 0; i < 2000; ++i) metadata += fmt::format("Classifier: No :: {}\n", i);
  const WheelFacts facts = facts_of({{"foo-1.0.dist-info/METADATA", metadata + "Dynamic: nothing\n"}});
  std::map<WheelArea, int> counts;
  for (const WheelFlaw& flaw : facts.flaws) ++counts[flaw.area];
  EXPECT_EQ(counts[WheelArea::IndexClassifier], 501);
  EXPECT_EQ(counts[WheelArea::IndexMetadata], 1);
}

TEST_F(ReadWheel, RejectsTwoDistInfoDirectories) {
  Files files = wheel_of({});
  files["bar-1.0.dist-info/METADATA"] = "";
  const Result<WheelFacts> facts = read_files(files);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ErrorCode::Rejected);
}

TEST_F(ReadWheel, RejectsMembersThatDoNotInflateAndNamesTheFirst) {
  std::vector<test::ZipMember> members =
      zip_members(wheel_of({{"foo/a.py", std::string(100, 'x')}, {"foo/b.py", std::string(100, 'x')}}));
  for (test::ZipMember& member : members)
    if (member.name.starts_with("foo/")) member.packed = test::deflate(std::string(100, 'y'));
  const std::string bytes = test::make_zip(members);
  for (const unsigned jobs : {1U, 4U}) {
    const Result<WheelFacts> facts = read(write(bytes), {}, jobs);
    ASSERT_FALSE(facts);
    EXPECT_EQ(facts.error().code, ErrorCode::Rejected);
    EXPECT_THAT(facts.error().message, HasSubstr("foo/a.py"));
  }
}

TEST_F(ReadWheel, TakesWhatIsOddAboutTheArchiveAsFlawsOfItsMembers) {
  std::vector<test::ZipMember> members = zip_members(wheel_of({{"foo/a.py", "x"}}));
  for (test::ZipMember& member : members) member.descriptor = member.name == "foo/a.py";
  const Result<WheelFacts> facts = read(write(test::make_zip(members)), {}, 1);
  ASSERT_TRUE(facts) << facts.error().message;
  ASSERT_EQ(facts->flaws.size(), 2U);
  EXPECT_EQ(facts->flaws[0].area, WheelArea::Member);
  EXPECT_EQ(facts->flaws[1].area, WheelArea::IndexArchive);
  EXPECT_EQ(facts->flaws[0].subject, "foo/a.py");
  ASSERT_TRUE(facts->flaws[0].member);
  EXPECT_EQ(facts->members[facts->flaws[0].member->value].path.text(), "foo/a.py");
}

TEST_F(ReadWheel, OfABadNameOrNoArchiveIsNoWheel) {
  const std::string good = zip_of(wheel_of({}));
  Result<WheelFacts> facts = read(write(good, "foo.whl"), {}, 1);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ErrorCode::NotAWheel);
  EXPECT_THAT(facts.error().message, HasSubstr("foo.whl: a wheel's name has five or six parts"));
  facts = read(write("hello\n"), {}, 1);
  ASSERT_FALSE(facts);
  facts = read(write(""), {}, 1);
  ASSERT_FALSE(facts);
  facts = read(directory_.path("gone-1.0-py3-none-any.whl"), {}, 1);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ErrorCode::NotFound);
}

TEST_F(ReadWheel, NamesTheOptionThatRaisesALimit) {
  const Files files = wheel_of({});
  const auto message = [&](const Limits& limits) {
    const Result<WheelFacts> facts = read_files(files, limits);
    if (facts) return std::string("read");
    EXPECT_EQ(facts.error().code, ErrorCode::OverLimit);
    return facts.error().message;
  };
  EXPECT_THAT(message({.record_bytes = 10}), HasSubstr("RECORD: it has 186 bytes, over the limit of 10; raise it with "
                                                       "--limit record-bytes=N"));
  EXPECT_THAT(message({.metadata_bytes = 10}), HasSubstr("--limit metadata-bytes=N"));
  EXPECT_THAT(message({.wheel_bytes = 10}), HasSubstr("--limit wheel-file-bytes=N"));
  EXPECT_EQ(message({}), "read");
}

TEST_F(ReadWheel, ListsArchivesAndCodeThatNoLoaderHereMaps) {
  const std::string nul(1, '\0');
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"PK\3\4....", "zip archive"},
      {"\x1F\x8B\x08....", "gzip data"},
      {"!<arch>\n", "ar archive"},
      {nul + "asm\1", "WebAssembly"},
      {"BC\xC0\xDE", "LLVM bitcode"},
      {"\x50\xED\x55\xBA", "CUDA fat binary"},
      {"\xCF\xFA\xED\xFE", "Mach-O file"},
      {"\xCA\xFE\xBA\xBE" + nul + nul + nul + "\2", "Mach-O file"},
      {"\xCA\xFE\xBA\xBE" + nul + nul + nul + "\x34", "Java class"},
      {"MZ" + std::string(58, '\0') + "@" + std::string(3, '\0') + "PE", "Windows program"},
      {"MZ, a text", ""},
      {".version 8.0\n", "PTX"},
      {std::string(70'000, ' ') + elf_header(et_rel), "data with an ELF file inside"},
      {std::string(70'000, ' ') + "\177ELF and no header", ""},
      {"PK", ""},
      {"", ""},
  };
  Files files;
  for (std::size_t i = 0; i < kinds.size(); ++i) files[fmt::format("foo/{:02}.bin", i)] = kinds[i].first;
  const WheelFacts facts = facts_of(wheel_of(files));
  std::map<std::string, std::string> seen;
  for (const MemberFacts& member : facts.members) seen[member.path.text()] = name_of(member.foreign);
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(seen[fmt::format("foo/{:02}.bin", i)], kinds[i].second) << i;
}

TEST_F(ReadWheel, ListsWhatIsOnlyNamedAsALibrary) {
  const WheelFacts facts = facts_of(wheel_of({{"foo/a.so", ""},
                                              {"foo/b.so.1.2", "/* GNU ld script */"},
                                              {"foo/c.so", "text\n"},
                                              {"foo/d.so", std::string("\1\0\2", 3)},
                                              {"foo/e.so.txt", "text\n"},
                                              {"foo/f.so", std::string(elf_magic)}}));
  std::vector<std::string> kinds;
  for (const MemberFacts& member : facts.members)
    if (member.path.text().starts_with("foo/")) kinds.emplace_back(name_of(member.foreign));
  EXPECT_THAT(kinds, ElementsAre("empty file named as a library", "linker script", "text named as a library",
                                 "data named as a library", "", ""));
}

// Also if an ELF header is split at the end of a chunk, for any chunk size.
TEST_F(ReadWheel, FindsAnElfFileInsideDataAtAnyPlace) {
  Files files;
  for (std::size_t i = 0; i < 16; ++i)
    files[fmt::format("foo/{:02}.bin", i)] = std::string((1U << 20) - i, 'x') + elf_header(et_rel);
  const WheelFacts facts = facts_of(wheel_of(files));
  for (const MemberFacts& member : facts.members)
    if (member.path.text().starts_with("foo/")) EXPECT_EQ(member.foreign, ForeignKind::Inside) << member.path.text();
}

TEST_F(ReadWheel, ComparesAnyHashThatRecordMayHave) {
  const auto with = [&](const std::string& digest) {
    Files files = wheel_of({});
    files["foo/a.py"] = "abc";
    files["foo-1.0.dist-info/RECORD"] += "foo/a.py,sha512=" + digest + ",3\n";
    return flaws_of(facts_of(files));
  };
  // FIPS 180-4, the example with one block.
  const std::string right = "3a81oZNherrMQXNJriBBMRLm-k6JqX6iCp7u5ktV05ohkpkqJ0_BqDa6PCOj_uu9RU1EI2Q86A4qmslPpUyknw";
  EXPECT_THAT(with(right), IsEmpty());
  EXPECT_THAT(with("A" + right.substr(1)), ElementsAre(HasSubstr("the sha512 is not that of the file")));
}

TEST_F(ReadWheel, FlawsAPlaceThatNoInstallerKnows) {
  const WheelFacts facts = facts_of(wheel_of({{"foo-1.0.data/etc/x", ""}}));
  EXPECT_THAT(flaws_of(facts), ElementsAre("foo-1.0.data/etc/x: is below .data, but not in purelib, platlib, scripts, "
                                           "headers or data"));
}

}  // namespace
}  // namespace wheelcheck
