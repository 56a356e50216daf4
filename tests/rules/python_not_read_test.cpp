#include "tests/rules/scene.h"

namespace wheelcheck::test::python_not_read_test {
namespace {

Scene with_file(bool cut) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)));
  PythonFile file;
  file.member = scene.wheel.elfs.at(0).member;
  file.cut = cut;
  scene.wheel.python.push_back(std::move(file));
  return scene;
}

TEST(PythonNotRead, NamesTheFile) {
  const auto findings = with_file(true).run("python-not-read");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(with_file(true).path(findings[0]), module_so);
}

TEST(PythonNotRead, IsSilentAboutFilesReadToTheirEnd) { EXPECT_TRUE(with_file(false).run("python-not-read").empty()); }

}  // namespace
}  // namespace wheelcheck::test::python_not_read_test
