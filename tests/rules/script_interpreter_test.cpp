#include "tests/rules/scene.h"

namespace wheelcheck::test::script_interpreter_test {
namespace {

std::vector<Finding> findings(const std::string& interpreter, bool carriage_return = false,
                              const std::string& path = "foo-1.0.data/scripts/foo", std::uint64_t archive_size = 1000) {
  return Scene(WheelBuilder("foo-1.0-py3-none-any.whl").member(path).edit([&](WheelFacts& wheel) {
           wheel.size = archive_size;
           for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
             if (wheel.members[i].path.text() == path)
               wheel.script_lines.push_back({MemberIndex{i}, interpreter, carriage_return});
         }))
      .run("script-interpreter");
}

// pinboard 2.1.6, port_for 0.4, unitypack 0.7.1, CommonMark 0.6.3, sgqlc 4.0
TEST(ScriptInterpreter, FiresForAPathOfTheBuildMachine) {
  for (const char* const line : {"/Users/dan/venv/bin/python3", "/home/me/.local/share/virtualenvs/hs/bin/python3 -E",
                                 "/opt/python/cp311-cp311/bin/python", "/opt/conda/bin/perl"}) {
    const auto found = findings(line);
    ASSERT_EQ(found.size(), 1U) << line;
    check_words(found[0]);
    EXPECT_EQ(found[0].severity, Severity::Error);
    EXPECT_THAT(found[0].message, testing::HasSubstr("a path of the machine that built the wheel"));
    EXPECT_THAT(found[0].message, testing::Not(testing::HasSubstr(" -E")));
  }
}

TEST(ScriptInterpreter, FiresForAPathThatIsNotAbsolute) {
  for (const char* const line : {"venv/bin/python", "C:\\Python39\\python.exe", " env python"}) {
    const auto found = findings(line);
    ASSERT_EQ(found.size(), 1U) << line;
    EXPECT_EQ(found[0].severity, Severity::Error);
    EXPECT_THAT(found[0].message, testing::HasSubstr("no absolute path"));
  }
}

TEST(ScriptInterpreter, WarnsOfThePythonOfTheSystem) {
  for (const char* const line : {"/usr/bin/python3", " /usr/local/bin/python", "/usr/bin/pypy3"}) {
    const auto found = findings(line);
    ASSERT_EQ(found.size(), 1U) << line;
    EXPECT_EQ(found[0].severity, Severity::Warning);
  }
}

TEST(ScriptInterpreter, FiresForACarriageReturnThatNobodyRemoves) {
  const auto found = findings("/usr/bin/env python3", true);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_THAT(found[0].message, testing::HasSubstr("carriage return"));
  EXPECT_TRUE(findings("python", true).empty()) << "installers replace the line";
}

TEST(ScriptInterpreter, IsSilentForScriptsThatStart) {
  for (const char* const line :
       {"python", "pythonw", "python3", "/usr/bin/env python3", "/bin/sh", "/usr/bin/perl -w", ""})
    EXPECT_TRUE(findings(line).empty()) << line;
  const std::string author = "/home/me/venv/bin/python";
  EXPECT_TRUE(findings(author, false, "foo-1.0.data/scripts/share/x.py").empty());
  EXPECT_TRUE(findings(author, false, "foo-1.0.data/scripts/foo", 0).empty()) << "installed";
}

}  // namespace
}  // namespace wheelcheck::test::script_interpreter_test
