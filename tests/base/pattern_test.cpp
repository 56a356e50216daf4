#include "base/pattern.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace wheelcheck::test::pattern_test {
namespace {

// The version found, "none" if the text does not match.
std::string find(std::string_view pattern, std::string_view text) {
  const auto match = match_pattern(pattern, text);
  return match ? match->version : "none";
}

TEST(Pattern, WithoutAVersionIsAShellPattern) {
  EXPECT_EQ(find("SSL_*", "SSL_new"), "");
  EXPECT_EQ(find("SSL_*", "BIO_new"), "none");
  EXPECT_EQ(find("lib[a-c].so", "libb.so"), "");
  EXPECT_EQ(find("", ""), "");
  EXPECT_EQ(find("", "a"), "none");
}

TEST(Pattern, FindsTheVersion) {
  EXPECT_EQ(find(" deflate {version} Copyright*", " deflate 1.3.1 Copyright 1995-2024 Jean-loup Gailly "), "1.3.1");
  EXPECT_EQ(find("OpenSSL {version} *", "OpenSSL 1.1.1k  25 Mar 2021"), "1.1.1k");
  EXPECT_EQ(find("libssl.so.{version}", "libssl.so.3"), "3");
  EXPECT_EQ(find("{version}", "22.1.0"), "22.1.0");
  EXPECT_EQ(find("{version}git", "23.0.0git"), "23.0.0");
  EXPECT_EQ(find("lib*-r{version}.so", "libopenblas64_p-r0.3.23.dev.so"), "0.3.23.dev");
}

TEST(Pattern, WantsAVersionWhereItSaysSo) {
  EXPECT_EQ(find("libssl.so.{version}", "libssl.so."), "none");
  EXPECT_EQ(find("libssl.so.{version}", "libssl.so.x"), "none");
  EXPECT_EQ(find("OpenSSL {version} *", "OpenSSL  1.1.1"), "none");
  EXPECT_EQ(find("a{version}", "a1.0-2"), "none");
}

TEST(Pattern, ReadsUnderscoresAsDotsWhereThereIsNoDot) {
  EXPECT_EQ(find("OPENSSL_{version}", "OPENSSL_1_1_0"), "1.1.0");
  EXPECT_EQ(find("OPENSSL_{version}", "OPENSSL_3.0.0"), "3.0.0");
  EXPECT_EQ(find("V{version}", "V1.2_x"), "1.2_x");
}

TEST(Pattern, TakesTheFirstVersionAndAsMuchOfItAsFits) {
  EXPECT_EQ(find("*{version}*", "lib 10.2 and 11.3"), "10.2");
  EXPECT_EQ(find("*{version}*", "see 1.2."), "1.2");
  EXPECT_EQ(find("a{version}1", "a1121"), "112");
  EXPECT_EQ(find("*/{version}*", "libcurl/8.11.0-DEV"), "8.11.0");
}

TEST(Pattern, StarsStopAtASlashOnBothSides) {
  EXPECT_EQ(find("*{version}", "a/1.0"), "none");
  EXPECT_EQ(find("**{version}", "a/1.0"), "1.0");
  EXPECT_EQ(find("{version}*", "1.0 a/b"), "none");
  EXPECT_EQ(find("{version}**", "1.0 a/b"), "1.0");
  EXPECT_EQ(find("{version}?b", "1.0 b"), "1.0");
  EXPECT_EQ(find("{version}?b", "1.0/b"), "none");
}

TEST(Pattern, ReadsBracketsOnBothSides) {
  EXPECT_EQ(find("[ab]{version}[!x]", "b1.2 "), "1.2");
  EXPECT_EQ(find("[ab]{version}[!x]", "c1.2 "), "none");
  EXPECT_EQ(find("[{version}", "[7"), "7");
}

TEST(Pattern, TakesASecondVersionByItsLetters) { EXPECT_EQ(find("{version}{version}", "1{version}"), "1"); }

// Both halves are matched in one pass, so this ends quickly; trying every split with every star would not.
TEST(Pattern, IsNotSlowedDownByManyStars) {
  std::string stars;
  for (int i = 0; i < 30; ++i) stars += "*1";
  EXPECT_EQ(find(stars + "{version}" + stars + "b", std::string(20'000, '1')), "none");
}

// A short pattern without a version must agree with glob_match; with a version, some split must match.
TEST(Pattern, AgreesWithTryingEverySplit) {
  const std::string alphabet = "1a./*";
  const auto word = [&](std::size_t number, std::size_t letters) {
    std::string text;
    for (; number != 0; number /= letters) text += alphabet[number % letters];
    return text;
  };
  const auto fits = [](std::string_view v) {
    return !v.empty() && is_digit(v.front()) && is_alnum(v.back()) && v.find('/') == v.npos;
  };
  for (std::size_t p = 0; p < 625; ++p) {
    const std::string before = word(p % 25, 5), after = word(p / 25, 5);
    for (std::size_t t = 0; t < 1024; ++t) {
      const std::string text = word(t, 4);
      std::string expected = "none";
      for (std::size_t i = 0; i <= text.size() && expected == "none"; ++i)
        for (std::size_t j = text.size(); j > i && expected == "none"; --j)
          if (fits(text.substr(i, j - i)) && glob_match(before, text.substr(0, i)) && glob_match(after, text.substr(j)))
            expected = text.substr(i, j - i);
      EXPECT_EQ(find(before + "{version}" + after, text), expected) << before << " {} " << after << " on " << text;
    }
  }
}

TEST(LiteralPrefix, EndsAtTheFirstWildcard) {
  EXPECT_EQ(literal_prefix("libssl.so.{version}"), "libssl.so.");
  EXPECT_EQ(literal_prefix("SSL_*"), "SSL_");
  EXPECT_EQ(literal_prefix("lib[ab]"), "lib");
  EXPECT_EQ(literal_prefix("*"), "");
  EXPECT_EQ(literal_prefix("zlibVersion"), "zlibVersion");
  EXPECT_TRUE(finds_version("a{version}"));
  EXPECT_FALSE(finds_version("a{versio}"));
}

}  // namespace
}  // namespace wheelcheck::test::pattern_test
