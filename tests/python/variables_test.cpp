// Tests the detection of environment variables that Python code sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "python/names.h"

namespace wheelcheck {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> set(const std::string& source) {
  std::vector<std::string> out;
  for (const PythonVariable& each : python::variables_set(source))
    out.push_back(each.name + ":" + std::to_string(each.line) + " " + std::string(name_of(each.reach)));
  return out;
}

TEST(PythonVariables, AreFoundWhereACodeLineSetsThem) {
  EXPECT_THAT(set("import os\n"
                  "os.environ['A'] = x\n"
                  "if linux:\n"
                  "    os.environ.setdefault(\"B\", y)\n"
                  "def f():\n"
                  "  if z:\n"
                  "    os.putenv('C', z)\n"
                  "try:\n"
                  "  environ['D'] += x\n"),
              ElementsAre("A:2 certain", "B:4 likely", "C:7 possible", "D:9 certain"));
}

// pymeshlab 2022.2: only Windows needs the variable.
TEST(PythonVariables, AreOnlyPossibleUnderAConditionForAnotherSystem) {
  for (const std::string condition :
       {"if platform == 'win32':", "if os.name == \"nt\":", "elif sys.platform=='darwin' :"})
    EXPECT_THAT(set(condition + "\n    os.environ['A'] = x\n"), ElementsAre("A:2 possible")) << condition;
  for (const std::string condition : {"if platform != 'win32':", "if platform == 'linux' or platform == 'win32':",
                                      "if x == 'win32' or y:", "if not os.name == 'nt':", "if os.name == nt:"})
    EXPECT_THAT(set(condition + "\n    os.environ['A'] = x\n"), ElementsAre("A:2 likely")) << condition;
}

TEST(PythonVariables, OtherUsesOfTheEnvironmentAreNone) {
  EXPECT_THAT(set("# os.environ['A'] = 1\n"
                  "x = os.environ['A']\n"
                  "if os.environ['A'] == 'x': pass\n"
                  "os.environ[name] = 1\n"
                  "os.environ['A\n"),
              IsEmpty());
}

}  // namespace
}  // namespace wheelcheck
