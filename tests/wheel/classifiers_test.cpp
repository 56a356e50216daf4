// Tests the embedded list of PyPI's classifiers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wheel/index_checks.h"

namespace wheelcheck::wheel {
namespace {

TEST(Classifiers, NamesTheListThatTheyComeFrom) {
  EXPECT_THAT(std::string(classifier_list()), testing::StartsWith("trove-classifiers 20"));
}

TEST(Classifiers, HasTheFirstAndTheLastOne) {
  EXPECT_TRUE(is_classifier("Development Status :: 1 - Planning"));
  EXPECT_TRUE(is_classifier("License :: OSI Approved :: MIT License"));
  EXPECT_TRUE(is_classifier("Typing :: Typed"));
}

TEST(Classifiers, AreComparedAsAWhole) {
  EXPECT_FALSE(is_classifier(""));
  EXPECT_FALSE(is_classifier("Typing"));
  EXPECT_FALSE(is_classifier("typing :: Typed"));
  EXPECT_FALSE(is_classifier("Typing :: Typed "));
  EXPECT_FALSE(is_classifier(classifier_list()));
}

TEST(Classifiers, ADeprecatedOneIsNotAccepted) {
  EXPECT_FALSE(is_classifier("Natural Language :: Ukranian"));
  ASSERT_TRUE(deprecated_classifier("Natural Language :: Ukranian"));
  EXPECT_EQ(deprecated_classifier("Natural Language :: Ukranian")->replacement, "Natural Language :: Ukrainian");
  ASSERT_TRUE(deprecated_classifier("License :: OSI Approved :: X.Net License"));
  EXPECT_EQ(deprecated_classifier("License :: OSI Approved :: X.Net License")->replacement, "");
  EXPECT_FALSE(deprecated_classifier("Natural Language :: Ukrainian"));
}

}  // namespace
}  // namespace wheelcheck::wheel
