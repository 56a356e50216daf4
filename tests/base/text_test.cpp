#include "base/text.h"

#include <gtest/gtest.h>

namespace wheelcheck::test::text_test {
namespace {

TEST(GlobMatch, StarStopsAtASlashAndTwoStarsDoNot) {
  EXPECT_TRUE(glob_match("libfoo*.so", "libfoo-1.2.so"));
  EXPECT_FALSE(glob_match("pkg/*.so", "pkg/sub/x.so"));
  EXPECT_TRUE(glob_match("pkg/**.so", "pkg/sub/x.so"));
  EXPECT_TRUE(glob_match("**/x.so", "a/b/x.so"));
  EXPECT_FALSE(glob_match("**/x.so", "a/b/y.so"));
}

TEST(GlobMatch, MatchesTheWholeText) {
  EXPECT_FALSE(glob_match("libc", "libc.so.6"));
  EXPECT_FALSE(glob_match("libc.so.6", "libc"));
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_FALSE(glob_match("?", ""));
  EXPECT_FALSE(glob_match("a", ""));
}

TEST(GlobMatch, ReadsBrackets) {
  EXPECT_TRUE(glob_match("lib[a-c].so", "libb.so"));
  EXPECT_FALSE(glob_match("lib[!a-c].so", "libb.so"));
  EXPECT_TRUE(glob_match("lib[", "lib["));
}

TEST(GlobMatch, BacktracksOverSeveralStars) {
  EXPECT_TRUE(glob_match("*a*b*c", "xxaxxbxxbxc"));
  EXPECT_FALSE(glob_match("*a*b*c", "xxaxxbxxbxd"));
  EXPECT_TRUE(glob_match("**/lib*.so.*", "x/lib/y/libz.so.1"));
  EXPECT_FALSE(glob_match(std::string(40, '*') + "b", std::string(4000, 'a')));
}

TEST(Escape, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(escape("pkg/Grüße.so"), "pkg/Grüße.so");
  EXPECT_EQ(escape(R"(C:\dir)"), R"(C:\dir)");
}

TEST(Escape, ShowsWhatWouldHideOrReorder) {
  EXPECT_EQ(escape("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(escape("a\nb"), "a\\x0ab");
  EXPECT_EQ(escape("\xE2\x80\xAE"
                   "x"),
            "\\u{202e}x");
  EXPECT_EQ(escape("\xC2\x85"), "\\u{0085}");
  EXPECT_EQ(escape("\xFF\xC0\x80"), "\\xff\\xc0\\x80");
}

TEST(Escape, CannotBeForgedByTheNameItself) { EXPECT_NE(escape("\\x1b"), escape("\x1b")); }

TEST(Escape, CutsAtTheLimitAndSaysSo) {
  EXPECT_EQ(escape(std::string(50, 'a'), 4), "aaaa...(50 bytes in all)");
  EXPECT_EQ(escape("aaaa", 4), "aaaa");
  EXPECT_EQ(escape("a\nbcd", 4), "a\\x0a...(5 bytes in all)");  // the text for one byte is not split
  EXPECT_EQ(escape("a\\bc~d", 4), "a\\bc...(6 bytes in all)");
  EXPECT_EQ(escape("", 0), "");
  EXPECT_EQ(escape("a", 0), "...(1 bytes in all)");
}

TEST(Utf8, RefusesSurrogatesOverlongFormsAndTails) {
  EXPECT_TRUE(is_utf8("\xF0\x9F\x90\x8D"));
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));
  EXPECT_FALSE(is_utf8("\xE0\x80\x80"));
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80"));
  EXPECT_FALSE(is_utf8("\xE2\x82"));
  for (std::size_t before = 0; before < 20; ++before)
    for (std::size_t after = 0; after < 20; ++after) {
      const std::string front(before, 'a'), back(after, 'b');
      EXPECT_TRUE(is_utf8(front + "\xC3\xA9" + back)) << before << ' ' << after;
      EXPECT_FALSE(is_utf8(front + '\xC3' + back)) << before << ' ' << after;
      EXPECT_FALSE(is_utf8(front + '\x80' + back)) << before << ' ' << after;
    }
}

TEST(Words, WriteSizesInDecimalUnits) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(999), "999 B");
  EXPECT_EQ(size_text(1000), "1.0 kB");
  EXPECT_EQ(size_text(999'999), "999.9 kB");
  EXPECT_EQ(size_text(40'150'000), "40.1 MB");
  EXPECT_EQ(size_text(~std::uint64_t{0}), "18.4 EB");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split(":a::", ':'), (std::vector<std::string_view>{"", "a", "", ""}));
  EXPECT_EQ(split("", ':'), (std::vector<std::string_view>{""}));
}

TEST(ParseNumber, TakesDigitsOnly) {
  std::uint64_t n = 0;
  EXPECT_TRUE(parse_number("18446744073709551615", n));
  EXPECT_FALSE(parse_number("18446744073709551616", n));
  EXPECT_FALSE(parse_number("+1", n));
  EXPECT_FALSE(parse_number("", n));
}

}  // namespace
}  // namespace wheelcheck::test::text_test
