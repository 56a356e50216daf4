#include <gtest/gtest.h>

#include "model/requirement.h"

namespace wheelcheck::test::dependency_test {
namespace {

TEST(Dependency, ReadsNameExtrasAndMarker) {
  const Dependency plain = parse_dependency("Nvidia.cuda__runtime-cu12 (>=12.5,<13)");
  EXPECT_EQ(plain.name, "nvidia-cuda-runtime-cu12");
  EXPECT_FALSE(plain.under);
  EXPECT_TRUE(plain.for_linux);
  const Dependency extra = parse_dependency("cuda-toolkit[cublas, CUDA_rt]==12.*; extra == \"And_CUDA\"");
  EXPECT_EQ(extra.name, "cuda-toolkit");
  EXPECT_EQ(extra.extras, (std::vector<std::string>{"cublas", "cuda-rt"}));
  EXPECT_EQ(extra.under, "and-cuda");
}

TEST(Dependency, FindsTheExtraInAnySpelling) {
  for (const char* line : {"a; extra=='gpu'", "a ; extra == 'gpu'", "a; (python_version<'3.9') and extra  ==\"gpu\"",
                           "a; platform_system == 'Linux' and extra == 'gpu'"})
    EXPECT_EQ(parse_dependency(line).under, "gpu") << line;
  for (const char* line : {"a", "a; python_version < '3'", "a; my_extra == 'gpu'", "a; extra != 'gpu'", "a; extra == "})
    EXPECT_FALSE(parse_dependency(line).under) << line;
}

TEST(Dependency, KnowsWhatIsForOtherSystems) {
  for (const char* line :
       {"a; sys_platform == 'win32'", "a; platform_system == \"Darwin\" and extra == 'x'", "a; os_name == 'nt'"})
    EXPECT_FALSE(parse_dependency(line).for_linux) << line;
  for (const char* line : {"a; sys_platform == 'linux'", "a; sys_platform != 'win32'", "a; os_name == 'posix'",
                           "a; platform_system == 'Linux' or platform_system == 'Windows'"})
    EXPECT_TRUE(parse_dependency(line).for_linux) << line;
}

TEST(Dependency, TakesAnyText) {
  for (const char* line : {"", ";", "[", "[]", "a[", "a[b", "a;extra", "a;extra==", "a;extra=='", "a;extra==''", "@"})
    EXPECT_LE(parse_dependency(line).name.size(), 1U) << line;
}

TEST(ProjectName, IsTheSameUnderEverySeparatorAndCase) {
  EXPECT_EQ(normal_project_name("Zope.Interface"), "zope-interface");
  EXPECT_EQ(normal_project_name("a-_.b"), "a-b");
  EXPECT_NE(normal_project_name("ab"), normal_project_name("a_b"));
}

TEST(ProjectName, BeginsAndEndsWithALetterOrDigit) {
  EXPECT_TRUE(is_project_name("a"));
  EXPECT_TRUE(is_project_name("Zope.interface-x_2"));
  for (const char* name : {"", "-a", "a-", "_a", "a.", "a b", "\xC3\xA9"}) EXPECT_FALSE(is_project_name(name)) << name;
}

}  // namespace
}  // namespace wheelcheck::test::dependency_test
