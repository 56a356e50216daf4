#include "tests/rules/scene.h"

namespace wheelcheck::test::forbidden_export_test {
namespace {

Scene with_exports() {
  ElfBuilder elf(module_so);
  elf.exports("PyInit_x").exports("foo_open").exports("_ZN6google8protobuf7Message4sizeEi").exports("_init");
  return Scene(WheelBuilder(wheel_2_17).elf(elf));
}

TEST(ForbiddenExport, FindsDemangledNames) {
  Scene scene = with_exports();
  scene.options.forbidden_exports = {{"google::protobuf::*", "", "clashes with tensorflow"}};
  const auto findings = scene.run("forbidden-export");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "exports 1 symbol that forbid-exports \"google::protobuf::*\" forbids: clashes with tensorflow");
  EXPECT_EQ(evidence(findings[0], "symbols"), "google::protobuf::Message::size(int)");
}

TEST(ForbiddenExport, FindsWhatNoEntryAllows) {
  Scene scene = with_exports();
  scene.options.allowed_exports = {{"foo_*", "", "the API"}};
  const auto findings = scene.run("forbidden-export");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "exports 1 symbol that no entry of allow-exports allows");
  scene.options.allowed_exports.push_back({"_ZN6google*", "", "mangled"});
  EXPECT_TRUE(scene.run("forbidden-export").empty());
}

TEST(ForbiddenExport, IsSilentAboutOtherFilesAndWithoutEntries) {
  Scene scene = with_exports();
  EXPECT_TRUE(scene.run("forbidden-export").empty());
  scene.options.forbidden_exports = {{"*", "bar/**", "another file"}, {"protobuf*", "", "not the whole name"}};
  scene.options.allowed_exports = {{"x", "bar/**", "another file"}};
  EXPECT_TRUE(scene.run("forbidden-export").empty());
}

}  // namespace
}  // namespace wheelcheck::test::forbidden_export_test
