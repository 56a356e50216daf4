#include "wheelcheck/version.h"

#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::test::version_test {
namespace {

TEST(Version, ReadsUpToFourNumbers) {
  Version v;
  ASSERT_TRUE(parse_version("2.17", v));
  EXPECT_EQ(v, (Version{{2, 17, 0, 0}}));
  EXPECT_EQ(to_string(v), "2.17");
  ASSERT_TRUE(parse_version("1.2.3.4", v));
  EXPECT_EQ(to_string(v), "1.2.3.4");
  EXPECT_FALSE(parse_version("1.2.3.4.5", v));
  EXPECT_FALSE(parse_version("2.x", v));
  EXPECT_FALSE(parse_version("4294967296", v));
  EXPECT_FALSE(parse_version("", v));
}

TEST(VersionFamily, EndsWhereTheNumberBegins) {
  EXPECT_EQ(version_family("GLIBC_2.28"), "GLIBC");
  EXPECT_EQ(version_suffix("GLIBC_2.28"), "2.28");
  EXPECT_EQ(version_family("ZLIB_NG_2.1.0"), "ZLIB_NG");
  EXPECT_EQ(version_suffix("ZLIB_NG_2.1.0"), "2.1.0");
  EXPECT_EQ(version_family("CXXABI_LDBL_1.3"), "CXXABI_LDBL");
  EXPECT_EQ(version_family("CXXABI_FLOAT128"), "CXXABI");
  EXPECT_EQ(version_family("GLIBC_PRIVATE"), "GLIBC");
  EXPECT_EQ(version_suffix("GLIBC_ABI_DT_RELR"), "ABI_DT_RELR");
  EXPECT_EQ(version_family("V1"), "V1");
  EXPECT_EQ(version_suffix("V1"), "");
}

TEST(NaturalOrder, ComparesNumbersAsNumbersOfAnyLength) {
  EXPECT_TRUE(natural_order("GLIBC_2.5", "GLIBC_2.17") < 0);
  EXPECT_TRUE(natural_order("GLIBC_2.2", "GLIBC_2.2.5") < 0);
  EXPECT_TRUE(natural_order("a" + std::string(40, '9'), "a1" + std::string(40, '0')) < 0);
  EXPECT_TRUE(natural_order("x", "x") == 0);
  EXPECT_TRUE(natural_order("1.0", "1.00") != 0);
}

}  // namespace
}  // namespace wheelcheck::test::version_test
