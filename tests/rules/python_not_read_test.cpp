#include "tests/rules/scene.h"

namespace wheelcheck::test::python_not_read_test {
namespace {

Scene with_file(PythonCut cut) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)));
  PythonFile file;
  file.member = scene.wheel.elfs.at(0).member;
  file.cut = cut;
  scene.wheel.python.push_back(std::move(file));
  return scene;
}

TEST(PythonNotRead, NamesTheFile) {
  const auto findings = with_file(PythonCut::Size).run("python-not-read");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(with_file(PythonCut::Size).path(findings[0]), module_so);
  EXPECT_TRUE(with_file(PythonCut::Encoding).run("python-not-read").at(0).message.contains("PEP 263"));
}

TEST(PythonNotRead, IsSilentAboutFilesReadToTheirEnd) {
  EXPECT_TRUE(with_file(PythonCut::None).run("python-not-read").empty());
}

}  // namespace
}  // namespace wheelcheck::test::python_not_read_test
