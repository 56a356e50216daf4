// Tests version specifiers of Requires-Dist lines (PEP 440).
#include <gtest/gtest.h>

#include <initializer_list>

#include "model/pep440.h"
#include "model/requirement.h"

namespace wheelcheck::test::specifier_test {
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

// The answers of packaging 26.3 with prereleases=True.
TEST(Specifier, KnowsThePartsOfAVersion) {
  struct Row {
    const char *specifier, *version;
    bool allowed;
  };
  for (const Row& row : std::initializer_list<Row>{
           {">=1", "2.0rc1", true},
           {"<2.0", "2.0rc1", false},
           {"<2.0rc1", "2.0.dev1", true},
           {">1.0", "1.0.post1", false},
           {">1.0", "1.0+cu12", false},
           {">1.0.post1", "1.0.post2", true},
           {"==1.0", "1.0+cu12", true},
           {"==1.0+cu12", "1.0", false},
           {"==1.0", "1.0.post1", false},
           {"==1.0.*", "1.0a1", true},
           {"!=1.0.*", "1.0.post1", false},
           {"~=1.0.1", "1.0.2.dev1", true},
           {"~=1.0.post2", "1.1", true},
           {"<=1.0", "1.0+cu12", true},
           {"===1.0", "1.0", true},
           {"===1.0", "1.0.0", false},
           {"==1!1.0", "1.0", false},
           {">=1.0.dev1", "1.0a1", true},
       })
    EXPECT_EQ(allows(row.specifier, row.version), row.allowed) << row.version << ' ' << row.specifier;
}

TEST(Specifier, DoesNotGuess) {
  for (const char* text : {"~=1", "@https://x", "=1", ">=1.*", "==1.0a1.*", ">=1+local", "1.0", "== 1 0"})
    EXPECT_EQ(allows(text, "1"), std::nullopt) << text;
  EXPECT_EQ(allows(">=1", "one"), std::nullopt);
}

}  // namespace
}  // namespace wheelcheck::test::specifier_test
