#include "tests/rules/scene.h"

namespace wheelcheck::test::libpython_linked_test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf, const std::string& name = wheel_2_17) {
  return Scene(WheelBuilder(name).elf(elf)).run("libpython-linked");
}

TEST(LibpythonLinked, NamesTheLibrary) {
  const auto findings = run(ElfBuilder(module_so).needed("libpython3.11.so.1.0"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, testing::StartsWith("is linked against libpython3.11.so.1.0"));
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("patchelf --remove-needed libpython3.11.so.1.0 " + module_so));
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(LibpythonLinked, IsSilentWithoutIt) { EXPECT_TRUE(run(ElfBuilder(module_so).needed("libc.so.6")).empty()); }

TEST(LibpythonLinked, CountsABundledCopyToo) {
  EXPECT_EQ(Scene(WheelBuilder(wheel_2_17)
                      .elf(ElfBuilder(module_so).needed("libpython3.13t.so.1.0"))
                      .elf(ElfBuilder("foo.libs/libpython3.13t.so.1.0")))
                .run("libpython-linked")
                .size(),
            1U);
}

TEST(LibpythonLinked, IsSilentOnAndroid) {
  EXPECT_TRUE(
      run(ElfBuilder(module_so).needed("libpython3.13.so"), "foo-1.0-cp313-cp313-android_21_arm64_v8a.whl").empty());
}

TEST(LibpythonLinked, FindsAnInterpreterInsideAModule) {
  const ElfBuilder embedded = ElfBuilder(module_so).exports("Py_Initialize").exports("_PyEval_EvalFrameDefault");
  EXPECT_EQ(run(embedded).at(0).message, "is an extension module that contains its own interpreter");
  EXPECT_TRUE(run(ElfBuilder(module_so).exports("Py_Initialize")).empty());
}

TEST(LibpythonLinked, DoesNotCallTheInterpretersOwnLibraryAModule) {
  EXPECT_TRUE(
      run(ElfBuilder("foo.libs/libpython3.11.so.1.0").exports("Py_Initialize").exports("_PyEval_EvalFrameDefault"))
          .empty());
}

TEST(LibpythonLinked, IsAWarningForPrograms) {
  EXPECT_EQ(run(ElfBuilder("foo/tool").needed("libpython3.11.so.1.0")).at(0).severity, Severity::Warning);
}

TEST(LibpythonLinked, KeepsTheLibraryOfAProgramThatUsesIt) {
  const auto findings = run(ElfBuilder("foo/tool").needed("libpython3.11.so.1.0").import("PyObject_VectorcallMethod"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings[0].message, testing::StartsWith("is a program that requires libpython3.11.so.1.0"));
  EXPECT_THAT(findings[0].fix, testing::Not(testing::HasSubstr("remove-needed")));
}

// lldb-for-pwndbg 21.1.7: the program's library calls CPython, and nothing else brings it.
TEST(LibpythonLinked, KeepsTheLibraryOfAProgramWhoseLibraryUsesIt) {
  const auto fix = [](const char* import) {
    const WheelBuilder builder =
        WheelBuilder(wheel_2_17)
            .elf(ElfBuilder("foo/tool").needed("libpython3.11.so.1.0").needed("libdb.so").role(Program{}))
            .elf(ElfBuilder("foo/libdb.so").soname("libdb.so").import(import));
    return Scene(builder).run("libpython-linked").at(0).fix;
  };
  EXPECT_THAT(fix("PyObject_VectorcallMethod"), testing::Not(testing::HasSubstr("remove-needed")));
  EXPECT_THAT(fix("other"), testing::HasSubstr("remove-needed"));
  // A library that is found by its file name need not have a dynamic section.
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/tool").needed("libpython3.11.so.1.0").needed("libdb.so").role(Program{}))
                  .elf(ElfBuilder("foo/libdb.so").no_dynamic().role(PlainLibrary{})));
  scene.needed("foo/tool", "libdb.so").provider = ElfRef{WheelIndex{0}, elf_at(scene.wheel, "foo/libdb.so")};
  EXPECT_THAT(scene.run("libpython-linked").at(0).fix, testing::HasSubstr("remove-needed"));
}

}  // namespace
}  // namespace wheelcheck::test::libpython_linked_test
