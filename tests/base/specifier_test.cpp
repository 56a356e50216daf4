// Tests version specifiers of Requires-Dist lines (PEP 440).
#include <gtest/gtest.h>

#include "model/requires_dist.h"

namespace wheelcheck {
namespace {

TEST(Specifier, IsWhatStandsBehindTheName) {
  EXPECT_EQ(specifier_of("tensorlib"), "");
  EXPECT_EQ(specifier_of("tensorlib[x,y] (>=1.0, <2); python_version > '3'"), ">=1.0,<2");
}

TEST(Specifier, AllowsVersions) {
  EXPECT_EQ(allows("", "1.0"), true);
  EXPECT_EQ(allows(">=2.18,<2.19", "2.18.1"), true);
  EXPECT_EQ(allows(">=2.18,<2.19", "2.19.0"), false);
  EXPECT_EQ(allows("==2.1.*", "2.1.7"), true);
  EXPECT_EQ(allows("!=2.1.*", "2.1"), false);
  EXPECT_EQ(allows("~=1.4.2", "1.4.9"), true);
  EXPECT_EQ(allows("~=1.4.2", "1.5"), false);
  EXPECT_EQ(allows("==1.0", "1.0.0+cpu"), true);
  EXPECT_EQ(allows(">1", "1.0"), false);
}

TEST(Specifier, DoesNotGuess) {
  EXPECT_EQ(allows(">=1", "2.0rc1"), std::nullopt);
  EXPECT_EQ(allows("===1", "1"), std::nullopt);
  EXPECT_EQ(allows("~=1", "1"), std::nullopt);
  EXPECT_EQ(allows("@https://x", "1"), std::nullopt);
}

}  // namespace
}  // namespace wheelcheck
