#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

// A wheel whose __init__.py imports `name` at module level.
WheelFacts importing(const std::string& name, std::uint32_t attempt = no_python_index) {
  WheelFacts wheel = WheelBuilder(wheel_2_17).member("foo/__init__.py").member("foo/present.py").build();
  PythonFile file;
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
    if (wheel.members[i].path.text() == "foo/__init__.py") file.member = MemberIndex{i};
  file.units.push_back({.name = "", .first = 0, .count = 1});
  file.events.push_back({.action = PythonAction::Import, .line = 3, .attempt = attempt, .name = name});
  wheel.python.push_back(std::move(file));
  wheel.all_python = true;
  return wheel;
}

std::vector<Finding> findings(WheelFacts wheel) { return Scene(std::move(wheel)).run("platform-without-code"); }

TEST(PlatformWithoutCode, IsAnErrorWhereAnImportCannotBeMet) {
  for (const char* const name : {"._speedups", "foo._speedups"}) {
    const auto found = findings(importing(name));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::Error);
    EXPECT_EQ(evidence(found[0], "file"), "foo/__init__.py:3");
  }
}

TEST(PlatformWithoutCode, IsAWarningElse) {
  for (const char* const name : {".present", "foo.present", "numpy", "numpy.core"})
    EXPECT_EQ(findings(importing(name)).at(0).severity, Severity::Warning) << name;
  EXPECT_EQ(findings(importing("._speedups", 0)).at(0).severity, Severity::Warning) << "in a try";
}

TEST(PlatformWithoutCode, IsSilentWithCodeAndWithoutAPlatform) {
  EXPECT_TRUE(findings(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)).build()).empty());
  EXPECT_TRUE(findings(WheelBuilder("foo-1.0-py3-none-any.whl").member("foo/__init__.py").build()).empty());
  EXPECT_TRUE(findings(WheelBuilder("foo-1.0-cp311-cp311-win_amd64.whl").member("foo/__init__.py").build()).empty());
}

}  // namespace
}  // namespace wheelcheck::test
