// Tests names that could leave the target directory, denote two files, or hide their meaning.
#include "archive/names.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/archive/opened.h"

namespace wheelcheck::archive {
namespace {

std::string named(std::string name) { return make_zip({{.name = std::move(name), .data = "x"}}); }

TEST(UnsafeName, IsRefused) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "its name is empty"},
      {std::string("a\0b", 3), "control character"},
      {"a\nb", "member a\\x0ab: its name has a control character"},
      {"a\x7f", "control character"},
      {"\x1b[2J", "control character"},
      {"a\xff", "not UTF-8"},
      {"a\xc0\xaf", "not UTF-8"},
      {"a\xed\xa0\x80", "not UTF-8"},
      {"a\\b", "backslash"},
      {"..\\b", "backslash"},
      {"/etc/passwd", "its path is absolute"},
      {"/", "its path is absolute"},
      {"C:/x", "drive letter"},
      {"c:x", "drive letter"},
      {"c:", "drive letter"},
      {"../x", "a part '..'"},
      {"a/../../x", "a part '..'"},
      {"a/..", "a part '..'"},
      {"./a", "a part '.'"},
      {"a/.", "a part '.'"},
      {"a//b", "an empty part"},
      {"a//", "an empty part"},
      {std::string(256, 'a'), "has 256 bytes, over the limit of 255"},
  };
  for (const auto& [name, reason] : cases)
    expect_refused(name.ends_with('/') ? make_zip({{.name = name}}) : named(name), reason);
}

TEST(UnsafeName, MayBeTooLongOrTooDeep) {
  std::string deep = "a";
  for (int i = 1; i < 64; ++i) deep += "/a";
  expect_accepted(named(deep));
  expect_refused(named(deep + "/a"), "65 levels deep, over the limit of 64");
  expect_refused(named("four"), "its name has 4 bytes, over the limit of 3", ErrorCode::OverLimit, {.name_bytes = 3});
  expect_accepted(named(std::string(255, 'a') + "/" + std::string(255, 'b')));
}

TEST(UnsafeName, DoesNotTakeOrdinaryOnes) {
  for (const char* const name :
       {"a", "a/b.so", ".hidden", "..a", "a..", "...", "a b/c (d).txt", "ab:c", "~x", "-rf", "%2e%2e", "a'\"$(x)"})
    EXPECT_EQ(unsafe_name(name, Limits{}), std::nullopt) << name;
}

TEST(TwoMembers, MayNotHaveOneName) {
  const ZipMember a = {.name = "p/a", .data = "x"};
  expect_refused(make_zip({a, {.name = "q", .data = "y"}, a}), "member p/a: two members have this name");
  expect_refused(make_zip({{.name = "d/"}, {.name = "d/"}}), "member d/: two members have this name");
}

TEST(AFile, IsNoDirectory) {
  expect_refused(make_zip({{.name = "a", .data = "x"}, {.name = "a/"}}), "member a: it is both a file and a directory");
  expect_refused(make_zip({{.name = "a", .data = "x"}, {.name = "a-b", .data = "x"}, {.name = "a/b/c", .data = "x"}}),
                 "member a: it is a file, and a/b/c lies in it as in a directory");
  expect_refused(
      make_zip({{.name = "p/a/b/c", .data = "x"}, {.name = "p/a", .data = "x"}, {.name = "p/a.py", .data = "x"}}),
      "member p/a: it is a file, and p/a/b/c lies in it");
  expect_refused(make_zip({{.name = "a", .data = "x"}, {.name = "a/d/"}}),
                 "member a: it is a file, and a/d lies in it");
  expect_accepted(make_zip(
      {{.name = "a/"}, {.name = "a/b", .data = "x"}, {.name = "a.py", .data = "x"}, {.name = "ab/c", .data = "x"}}));
}

TEST(OddName, IsRemarkedUpon) {
  const auto warn = [](const std::string& name) {
    const auto set = [](ZipHeader& h) { h.flags |= 1 << 11; };
    const auto warnings = warnings_of(make_zip({{.name = name, .data = "x", .local = set, .central = set}}));
    return warnings.empty() ? "" : warnings[0].substr(name.size() + 2);
  };
  EXPECT_EQ(warn("a\u202eyp.so"), "its name has U+202E, which is invisible or reorders text");
  EXPECT_EQ(warn("a\u200b.py"), "its name has U+200B, which is invisible or reorders text");
  EXPECT_EQ(warn("a\u0085.py"), "its name has U+0085, which is invisible or reorders text");
  EXPECT_EQ(warn("a\u00a0b.py"), "its name has U+00A0, which looks like a space");
  EXPECT_EQ(warn("a\u3000b.py"), "its name has U+3000, which looks like a space");
  EXPECT_EQ(warn("a\ue000.py"), "its name has U+E000, which is not an assigned character");
  EXPECT_EQ(warn("p /a.py"), "a part of its path ends with a dot or a space, which Windows drops");
  EXPECT_EQ(warn("p/a."), "a part of its path ends with a dot or a space, which Windows drops");
  EXPECT_EQ(warn("p./a"), "a part of its path ends with a dot or a space, which Windows drops");
  EXPECT_EQ(warn("p/ .png"), "");
  EXPECT_EQ(warn("übung/größe.py"), "");
  EXPECT_EQ(warn("日本語.txt"), "");
}

TEST(OddName, WithADotOrSpaceAtItsEndMattersOnOtherSystems) {
  const auto archive =
      open_bytes(make_zip({{.name = "fonts./"}, {.name = "fonts./a", .data = "x"}, {.name = "b ", .data = "x"}}));
  ASSERT_TRUE(archive) << archive.error().message;
  std::map<std::string, bool> elsewhere;
  for (const Warning& warning : archive->warnings()) elsewhere[warning.subject] = warning.elsewhere;
  EXPECT_EQ(elsewhere, (std::map<std::string, bool>{{"b ", true}, {"fonts./", true}, {"fonts./a", true}}));
}

TEST(OddName, LacksTheUtf8Flag) {
  EXPECT_EQ(warnings_of(named("ü.py")),
            std::vector<std::string>{
                "ü.py: its name is not ASCII and lacks the UTF-8 flag: CPython reads it as code page 437"});
}

TEST(Collision, OfCaseOrAccentsIsRemarkedUpon) {
  const auto collide = [](const std::string& a, const std::string& b) {
    const std::string_view names[] = {a, b};
    return find_collisions(names).size() == 1;
  };
  EXPECT_TRUE(collide("p/Readme.txt", "p/README.TXT"));
  EXPECT_TRUE(collide("P/a", "p/a"));
  EXPECT_TRUE(collide("stra\u00dfe", "STRASSE"));
  EXPECT_TRUE(collide("caf\u00e9", "cafe\u0301"));
  EXPECT_TRUE(collide("CAF\u00c9", "cafe\u0301"));
  EXPECT_TRUE(collide("\u03a3", "\u03c2"));                // sigma, final sigma
  EXPECT_TRUE(collide("\uac01", "\u1100\u1161\u11a8"));    // a Hangul syllable
  EXPECT_TRUE(collide("\u212a", "k"));                     // the Kelvin sign
  EXPECT_TRUE(collide("\U00010400", "\U00010428"));        // Deseret long I
  EXPECT_TRUE(collide("q\u0323\u0307", "q\u0307\u0323"));  // marks in another order
  EXPECT_FALSE(collide("cafe", "caf\u00e9"));
  EXPECT_FALSE(collide("a", "b"));
  EXPECT_FALSE(collide("\uac00", "\uac01"));
}

TEST(Collision, NamesBothFilesOfAnArchive) {
  EXPECT_EQ(
      warnings_of(make_zip({{.name = "p/A", .data = "x"}, {.name = "p/a", .data = "y"}, {.name = "p/b", .data = "y"}})),
      std::vector<std::string>{"p/a: the same file as p/A where case or accents are ignored"});
}

TEST(Fold, LeavesTextWithoutCaseAlone) {
  EXPECT_EQ(fold("a/\xff"), "a/\xff");  // not UTF-8
  EXPECT_EQ(fold("a/\u4e2d\U0001F600"), "a/\u4e2d\U0001F600");
  EXPECT_EQ(fold(""), "");
}

}  // namespace
}  // namespace wheelcheck::archive
