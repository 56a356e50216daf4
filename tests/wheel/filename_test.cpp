// Tests names of wheels, and the messages for names that are not.
#include "wheel/filename.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::wheel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The error for a name that must be rejected.
std::string refusal(std::string_view file) {
  const Result<WheelName> name = parse_filename(file);
  if (name) return "taken";
  EXPECT_EQ(name.error().code, ErrorCode::NotAWheel);
  return name.error().message;
}

TEST(WheelFileName, IsSplitIntoItsFiveParts) {
  const Result<WheelName> name =
      parse_filename("cffi-2.1.1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl");
  ASSERT_TRUE(name) << name.error().message;
  EXPECT_EQ(name->distribution, "cffi");
  EXPECT_EQ(name->version, "2.1.1");
  EXPECT_EQ(name->build, "");
  EXPECT_THAT(name->python, ElementsAre("cp311"));
  EXPECT_THAT(name->abi, ElementsAre("cp311"));
  ASSERT_EQ(name->platforms.size(), 2U);
  EXPECT_EQ(name->platforms[0].text, "manylinux2014_x86_64");
  EXPECT_EQ(name->platforms[0].canonical, "manylinux_2_17_x86_64");
  EXPECT_EQ(name->platforms[1].text, "manylinux_2_17_x86_64");
}

TEST(WheelFileName, HasABuildTagAsItsThirdOfSixParts) {
  const Result<WheelName> name = parse_filename("foo-1.0-2local-py2.py3-none-any.whl");
  ASSERT_TRUE(name) << name.error().message;
  EXPECT_EQ(name->build, "2local");
  EXPECT_THAT(name->python, ElementsAre("py2", "py3"));
  EXPECT_EQ(name->platforms[0].family, PlatformTag::Family::Any);
}

TEST(WheelFileName, MayHaveAVariantLabelBehindItsPlatforms) {
  const auto variant = [](std::string_view file) {
    const Result<WheelName> name = parse_filename(file);
    return name ? name->variant : "error: " + name.error().message;
  };
  EXPECT_EQ(variant("numpy-2.3.2-cp313-cp313t-musllinux_1_2_x86_64.whl"), "");
  EXPECT_EQ(variant("numpy-2.3.2-cp313-cp313t-musllinux_1_2_x86_64-x86_64_v3.whl"), "x86_64_v3");
  EXPECT_EQ(variant("numpy-2.3.2-1-cp313-cp313t-musllinux_1_2_x86_64-null.whl"), "null");
  EXPECT_EQ(parse_filename("numpy-2.3.2-cp313-cp313-linux_x86_64-null.whl")->abi.front(), "cp313");
  // A build tag without a digit is not a variant, and neither is a label with capitals.
  EXPECT_EQ(variant("foo-1.0-beta1-py3-none-any.whl"),
            "error: foo-1.0-beta1-py3-none-any.whl: the build tag 'beta1' does not start with a digit");
  EXPECT_EQ(variant("foo-1.0-py3-none-any-V3.whl"),
            "error: foo-1.0-py3-none-any-V3.whl: the build tag 'py3' does not start with a digit");
}

TEST(WheelFileName, KeepsDotsCaseAndLocalVersionsOfOlderTools) {
  EXPECT_TRUE(parse_filename("Zope.Interface-1.0+cu12_1-py3-none-any.whl"));
  EXPECT_TRUE(parse_filename("PyQt5-5.15.11-cp38-abi3-manylinux_2_17_x86_64.whl"));
  EXPECT_TRUE(parse_filename("x-1!2.0.post1.dev3-py3-none-any.whl"));
}

TEST(WheelFileName, OfTooFewOrTooManyPartsIsRefused) {
  EXPECT_EQ(refusal("foo.whl"),
            "foo.whl: a wheel's name has five or six parts between dashes "
            "(name-version[-build]-python-abi-platform.whl), this one has 1");
  EXPECT_THAT(refusal("foo-bar-1.0-1-py3-none-any.whl"), HasSubstr("this one has 7"));
  EXPECT_THAT(refusal(".whl"), HasSubstr("this one has 1"));
}

TEST(WheelFileName, OfAnotherExtensionIsRefused) {
  EXPECT_EQ(refusal("foo-1.0.tar.gz"), "foo-1.0.tar.gz: a wheel's name ends in .whl");
  EXPECT_THAT(refusal("foo-1.0-py3-none-any.WHL"), HasSubstr("ends in .whl"));
  EXPECT_THAT(refusal(""), HasSubstr("ends in .whl"));
}

TEST(WheelFileName, WithAWrongPartNamesThatPart) {
  EXPECT_THAT(refusal("-1.0-py3-none-any.whl"), HasSubstr("'' cannot be the project"));
  EXPECT_THAT(refusal("a__b-1.0-py3-none-any.whl"), HasSubstr("'a__b' cannot be the project"));
  EXPECT_THAT(refusal("a b-1.0-py3-none-any.whl"), HasSubstr("'a b' cannot be the project"));
  EXPECT_THAT(refusal("a-one-py3-none-any.whl"), HasSubstr("'one' is not a version"));
  EXPECT_THAT(refusal("a-1.0-x1-py3-none-any.whl"), HasSubstr("'x1' does not start with a digit"));
  EXPECT_THAT(refusal("a-1.0--py3-none-any.whl"), HasSubstr("'' does not start with a digit"));
  EXPECT_THAT(refusal("a-1.0-py2..py3-none-any.whl"), HasSubstr("'py2..py3' is not a set of python tags"));
  EXPECT_THAT(refusal("a-1.0-py3--any.whl"), HasSubstr("'' is not a set of abi tags"));
  EXPECT_THAT(refusal("a-1.0-py3-none-.whl"), HasSubstr("'' is not a set of platform tags"));
  EXPECT_THAT(refusal("a-1.0-py3-none-any..whl"), HasSubstr("'any.' is not a set of platform tags"));
}

TEST(WheelFileName, ThatIsHostileIsShownEscaped) {
  const std::string message = refusal("a\x1b[31m-1.0-py3-none-any.whl");
  EXPECT_EQ(message.find('\x1b'), std::string::npos) << message;
  EXPECT_THAT(message, HasSubstr("cannot be the project"));
}

}  // namespace
}  // namespace wheelcheck::wheel
