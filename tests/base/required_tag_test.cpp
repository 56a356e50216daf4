#include "model/required_tag.h"

#include <gtest/gtest.h>

namespace wheelcheck::test::required_tag_test {
namespace {

TEST(RequiredTag, MayLeaveTheMachineOut) {
  for (const char* const text : {"manylinux_2_28", "manylinux2014", "musllinux_1_2", "android_24"}) {
    const auto tag = parse_required_tag(text);
    ASSERT_TRUE(tag.has_value()) << text;
    EXPECT_EQ(tag->arch, Arch::Other) << text;
  }
  EXPECT_EQ(tag_for(*parse_required_tag("manylinux2014"), Arch::aarch64).canonical, "manylinux_2_17_aarch64");
  EXPECT_EQ(tag_for(*parse_required_tag("android_24"), Arch::aarch64).text, "android_24_arm64_v8a");
  EXPECT_EQ(tag_for(*parse_required_tag("android_24"), Arch::x86_64).text, "android_24_x86_64");
}

TEST(RequiredTag, KeepsTheMachineThatItNames) {
  const auto tag = parse_required_tag("manylinux_2_28_aarch64");
  ASSERT_TRUE(tag.has_value());
  EXPECT_EQ(tag_for(*tag, Arch::x86_64).text, "manylinux_2_28_aarch64");
}

TEST(RequiredTag, IsNoOtherWord) {
  for (const char* const text : {"", "any", "linux", "linux_x86_64", "manylinux", "manylinux_2", "manylinux_2_28_vax",
                                 "manylinux_2_28_x86_64_v3", "win_amd64"})
    EXPECT_FALSE(parse_required_tag(text).has_value()) << text;
}

TEST(MeantTag, IsTheUsualSpelling) {
  EXPECT_EQ(meant_tag("manylinux2_28_x86_64"), "manylinux_2_28_x86_64");
  EXPECT_EQ(meant_tag("manylinux2_28"), "manylinux_2_28");
  EXPECT_EQ(meant_tag("ManyLinux-2-28-x86-64"), "manylinux_2_28_x86_64");
  EXPECT_EQ(meant_tag("manylinux228_aarch64"), "manylinux_2_28_aarch64");
  EXPECT_EQ(meant_tag("manylinux_2014_x86_64"), "manylinux2014_x86_64");
  EXPECT_EQ(meant_tag("musllinux1.2"), "musllinux_1_2");
  EXPECT_EQ(meant_tag("manylinux_2_28_amd64"), "manylinux_2_28_x86_64");
  EXPECT_EQ(meant_tag("manylinux2014_arm64"), "manylinux2014_aarch64");
  for (const char* const text : {"", "manylinux", "manylinux_", "linux_x86_64", "win_amd64", "manylinux_x_y"})
    EXPECT_EQ(meant_tag(text), "") << text;
}

}  // namespace
}  // namespace wheelcheck::test::required_tag_test
