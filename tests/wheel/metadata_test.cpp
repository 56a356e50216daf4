// Tests the parsing of WHEEL and METADATA, and the flaws of invalid ones.
#include "wheel/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wheel/filename.h"

namespace wheelcheck::wheel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr MemberIndex at{7};
constexpr std::string_view good_wheel =
    "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: false\nTag: cp311-cp311-linux_x86_64\n"
    "Tag: cp311-cp311-manylinux_2_17_x86_64\n";
constexpr std::string_view good_metadata = "Metadata-Version: 2.1\nName: foo\nVersion: 1.0\n";

std::vector<std::string> reasons(const std::vector<WheelFlaw>& flaws) {
  std::vector<std::string> out;
  for (const WheelFlaw& flaw : flaws) out.push_back(flaw.reason);
  return out;
}
std::vector<std::string> wheel_reasons(std::string_view text) {
  std::vector<WheelFlaw> flaws;
  parse_wheel_file(text, at, "foo-1.0.dist-info/WHEEL", flaws);
  return reasons(flaws);
}
std::vector<std::string> metadata_reasons(std::string_view text) {
  std::vector<WheelFlaw> flaws;
  parse_metadata(text, at, "foo-1.0.dist-info/METADATA", flaws);
  return reasons(flaws);
}

TEST(Headers, AreReadInAnyCaseWithAnyLineEndUpToTheFirstEmptyLine) {
  const Headers headers = parse_headers("NAME:  foo \r\nSummary: a\r\n  b\r\n\tc\r\n\r\nBody: not a header\r\n");
  ASSERT_EQ(headers.fields.size(), 2U);
  EXPECT_EQ(headers.fields[0].key, "name");
  EXPECT_EQ(headers.fields[0].value, "foo");
  EXPECT_EQ(headers.fields[1].value, "a\nb\nc");
  EXPECT_EQ(headers.bad_line, 0U);
}

// ratelimiter 1.2.0.post0, which pip and uv install. dgasmith/opt_einsum#258: others refuse the newer field.
TEST(MetadataText, OfOldWheelsHasAMinorFlaw) {
  const auto minor = [](const std::string& version, const std::string& field) {
    std::vector<WheelFlaw> flaws;
    parse_metadata("Metadata-Version: " + version + "\nName: foo\nVersion: 1.0\n" + field + "\n", at,
                   "foo-1.0.dist-info/METADATA", flaws);
    return flaws.size() == 1 && flaws[0].minor;
  };
  EXPECT_TRUE(minor("2.0", "Provides-Extra: test"));
  EXPECT_FALSE(minor("2.3", "License-Expression: MIT"));
  EXPECT_TRUE(minor("2.1", "License-File: ../LICENSE.txt"));
  EXPECT_FALSE(minor("2.4", "License-File: ../LICENSE.txt"));
  EXPECT_FALSE(minor("2.0", "Requires-Dist: 1"));
}

// pyproject_fmt 2.28.0: a requirement behind the description.
TEST(MetadataText, WithAFieldInTheDescriptionHasAFlaw) {
  const auto with = [](const std::string& description) {
    return metadata_reasons(std::string(good_metadata) + "\n" + description);
  };
  const auto lost = ElementsAre(HasSubstr("has 'Requires-Dist: tomli' in the description"));
  EXPECT_THAT(with("# Title\n\nText.\n\nRequires-Dist: tomli\n"), lost);
  EXPECT_THAT(with("Requires-Dist: tomli\r\nText\r\n"), lost);
  EXPECT_THAT(with("Requires-Dist: tomli"), lost);
  EXPECT_THAT(with("\nClassifier: X\n"), testing::SizeIs(1));
  EXPECT_THAT(with("# Title\n\nRequires-Dist: tomli\n\nis a field.\n"), IsEmpty());
  EXPECT_THAT(with("License: MIT\n"), IsEmpty());
  EXPECT_THAT(with("Keywords: a\nAuthor-email: a@b\n\nText"), ElementsAre(HasSubstr("has 'Author-email: a@b' in")));
  EXPECT_THAT(with("Keywords: a\nAuthor-email: a@b\nRequires-Dist: tomli\n\nText"), lost);
  EXPECT_THAT(with("Keywords: a\nText\nAuthor-email: a@b\n"), IsEmpty());
  EXPECT_THAT(with(""), IsEmpty());
}

// Python's email.feedparser takes such a line for the start of the body.
TEST(Headers, EndAtAKeyWithABlank) {
  const Headers headers = parse_headers("Name : foo\nVersion: 1\n");
  EXPECT_THAT(headers.fields, IsEmpty());
  EXPECT_EQ(headers.bad_line, 1U);
}

TEST(Headers, NeedNoLineEndAfterTheLastOne) {
  ASSERT_EQ(parse_headers("Name: foo").fields.size(), 1U);
  EXPECT_EQ(parse_headers("Name: foo").fields[0].value, "foo");
  EXPECT_THAT(parse_headers("").fields, IsEmpty());
}

TEST(Headers, EndAtALineThatIsNone) {
  const Headers headers = parse_headers("Name: foo\nno colon here\nVersion: 1.0\n");
  EXPECT_EQ(headers.fields.size(), 1U);
  EXPECT_EQ(headers.bad_line, 2U);
  EXPECT_EQ(parse_headers(" continues nothing\n").bad_line, 1U);
  EXPECT_EQ(parse_headers(": no key\n").bad_line, 1U);
}

TEST(WheelFileText, GivesVersionPurelibAndEveryTag) {
  std::vector<WheelFlaw> flaws;
  const WheelFile wheel = parse_wheel_file(good_wheel, at, "foo-1.0.dist-info/WHEEL", flaws);
  EXPECT_THAT(flaws, IsEmpty());
  EXPECT_EQ(wheel.wheel_version, "1.0");
  EXPECT_EQ(wheel.root_is_purelib, false);
  EXPECT_THAT(wheel.tags, ElementsAre("cp311-cp311-linux_x86_64", "cp311-cp311-manylinux_2_17_x86_64"));
}

TEST(WheelFileText, SaysWhereItsFlawsAre) {
  std::vector<WheelFlaw> flaws;
  parse_wheel_file("", at, "foo-1.0.dist-info/WHEEL", flaws);
  ASSERT_EQ(flaws.size(), 1U);
  EXPECT_EQ(flaws[0].area, WheelArea::Wheel);
  EXPECT_EQ(flaws[0].member, at);
  EXPECT_EQ(flaws[0].subject, "foo-1.0.dist-info/WHEEL");
  EXPECT_EQ(flaws[0].reason, "has no Wheel-Version");
}

TEST(WheelFileText, OfAMajorVersionThatNoInstallerTakesIsAFlaw) {
  EXPECT_THAT(wheel_reasons("Wheel-Version: 1.9\n"), IsEmpty());  // a newer minor version installs with a warning
  EXPECT_THAT(wheel_reasons("Wheel-Version: 2.0\n"),
              ElementsAre("Wheel-Version 2.0 is above 1, the newest major version that installers take"));
  EXPECT_THAT(wheel_reasons("Wheel-Version: one\n"), ElementsAre("Wheel-Version 'one' is not MAJOR.MINOR"));
  EXPECT_THAT(wheel_reasons("Wheel-Version: 1\n"), ElementsAre("Wheel-Version '1' is not MAJOR.MINOR"));
  EXPECT_THAT(wheel_reasons("Wheel-Version: 99999999999999999999.0\n"), ElementsAre(HasSubstr("MAJOR.MINOR")));
}

TEST(WheelFileText, MustSayTrueOrFalseOnce) {
  std::vector<WheelFlaw> flaws;
  EXPECT_EQ(parse_wheel_file("Wheel-Version: 1.0\nRoot-Is-Purelib: TRUE\n", at, "W", flaws).root_is_purelib, true);
  EXPECT_EQ(parse_wheel_file("Wheel-Version: 1.0\n", at, "W", flaws).root_is_purelib, std::nullopt);
  EXPECT_THAT(flaws, IsEmpty());
  EXPECT_THAT(wheel_reasons("Wheel-Version: 1.0\nRoot-Is-Purelib: yes\n"),
              ElementsAre("Root-Is-Purelib 'yes' is neither true nor false"));
  EXPECT_THAT(wheel_reasons("Wheel-Version: 1.0\nWheel-Version: 1.0\n"),
              ElementsAre("has more than one Wheel-Version"));
  // usd-core 26.11: pip, uv and installer read the first one.
  EXPECT_EQ(parse_wheel_file("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nRoot-Is-Purelib: False\n", at, "W", flaws)
                .root_is_purelib,
            true);
  ASSERT_EQ(flaws.size(), 1U);
  EXPECT_EQ(flaws[0].reason, "has more than one Root-Is-Purelib");
  EXPECT_TRUE(flaws[0].minor);
}

TEST(WheelFileText, ThatIsBinaryIsNotReadButNamed) {
  EXPECT_THAT(wheel_reasons("\xff\xfe\n"), ElementsAre("is not UTF-8", "has no Wheel-Version"));
}

// The description of pushfill 3.0.2 follows the fields without an empty line; nothing is lost.
TEST(MetadataText, MayBeginTheDescriptionWithoutAnEmptyLine) {
  const std::string fields = "Metadata-Version: 2.1\nName: foo\nVersion: 1.0\n# foo\n";
  std::vector<WheelFlaw> flaws;
  parse_metadata(fields + "It does: this.\n\nRequires-Dist: a\nand that\n", at, "foo-1.0.dist-info/METADATA", flaws);
  EXPECT_THAT(flaws, IsEmpty());
  parse_metadata(fields + "Requires-Dist: a\n", at, "foo-1.0.dist-info/METADATA", flaws);
  ASSERT_EQ(flaws.size(), 1U);
  EXPECT_EQ(flaws[0].reason, "line 4 is not a 'Key: value' line, and what follows it is not read");
}

TEST(MetadataText, GivesTheFieldsThatRulesRead) {
  std::vector<WheelFlaw> flaws;
  const Metadata metadata = parse_metadata(
      "Metadata-Version: 2.4\nName: Foo.Bar\nVersion: 1.0\nRequires-Python: >=3.9\nRequires-Dist: a>=1\n"
      "Provides-Extra: x\nRequires-Dist: b; extra == 'x'\n\nName: from the description\n",
      at, "foo-1.0.dist-info/METADATA", flaws);
  EXPECT_THAT(flaws, IsEmpty());
  EXPECT_EQ(metadata.name, "Foo.Bar");
  EXPECT_EQ(metadata.version, "1.0");
  EXPECT_EQ(metadata.requires_python, ">=3.9");
  EXPECT_THAT(metadata.requires_dist, ElementsAre("a>=1", "b; extra == 'x'"));
  EXPECT_THAT(metadata.provides_extra, ElementsAre("x"));
}

TEST(MetadataText, WithoutWhatItMustHaveIsFlawed) {
  EXPECT_THAT(metadata_reasons(good_metadata), IsEmpty());
  EXPECT_THAT(metadata_reasons(""), ElementsAre("has no Metadata-Version", "has no Name", "has no Version"));
  EXPECT_THAT(metadata_reasons("Metadata-Version: 3.0\nName: foo\nVersion: 1.0\n"),
              ElementsAre("Metadata-Version 3.0 is above 2, the newest major version that installers take"));
  EXPECT_THAT(metadata_reasons("Metadata-Version: 2.1\nName: foo!\nVersion: x\n"),
              ElementsAre("Name 'foo!' is not a project name", "Version 'x' is not a version as PEP 440 defines it"));
  EXPECT_THAT(metadata_reasons("Metadata-Version: 2.1\nName: foo\nName: bar\nVersion: 1.0\n"),
              ElementsAre("has more than one Name"));
}

TEST(MetadataText, IsReadUpToOneMebibyteOfValuesThatAreParsed) {
  const std::string fits = std::string(good_metadata) + "Requires-Dist: a\n";
  const std::string line = "Requires-Dist: b" + std::string(1 << 20, ' ') + "\n";
  const std::string summary = "Summary: " + std::string(1 << 20, 'x') + "\n";
  EXPECT_THAT(metadata_reasons(fits + line + summary), IsEmpty());  // blanks at the end are not part of the value
  std::vector<WheelFlaw> flaws;
  const Metadata metadata = parse_metadata(
      fits + "Requires-Dist: c>" + std::string(1 << 20, '1') + "\nRequires-Python: >=3.9\n", at, "M", flaws);
  EXPECT_THAT(reasons(flaws), ElementsAre(HasSubstr("than the 1 MiB of them that is read")));
  EXPECT_THAT(metadata.requires_dist, ElementsAre("a"));
  EXPECT_EQ(metadata.requires_python, "");
}

TEST(MetadataText, NamesLicencesAndTheirFiles) {
  std::vector<WheelFlaw> flaws;
  const Metadata metadata = parse_metadata(
      std::string(good_metadata) +
          "License: UNKNOWN\nLicense-Expression: MIT OR Apache-2.0\nClassifier: License :: OSI Approved\n"
          "Classifier: Programming Language :: C++\nLicense-File: LICENSE\nLicense-File: vendor/COPYING\n",
      at, "METADATA", flaws);
  EXPECT_THAT(metadata.licenses, ElementsAre("MIT OR Apache-2.0", "License :: OSI Approved"));
  EXPECT_THAT(metadata.license_files, ElementsAre("LICENSE", "vendor/COPYING"));
  EXPECT_EQ(flaws.size(), 1U) << "License-Expression came with 2.4";
}

TEST(MetadataText, FlawsCarryTheirOwnArea) {
  std::vector<WheelFlaw> flaws;
  parse_metadata("", at, "foo-1.0.dist-info/METADATA", flaws);
  ASSERT_FALSE(flaws.empty());
  EXPECT_EQ(flaws[0].area, WheelArea::Metadata);
}

TEST(MetadataText, MustTellTheSameStoryAsTheFileName) {
  const auto compared = [](std::string_view name, std::string_view version, std::string_view requires_python) {
    const Metadata metadata{.name = std::string(name),
                            .version = std::string(version),
                            .requires_python = std::string(requires_python),
                            .requires_dist = {},
                            .provides_extra = {}};
    std::vector<WheelFlaw> flaws;
    compare_metadata(metadata, *parse_filename("Foo_Bar-1.0-cp311-cp311-linux_x86_64.whl"), at, "METADATA", flaws);
    return reasons(flaws);
  };
  EXPECT_THAT(compared("foo.bar", "1.0.0", ">=3.9"), IsEmpty());
  EXPECT_THAT(compared("foobar", "1.1", ">=3.12"),
              ElementsAre("Name is foobar, the file name says Foo_Bar", "Version is 1.1, the file name says 1.0",
                          "Requires-Python '>=3.12' excludes every Python of the file name's tag cp311"));
  EXPECT_THAT(compared("", "one", ""), IsEmpty());  // already reported by the parser
}

}  // namespace
}  // namespace wheelcheck::wheel
