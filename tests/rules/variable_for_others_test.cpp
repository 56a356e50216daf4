#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::variable_for_others_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Finding> found(const std::string& variable, Reach reach, const std::string& library, bool own = true) {
  const auto set = [=](WheelFacts& wheel) {
    PythonFile file;
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
      if (wheel.members[i].path.text() == "cvlite/__init__.py") file.member = {i};
    file.variables.push_back({.name = variable, .line = 3, .reach = reach, .text = "os.environ[...] = path"});
    wheel.python.push_back(std::move(file));
  };
  const std::string bundled = own ? "libQt5Core-1a2b3c4d.so.5" : "libother.so";
  return played(Together({wheel_of("cvlite")
                              .member("cvlite/__init__.py")
                              .elf(ElfBuilder("cvlite.libs/" + bundled).role(BundledLibrary{}))
                              .edit(set),
                          wheel_of("qtlite").elf(ElfBuilder("qtlite/lib/" + library).role(PlainLibrary{}))}),
                "variable-for-others");
}

TEST(VariableForOthers, NamesTheLineAndWhoReadsIt) {
  const auto findings = found("QT_QPA_PLATFORM_PLUGIN_PATH", Reach::Likely, "libQt5Core.so.5");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].evidence[0].value, "cvlite/__init__.py:3, likely: os.environ[...] = path");
  EXPECT_EQ(findings[0].evidence[1].value, "qtlite/lib/libQt5Core.so.5");
}

TEST(VariableForOthers, IsSilentOnOtherVariablesFunctionsAndLibraries) {
  EXPECT_THAT(found("OMP_NUM_THREADS", Reach::Certain, "libQt5Core.so.5"), IsEmpty());
  EXPECT_THAT(found("QT_PLUGIN_PATH", Reach::Possible, "libQt5Core.so.5"), IsEmpty());
  EXPECT_THAT(found("QT_PLUGIN_PATH", Reach::Certain, "libz.so.1"), IsEmpty());
  EXPECT_THAT(found("QT_PLUGIN_PATH", Reach::Certain, "libQt5Core.so.5", false), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::variable_for_others_test
