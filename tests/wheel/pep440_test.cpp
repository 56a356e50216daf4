// Tests versions and names that Python packaging considers equal or different.
#include "wheel/pep440.h"

#include <gtest/gtest.h>

namespace wheelcheck::wheel {
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

TEST(Version, TakesEverySegmentTogether) {
  EXPECT_EQ(comparable_version("2!1.2.3rc4.post5.dev6+abc.7"), "2!1.2.3rc4.post5.dev6+abc.7");
  EXPECT_EQ(comparable_version("0"), "0");
  EXPECT_EQ(comparable_version("2026.11.21"), "2026.11.21");
}

TEST(Version, RefusesWhatIsNone) {
  for (const char* text : {"", "v", "one", ".1", "1..0", "1.0.", "1.0_1", "1.0+", "1.0+a..b", "1.0+a/b", "1.0 ", "1.0x",
                           "1.0dev1a1", "1.0.dev1.post1", "!1.0", "1.0!2!3", "1.0-", "1.0a1b1", "1.0+\xC3\xA9"}) {
    EXPECT_FALSE(comparable_version(text)) << text;
    EXPECT_FALSE(same_version(text, text)) << text;
  }
}

TEST(ProjectName, IsTheSameUnderEverySeparatorAndCase) {
  EXPECT_EQ(normal_name("Zope.Interface"), "zope-interface");
  EXPECT_EQ(normal_name("a-_.b"), "a-b");
  EXPECT_NE(normal_name("ab"), normal_name("a_b"));
}

}  // namespace
}  // namespace wheelcheck::wheel
