// Tests RECORD against the archive: every way in which the list and the files can disagree.
#include "wheel/record.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace wheelcheck::wheel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view record_path = "foo-1.0.dist-info/RECORD";
// The SHA-256 of no bytes, in hex and as RECORD writes it.
constexpr std::string_view empty_hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view empty_digest = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";

MemberFacts member(std::string_view path) {
  return {.path = *MemberPath::parse(path), .size = 0, .sha256 = std::string(empty_hex)};
}

std::string digest_of_empty(MemberIndex, Digest digest) { return Sha2(digest).hex(); }

// "subject: reason" of every flaw, for a wheel with a.py, RECORD and the given files.
std::vector<std::string> flaws_of(std::string_view text, std::vector<std::string> more = {}) {
  std::vector<MemberFacts> members = {member("a.py"), member(record_path)};
  for (const std::string& path : more) members.push_back(member(path));
  std::ranges::sort(members, {}, &MemberFacts::path);
  std::vector<WheelFlaw> flaws;
  const Result<std::vector<RecordRow>> rows = parse_record(text, MemberIndex{1}, "RECORD", Limits{}, flaws);
  if (!rows) return {rows.error().message};
  compare_record(*rows, members, record_path, digest_of_empty, flaws);
  std::vector<std::string> out;
  for (const WheelFlaw& flaw : flaws) {
    EXPECT_EQ(flaw.area, WheelArea::Record);
    out.push_back(flaw.subject + ": " + flaw.reason);
  }
  return out;
}
std::string row_of(std::string_view path) {
  return std::string(path) + ",sha256=" + std::string(empty_digest) + ",0\n";
}

TEST(RecordDigest, IsUrlSafeBase64WithoutPadding) {
  EXPECT_EQ(sha256_hex({}), empty_hex);
  EXPECT_EQ(record_digest(empty_hex), empty_digest);
  EXPECT_EQ(record_digest(""), "");
  EXPECT_EQ(record_digest("fffe"), "__4");
}

TEST(Record, ThatListsEveryMemberHasNoFlaw) {
  EXPECT_THAT(flaws_of(row_of("a.py") + std::string(record_path) + ",,\n"), IsEmpty());
}

TEST(Record, MayLeaveOutItselfAndItsSignatures) {
  EXPECT_THAT(flaws_of(row_of("a.py"), {"foo-1.0.dist-info/RECORD.jws", "foo-1.0.dist-info/RECORD.p7s"}), IsEmpty());
  EXPECT_THAT(flaws_of(row_of("a.py"), {"foo/RECORD.jws"}), ElementsAre("foo/RECORD.jws: is not listed in RECORD"));
}

TEST(Record, MayHaveLinesThatEndAsOnWindowsAndQuotedPaths) {
  EXPECT_THAT(flaws_of("\"a.py\",sha256=" + std::string(empty_digest) + ",0\r\n" +
                           "\"b,\"\"c\"\".txt\",sha256=" + std::string(empty_digest) + ",0\r\n",
                       {"b,\"c\".txt"}),
              IsEmpty());
}

TEST(Record, ThatOmitsAMemberIsNamedWithIt) {
  EXPECT_THAT(flaws_of(row_of("a.py"), {"hidden.so"}), ElementsAre("hidden.so: is not listed in RECORD"));
}

TEST(Record, ThatOmitsAMemberPointsAtTheMember) {
  std::vector<WheelFlaw> flaws;
  compare_record({}, std::vector<MemberFacts>{member("a.py"), member(record_path)}, record_path, digest_of_empty,
                 flaws);
  ASSERT_EQ(flaws.size(), 1U);
  EXPECT_EQ(flaws[0].member, MemberIndex{0});
}

TEST(Record, ThatListsAFileWhichIsNotThereIsFlawed) {
  EXPECT_THAT(flaws_of(row_of("a.py") + row_of("gone.py")),
              ElementsAre("gone.py: is in RECORD but not in the archive"));
}

TEST(Record, WithAPathThatLeavesTheWheelIsFlawed) {
  EXPECT_THAT(
      flaws_of(row_of("a.py") + row_of("/etc/passwd") + row_of("../x") + row_of("b/../../x") + row_of("b\\c") +
               row_of("C:/x") + row_of("b//c") + row_of("b/") + row_of("./a.py")),
      ElementsAre("/etc/passwd: the path is absolute", "../x: the path leaves the wheel by '..'",
                  "b/../../x: the path leaves the wheel by '..'", "b\\c: the path has a backslash",
                  "C:/x: the path has a drive", "b//c: the path is not a clean relative path",
                  "b/: the row names a directory: pip uninstall removes what other distributions and users have in "
                  "it, too",
                  "./a.py: the path is not a clean relative path"));
}

// dukpy 0.6.0: pip, uv and installer install it.
TEST(Record, WithADirectoryIsAMinorFlaw) {
  const std::vector<MemberFacts> members{member("a.py")};
  const std::vector<RecordRow> rows{{.path = "a.py", .hash = "sha256=" + std::string(empty_digest)}, {.path = "b/"}};
  std::vector<WheelFlaw> flaws;
  compare_record(rows, members, record_path, digest_of_empty, flaws);
  ASSERT_EQ(flaws.size(), 1U);
  EXPECT_TRUE(flaws[0].minor);
}

TEST(Record, WithAWrongHashShowsBoth) {
  const std::string other(43, 'A');
  EXPECT_THAT(flaws_of("a.py,sha256=" + other + ",0\n"),
              ElementsAre("a.py: the sha256 is not that of the file: RECORD says " + other + ", the file has " +
                          std::string(empty_digest)));
}

TEST(Record, WithoutAHashOrWithAWeakOneIsFlawed) {
  EXPECT_THAT(flaws_of("a.py,,0\n"), ElementsAre("a.py: has no hash in RECORD"));
  EXPECT_THAT(flaws_of("a.py,md5=1B2M2Y8AsgTpgAmY7PhCfg,0\n"),
              ElementsAre("a.py: the hash is md5, which is not permitted: sha256 or better"));
  EXPECT_THAT(flaws_of("a.py,SHA1=2jmj7l5rSw0yVb_vlWAYkK_YBwk,0\n"),
              ElementsAre("a.py: the hash is sha1, which is not permitted: sha256 or better"));
  EXPECT_THAT(flaws_of("a.py,nonsense,0\n"), ElementsAre("a.py: the hash 'nonsense' is not ALGORITHM=DIGEST"));
  EXPECT_THAT(flaws_of("a.py,crc32=0,0\n"), ElementsAre("a.py: the hash 'crc32=0' cannot be checked"));
}

TEST(Record, WithAHashInAnotherSpellingSaysWhich) {
  EXPECT_THAT(flaws_of("a.py,sha256=" + std::string(empty_hex) + ",0\n"),
              ElementsAre("a.py: the sha256 is written in hex, not in URL-safe base64"));
  EXPECT_THAT(flaws_of("a.py,sha256=" + std::string(empty_digest) + "=,0\n"),
              ElementsAre("a.py: the sha256 is written with padding"));
}

TEST(Record, ComparesTheStrongerHashesToo) {
  for (const auto& [name, digest] : {std::pair("sha384", Digest::Sha384), std::pair("sha512", Digest::Sha512)}) {
    const std::string right = record_digest(Sha2(digest).hex());
    EXPECT_THAT(flaws_of(fmt::format("a.py,{}={},0\n", name, right)), IsEmpty());
    const std::string wrong = "A" + right.substr(1);
    EXPECT_THAT(flaws_of(fmt::format("a.py,{}={},0\n", name, wrong)),
                ElementsAre(fmt::format("a.py: the {} is not that of the file: RECORD says {}, the file has {}", name,
                                        wrong, right)));
  }
}

TEST(Record, WithAWrongSizeShowsBoth) {
  EXPECT_THAT(flaws_of("a.py,sha256=" + std::string(empty_digest) + ",12\n"),
              ElementsAre("a.py: has 0 bytes, RECORD says 12"));
  EXPECT_THAT(flaws_of("a.py,sha256=" + std::string(empty_digest) + ",\n"), IsEmpty());
  EXPECT_THAT(flaws_of("a.py,sha256=" + std::string(empty_digest) + ",-1\n"),
              ElementsAre("RECORD: row 1: the size '-1' of a.py is not a number"));
}

TEST(Record, MayRepeatARowButNotContradictIt) {
  EXPECT_THAT(flaws_of(row_of("a.py") + row_of("a.py")), IsEmpty());
  EXPECT_THAT(flaws_of(row_of("a.py") + "a.py,,\n"), ElementsAre("a.py: has two rows in RECORD that differ"));
}

TEST(Record, ThatIsNoCsvOfThreeFieldsIsFlawedRowByRow) {
  EXPECT_THAT(flaws_of(row_of("a.py") + "one\n\na,b,c,d\n"),
              ElementsAre("RECORD: row 2 has 1 field, not path, hash and size",
                          "RECORD: row 3 has 0 fields, not path, hash and size",
                          "RECORD: row 4 has 4 fields, not path, hash and size"));
  EXPECT_THAT(flaws_of(row_of("a.py") + "\"open,,\n"),
              ElementsAre("RECORD: row 2 has a quote that is never closed",
                          "RECORD: row 2 has 1 field, not path, hash and size"));
  EXPECT_THAT(flaws_of(row_of("a.py") + "\"a.py\"x,,\n"), ElementsAre("RECORD: row 2 has text after a closing quote",
                                                                      "a.pyx: is in RECORD but not in the archive"));
}

TEST(Record, OfAMillionCommasIsOneRow) {
  EXPECT_THAT(flaws_of(row_of("a.py") + std::string(1'000'000, ',') + "\n"),
              ElementsAre("RECORD: row 2 has more fields than any RECORD",
                          "RECORD: row 2 has 16 fields, not path, hash and size"));
}

TEST(Record, ThatIsNotUtf8IsFlawedAndStillCompared) {
  EXPECT_THAT(flaws_of(row_of("a.py") + "\xff,,\n"),
              ElementsAre("RECORD: is not UTF-8", "\xff: the path is not a clean relative path"));
}

TEST(Record, WithMoreRowsThanAWheelMayHaveMembersIsOverTheLimit) {
  std::vector<WheelFlaw> flaws;
  const auto rows = parse_record("a,,\nb,,\nc,,\n", MemberIndex{0}, "RECORD", Limits{.members = 2}, flaws);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::OverLimit);
  EXPECT_NE(rows.error().message.find("--limit members=N"), std::string::npos);
  EXPECT_TRUE(parse_record("a,,\nb,,\n", MemberIndex{0}, "RECORD", Limits{.members = 2}, flaws));
}

}  // namespace
}  // namespace wheelcheck::wheel
