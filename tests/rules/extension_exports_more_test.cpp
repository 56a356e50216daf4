#include "tests/rules/scene.h"

namespace wheelcheck::test::extension_exports_more_test {
namespace {

std::vector<Finding> exporting(std::initializer_list<const char*> names, const std::string& path = module_so) {
  ElfBuilder elf(path);
  for (const char* name : names) elf.exports(name);
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("extension-exports-more");
}

TEST(ExtensionExportsMore, FiresOnWhatPythonDoesNotLookUp) {
  const auto findings = exporting({"PyInit_x", "helper", "another"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].message, "exports 2 symbols beside its init function");
  EXPECT_EQ(evidence(findings[0], "symbols"), "another, helper");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("{ global: PyInit_x; local: *; }"));
}

TEST(ExtensionExportsMore, IsSilentForInitFunctionsAndWhatLinkersDefine) {
  EXPECT_TRUE(exporting({"PyInit_x", "PyInit_y", "PyModExport_x", "_cffi_pypyinit_x", "initx"}).empty());
  EXPECT_TRUE(exporting({"PyInit_x", "_init", "_fini", "_edata", "_end", "__bss_start"}).empty());
  EXPECT_EQ(exporting({"inity"}).size(), 1U);
}

TEST(ExtensionExportsMore, ShowsTheFirstOfManyByName) {
  const auto findings = exporting({"k", "d", "b", "j", "i", "PyInit_x", "h", "g", "c", "f", "a", "e"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "exports 11 symbols beside its init function");
  EXPECT_EQ(evidence(findings[0], "symbols"), "a, b, c, d, e, f, g, h and 3 more");
}

TEST(ExtensionExportsMore, LooksAtExtensionModulesOnly) {
  EXPECT_TRUE(exporting({"helper"}, "foo/libhelp.so").empty());
  EXPECT_TRUE(exporting({"helper"}, "foo/tool").empty());
}

TEST(ExtensionExportsMore, IsPedantic) { EXPECT_TRUE(find_rule("extension-exports-more")->pedantic); }

}  // namespace
}  // namespace wheelcheck::test::extension_exports_more_test
