// Tests markers of Requires-Dist: known parts are evaluated, unknown parts count as true.
#include <gtest/gtest.h>

#include <string>

#include "model/requirement.h"

namespace wheelcheck::test::marker_test {
namespace {

bool here(const std::string& marker, const std::string& extra = "") { return accepts(marker, "3.11", extra); }

TEST(Marker, IsYesWhereThereIsNone) { EXPECT_TRUE(here("  ")); }

TEST(Marker, KnowsLinuxAndCPython) {
  EXPECT_TRUE(here("sys_platform == 'linux'"));
  EXPECT_FALSE(here("sys_platform == 'win32'"));
  EXPECT_TRUE(here("platform_system != \"Windows\" and os.name == 'posix'"));
  EXPECT_FALSE(here("platform_python_implementation == 'PyPy'"));
  EXPECT_TRUE(here("sys_platform in 'linux darwin'"));
  EXPECT_FALSE(here("sys_platform not in 'linux darwin'"));
  EXPECT_TRUE(here("'lin' in sys_platform"));
}

TEST(Marker, ComparesVersionsByTheirNumbers) {
  EXPECT_TRUE(here("python_version >= '3.9'"));
  EXPECT_FALSE(here("python_version < '3.9'"));
  EXPECT_TRUE(here("'3.9' <= python_version"));
  EXPECT_FALSE(here("'3.9' > python_version"));
  EXPECT_TRUE(here("python_version == '3.*'"));
  EXPECT_TRUE(accepts("python_version < '3'", "", "")) << "no version is known";
}

TEST(Marker, IsReadForOneExtra) {
  EXPECT_FALSE(here("extra == 'gpu'"));
  EXPECT_TRUE(here("extra == 'GPU'", "gpu"));
  EXPECT_FALSE(here("extra == 'gpu' and sys_platform == 'darwin'", "gpu"));
}

TEST(Marker, BindsAndBeforeOr) {
  EXPECT_TRUE(here("os_name == 'posix' or os_name == 'nt' and os_name == 'java'"));
  EXPECT_FALSE(here("(os_name == 'posix' or os_name == 'nt') and os_name == 'java'"));
}

TEST(Marker, SaysYesToWhatCannotBeKnown) {
  EXPECT_TRUE(here("platform_machine == 'riscv64'"));
  EXPECT_FALSE(here("platform_machine == 'riscv64' and os_name == 'nt'"));
  for (const char* const broken :
       {"os_name ==", "os_name == 'nt", "os_name = 'nt'", "((os_name == 'nt')", "'a' == 'b'",
        "os_name == 'nt') or (os_name == 'nt'", "and", "os_name == 'nt' nor os_name == 'nt'"})
    EXPECT_TRUE(here(broken)) << broken;
}

TEST(Marker, EndsHoweverDeepItsParenthesesAre) {
  const std::string open(1'000'000, '('), close(1'000'000, ')');
  EXPECT_TRUE(here(open + "os_name == 'nt'" + close));
  EXPECT_FALSE(here("((((os_name == 'nt'))))"));
}

}  // namespace
}  // namespace wheelcheck::test::marker_test
