#include "tests/rules/scene.h"

namespace wheelcheck::test::string_abi_report_test {
namespace {

const std::string new_function = "_ZN3foo3putERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
const std::string old_function = "_ZN3foo3putERKSs";
const ElfBuilder new_file = ElfBuilder("foo/libnew.so").needed("libstdc++.so.6").exports(new_function);
const ElfBuilder old_file = ElfBuilder("foo/libold.so").needed("libstdc++.so.6").exports(old_function);

TEST(StringAbiReport, TellsTheAbiOnceAWheel) {
  const Scene scene(WheelBuilder(wheel_2_17).elf(new_file));
  const auto findings = scene.run("string-abi-report");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].message, "its C++ code uses the new std::string type of libstdc++");
  EXPECT_EQ(evidence(findings[0], "new"), "1 file: foo/libnew.so");
}

TEST(StringAbiReport, NamesBothWhereFilesDiffer) {
  const auto findings = Scene(WheelBuilder(wheel_2_17).elf(new_file).elf(old_file)).run("string-abi-report");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "its C++ code uses both std::string types of libstdc++");
  EXPECT_EQ(evidence(findings[0], "old"), "1 file: foo/libold.so");
}

TEST(StringAbiReport, IsSilentWithoutAString) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).exports("_ZN3foo3runEv")))
                  .run("string-abi-report")
                  .empty());
}

TEST(StringAbiReport, IsAnErrorForFilesThatHaveTheOtherOne) {
  Scene scene(WheelBuilder(wheel_2_17).elf(new_file).elf(old_file));
  scene.options.required_string_abi = StringAbi::New;
  const auto findings = scene.run("string-abi-report");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(scene.path(findings[0]), "foo/libold.so");
  EXPECT_EQ(findings[0].message, "uses the old std::string type, but the new one is required");
  EXPECT_EQ(evidence(findings[0], "symbols"), old_function);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("-D_GLIBCXX_USE_CXX11_ABI=1"));
  scene.options.required_string_abi = StringAbi::Old;
  EXPECT_EQ(scene.path(scene.run("string-abi-report").at(0)), "foo/libnew.so");
}

TEST(StringAbiReport, ImportsCountAsWell) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder(module_so)
                           .needed("libstdc++.so.6")
                           .import("_ZNSs6appendERKSs", "libstdc++.so.6", "GLIBCXX_3.4")));
  scene.options.required_string_abi = StringAbi::New;
  EXPECT_EQ(scene.run("string-abi-report").at(0).severity, Severity::Error);
}

TEST(StringAbiReport, TellsOfCxx11BeforeItWasFinished) {
  const auto findings = Scene(WheelBuilder(wheel_2_17)
                                  .elf(ElfBuilder(old_file)
                                           .comment("GCC: (GNU) 4.8.2 20140120 (Red Hat 4.8.2-15)")
                                           .exports("_ZN3foo4takeESt10unique_ptrIiSt14default_deleteIiEE")))
                            .run("string-abi-report");
  EXPECT_EQ(evidence(findings.at(0), "C++11 of a GCC before 5"), "foo/libold.so");
}

}  // namespace
}  // namespace wheelcheck::test::string_abi_report_test
