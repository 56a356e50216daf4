// Tests versions and names that Python packaging considers equal or different.
#include "model/pep440.h"

#include <gtest/gtest.h>

#include <iterator>

namespace wheelcheck::test::pep440_test {
namespace {

TEST(Version, IsTheSameHoweverItIsSpelled) {
  EXPECT_TRUE(same_version("1.0", "1.0.0"));
  EXPECT_TRUE(same_version("v1.0", "1.00"));
  EXPECT_TRUE(same_version("0!1.0", "1.0"));
  EXPECT_TRUE(same_version("1.0a", "1.0-ALPHA.0"));
  EXPECT_TRUE(same_version("1.0rc1", "1.0_preview_1"));
  EXPECT_TRUE(same_version("1.0c1", "1.0pre1"));
  EXPECT_TRUE(same_version("1.0-1", "1.0.post1"));
  EXPECT_TRUE(same_version("1.0rev2", "1.0-r2"));
  EXPECT_TRUE(same_version("1.0dev", "1.0.dev0"));
  EXPECT_TRUE(same_version("1.0+CU12_1", "1.0+cu12.01"));
}

TEST(Version, DiffersInEveryPartThatPep440Compares) {
  EXPECT_FALSE(same_version("1.0", "1.0.1"));
  EXPECT_FALSE(same_version("1.0", "10"));
  EXPECT_FALSE(same_version("1!1.0", "1.0"));
  EXPECT_FALSE(same_version("1.0a1", "1.0b1"));
  EXPECT_FALSE(same_version("1.0", "1.0.post0"));
  EXPECT_FALSE(same_version("1.0", "1.0.dev0"));
  EXPECT_FALSE(same_version("1.0", "1.0+local"));
  EXPECT_FALSE(same_version("1.0a1.post2", "1.0a1.dev2"));
}

TEST(Version, IsWrittenInItsNormalForm) {
  for (const char* text : {"2!1.2.3rc4.post5.dev6+abc.7", "0", "2026.11.21", "1.0a1", "1.0.dev3"})
    EXPECT_EQ(to_string(parse_package_version(text).value()), text);
  EXPECT_EQ(to_string(parse_package_version("v1.0-Preview_2-3+CU.012").value()), "1.0rc2.post3+cu.12");
}

TEST(Version, HasTheOrderOfPep440) {
  const char* const ascending[] = {
      "1.0.dev1", "1.0a1.dev2", "1.0a1", "1.0a1.post2.dev3", "1.0a1.post2", "1.0b1", "1.0rc1", "1.0",  "1.0+a",
      "1.0+a.b",  "1.0+1",      "1.0+2", "1.0.post1.dev2",   "1.0.post1",   "1.0.1", "1.9",    "1.10", "1!0.1"};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(parse_package_version(ascending[i - 1]).value(), parse_package_version(ascending[i]).value())
        << ascending[i];
  EXPECT_GT(parse_package_version("99999999999999999999").value(), parse_package_version("9").value());
}

TEST(Version, RefusesWhatIsNone) {
  for (const char* text : {"", "v", "one", ".1", "1..0", "1.0.", "1.0_1", "1.0+", "1.0+a..b", "1.0+a/b", "1.0 ", "1.0x",
                           "1.0dev1a1", "1.0.dev1.post1", "!1.0", "1.0!2!3", "1.0-", "1.0a1b1", "1.0+\xC3\xA9"}) {
    EXPECT_FALSE(is_package_version(text)) << text;
    EXPECT_FALSE(same_version(text, text)) << text;
  }
}

}  // namespace
}  // namespace wheelcheck::test::pep440_test
