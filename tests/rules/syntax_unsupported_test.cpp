#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> run(const PythonSyntax& syntax, const std::string& requires_python = "",
                         const std::string& wheel_name = "foo-1.0-py3-none-any.whl",
                         const std::string& path = "foo/__init__.py") {
  WheelFacts wheel = WheelBuilder(wheel_name).member(path).build();
  PythonFile file;
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
    if (wheel.members[i].path.text() == path) file.member = MemberIndex{i};
  file.syntax = {syntax};
  wheel.python.push_back(std::move(file));
  wheel.all_python = true;
  wheel.metadata = Metadata{.name = "foo", .version = "1.0", .requires_python = requires_python};
  return Scene(std::move(wheel)).run("syntax-unsupported");
}
const PythonSyntax match{10, 7, "a match statement"}, fstring{6, 7, "an f-string"},
    print{PythonSyntax::only_python_2, 7, "a print statement"};

// expression 4.2.0: >=3.9,<4 and `match`.
TEST(SyntaxUnsupported, NamesTheLineAndThePythons) {
  const auto found = run(match, ">=3.9,<4");
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(found[0].message,
            "line 7 has a match statement, which CPython before 3.10 does not know: `import foo` raises SyntaxError "
            "there, and Requires-Python is >=3.9,<4");
  EXPECT_EQ(evidence(found[0], "CPython without it"), "3.9");
  EXPECT_EQ(evidence(run(match, ">=3.6").at(0), "CPython without it"), "3.6 to 3.9");
}

// openllmtelemetry 0.0.7, opower 0.0.24
TEST(SyntaxUnsupported, SaysTypeErrorOfWhatIsEvaluated) {
  const auto found = run({10, 7, "the annotation str | None", true}, ">=3.7");
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].message,
            "line 7 has the annotation str | None, which CPython before 3.10 cannot evaluate: `import foo` raises "
            "TypeError there, and Requires-Python is >=3.7");
  EXPECT_THAT(found[0].fix, testing::HasSubstr("from __future__ import annotations"));
}

TEST(SyntaxUnsupported, IsSilentWhereEveryClaimedPythonKnowsIt) {
  EXPECT_TRUE(run(match, ">=3.10").empty());
  EXPECT_TRUE(run(match).empty()) << "no release is promised";
  EXPECT_TRUE(run(match, "!=3.0.*").empty());
  EXPECT_TRUE(run(match, ">=3.6", "foo-1.0-py310-none-any.whl").empty());
  EXPECT_TRUE(run(match, ">=3.6", "foo-1.0-py3-none-any.whl", "foo/unused.py").empty());
  EXPECT_TRUE(run(print, "<3", "foo-1.0-py2-none-any.whl").empty());
}

// translate 3.8.0: py2.py3 and f-strings.
TEST(SyntaxUnsupported, IsAWarningForPython2) {
  const auto found = run(fstring, "", "foo-1.0-py2.py3-none-any.whl");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::EndsWith("the wheel claims py2"));
  EXPECT_TRUE(run(fstring, ">=3.6", "foo-1.0-py2.py3-none-any.whl").empty());
}

TEST(SyntaxUnsupported, IsAWarningForReleasesThatNobodyInstalls) {
  EXPECT_EQ(run(fstring, ">=3.5").at(0).severity, Severity::Warning);
}

TEST(SyntaxUnsupported, IsAnErrorIfOnlyPython2KnowsIt) {
  const auto found = run(print);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_THAT(found[0].message, testing::HasSubstr("a print statement, which only CPython 2 knows"));
  EXPECT_EQ(run(print, "", "foo-1.0-py3-none-any.whl", "foo.py").size(), 1U);
}

}  // namespace
}  // namespace wheelcheck::test
