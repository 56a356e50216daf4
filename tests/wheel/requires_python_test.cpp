// Tests which values of Requires-Python make a wheel impossible to install.
#include "wheel/requires_python.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "wheel/filename.h"

namespace wheelcheck::wheel {
namespace {

bool admits(std::string_view requires_python, std::string_view tags) {
  return admits_tags(requires_python, *parse_filename("foo-1.0-" + std::string(tags) + ".whl"));
}

TEST(RequiresPython, AdmitsTheVersionOfTheTag) {
  EXPECT_TRUE(admits("", "cp311-cp311-linux_x86_64"));
  EXPECT_TRUE(admits(">=3.9", "cp311-cp311-linux_x86_64"));
  EXPECT_TRUE(admits(" >= 3.9 , <4,", "cp311-cp311-linux_x86_64"));
  EXPECT_TRUE(admits(">=2.7, !=3.0.*, !=3.1.*", "cp27-cp27mu-linux_x86_64"));
  EXPECT_TRUE(admits("~=3.8", "cp311-cp311-linux_x86_64"));
  EXPECT_TRUE(admits("==3.11.*", "cp311-cp311-linux_x86_64"));
  EXPECT_TRUE(admits("==3.11.4", "cp311-cp311-linux_x86_64"));
  EXPECT_TRUE(admits(">3.11", "cp311-cp311-linux_x86_64"));   // 3.11.1
  EXPECT_TRUE(admits("<=3.11", "cp311-cp311-linux_x86_64"));  // 3.11.0
}

TEST(RequiresPython, ThatExcludesTheVersionOfTheTagIsFound) {
  EXPECT_FALSE(admits(">=3.12", "cp311-cp311-linux_x86_64"));
  EXPECT_FALSE(admits("<3.11", "cp311-cp311-linux_x86_64"));
  EXPECT_FALSE(admits("!=3.11.*", "cp311-cp311-linux_x86_64"));
  EXPECT_FALSE(admits("~=3.10.2", "cp311-cp311-linux_x86_64"));
  EXPECT_FALSE(admits(">=3.9", "cp27-cp27mu-linux_x86_64"));
  EXPECT_FALSE(admits(">=3.11", "pp310-pypy310_pp73-linux_x86_64"));
  EXPECT_FALSE(admits(">=3.9,<3.9", "py3-none-any"));
  EXPECT_FALSE(admits(">=3", "py2-none-any"));
}

TEST(RequiresPython, MayExcludeSomeOfTheTags) {
  EXPECT_TRUE(admits(">=3", "py2.py3-none-any"));
  EXPECT_TRUE(admits(">=3.11", "cp310.cp311-none-linux_x86_64"));
}

TEST(RequiresPython, MayBeAboveTheFirstVersionOfAStableAbi) {
  EXPECT_TRUE(admits(">=3.11", "cp38-abi3-linux_x86_64"));
  EXPECT_FALSE(admits("<3.8", "cp38-abi3-linux_x86_64"));
  EXPECT_TRUE(admits(">=3.11", "py37-none-any"));
}

// The tag cp310-none is for 3.10 alone, so that nobody can install the wheel (packaging.tags, cpython_tags).
TEST(RequiresPython, AboveTheVersionOfATagWithoutAbiIsFound) {
  EXPECT_FALSE(admits(">=3.11", "cp310-none-any"));
  EXPECT_FALSE(admits(">=3.11", "cp37-none-linux_x86_64"));
  EXPECT_FALSE(admits(">=3.11", "pp310-none-any"));
  EXPECT_TRUE(admits(">=3.10", "cp310-none-any"));
  EXPECT_TRUE(admits(">=3.11", "cp310.py3-none-any"));
  EXPECT_FALSE(admits(">=3.11", "cp310.cp311-cp310-linux_x86_64")) << "no interpreter takes cp311-cp310";
}

TEST(RequiresPython, IsNotTheReasonWhereNobodyTakesTheTags) {
  EXPECT_TRUE(admits(">=3.11", "cp310-cp39-linux_x86_64"));
  EXPECT_TRUE(admits(">=3.11", "cp3-none-any"));
}

// Answers that ended with a newest version would differ.
TEST(RequiresPython, OfFutureVersionsIsTheSameQuestion) {
  for (const char* const version : {"314", "315", "316", "330"}) {
    const std::string tags = fmt::format("cp{}-cp{}-linux_x86_64", version, version);
    EXPECT_TRUE(admits(">=3.9", tags)) << version;
    EXPECT_FALSE(admits("<3.14", tags)) << version;
    EXPECT_TRUE(admits(fmt::format("=={}.{}.*", version[0], version + 1), "cp38-abi3-linux_x86_64")) << version;
  }
}

// A copy of the release for each of 3,721 Python versions would need 30 GB here.
TEST(RequiresPython, OfMillionsOfPartsIsNotCopiedForEachPython) {
  std::string release = "~=0";
  for (int i = 0; i < 1'000'000; ++i) release += ".0";
  EXPECT_FALSE(admits(release, "py3-none-any"));
}

TEST(RequiresPython, ThatCannotBeReadExcludesNothing) {
  for (const char* text : {"3.9", ">=x", ">=3.8.*.1", "~=3", ">=", ">=3.9;x"})
    EXPECT_TRUE(admits(text, "cp27-cp27m-linux_x86_64")) << text;
  EXPECT_TRUE(admits(">=3.12", "graalpy311-graalpy242_311_native-linux_x86_64"));
}

}  // namespace
}  // namespace wheelcheck::wheel
