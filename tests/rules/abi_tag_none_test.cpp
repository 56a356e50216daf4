#include "tests/rules/scene.h"

namespace wheelcheck::test::abi_tag_none_test {
namespace {

std::vector<Finding> findings(const std::string& tags, const WheelBuilder& builder) {
  Scene scene(builder);
  scene.wheel.file = "foo-1.0-" + tags + ".whl";
  return scene.run("abi-tag-none");
}

ElfBuilder module_of(const std::string& path) {
  return ElfBuilder(path).exports("PyInit_x").import("PyModule_Create2").import("_PyLong_New");
}

TEST(AbiTagNone, FiresOnAModuleThatUsesTheAbi) {
  const std::string tags = "cp314-none-manylinux_2_17_x86_64";
  const auto found = findings(tags, WheelBuilder("foo-1.0-" + tags + ".whl").elf(module_of("foo/x.so")));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_THAT(found[0].message, testing::HasSubstr("(PyModule_Create2)"));
  EXPECT_THAT(found[0].fix, testing::HasSubstr("--python-tag cp314 --abi-tag cp314 "));
}

// xprof-nightly 2.25.0a20261027: PyModule_Create2 alone, in a file whose name has no version.
TEST(AbiTagNone, IsAWarningForTheStableAbi) {
  const auto found = [](const std::string& file, const std::string& name, const std::string& python = "py3") {
    const std::string tags = python + "-none-manylinux_2_17_x86_64";
    return findings(tags, WheelBuilder("foo-1.0-" + tags + ".whl")
                              .elf(ElfBuilder(file).exports("PyInit_x").import("PyModule_Create2").import(name)))
        .at(0);
  };
  EXPECT_EQ(found("foo/x.so", "PyType_Ready").severity, Severity::Warning);
  EXPECT_THAT(found("foo/x.so", "PyType_Ready").message, testing::HasSubstr("stable ABI (PyModule_Create2): "));
  EXPECT_THAT(found("foo/x.so", "PyType_Ready").fix, testing::HasSubstr("--python-tag cp3X --abi-tag abi3 "));
  EXPECT_EQ(found("foo/x.so", "_PyLong_New").severity, Severity::Error);
  EXPECT_EQ(found(module_so, "PyType_Ready").severity, Severity::Error);
  EXPECT_EQ(found("foo/x.so", "PyType_Ready", "cp314").severity, Severity::Error);
  const std::string tags = "py3-none-manylinux_2_17_x86_64";
  const auto stable = [](const std::string& path, const std::string& init) {
    return ElfBuilder(path).exports(init).import("PyModule_Create2");
  };
  EXPECT_EQ(findings(tags, WheelBuilder("foo-1.0-" + tags + ".whl")
                               .elf(stable("foo/a.so", "PyInit_a"))
                               .elf(stable("foo/b.cpython-311-x86_64-linux-gnu.so", "PyInit_b")))
                .at(0)
                .severity,
            Severity::Error)
      << "other interpreters do not find b";
}

TEST(AbiTagNone, IsANoteWhereOnlyOneInterpreterGetsTheWheel) {
  const auto severity = [](const std::string& python) {
    const std::string tags = python + "-none-manylinux_2_17_x86_64";
    return findings(tags, WheelBuilder("foo-1.0-" + tags + ".whl").elf(module_of("foo/x.so"))).at(0).severity;
  };
  EXPECT_EQ(severity("cp311"), Severity::Note);
  EXPECT_EQ(severity("cp37"), Severity::Note);
  EXPECT_EQ(severity("cp27"), Severity::Error) << "of two ABIs";
  EXPECT_EQ(severity("cp312"), Severity::Note);
  EXPECT_EQ(severity("cp313"), Severity::Error) << "the first that can be free-threaded";
  EXPECT_EQ(severity("cp311.cp313"), Severity::Error);
  EXPECT_EQ(severity("cp3"), Severity::Error);
}

TEST(AbiTagNone, ReadsTheVersionFromTheFileName) {
  const std::string tags = "py3-none-manylinux_2_17_x86_64";
  const auto found = findings(tags, WheelBuilder("foo-1.0-" + tags + ".whl").elf(module_of(module_so)));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].fix, testing::HasSubstr("--python-tag cp311 --abi-tag cp311 "));
  // array_record 0.4.0: py310-none-any with the module foo/x.so
  const std::string old = "py310-none-manylinux_2_17_x86_64";
  EXPECT_THAT(findings(old, WheelBuilder("foo-1.0-" + old + ".whl").elf(module_of("foo/x.so"))).at(0).fix,
              testing::HasSubstr("--python-tag cp310 --abi-tag cp310 "));
  // coremltools 9.1.dev1
  const std::string pymalloc = "cp37-none-manylinux_2_17_x86_64";
  EXPECT_THAT(findings(pymalloc, WheelBuilder("foo-1.0-" + pymalloc + ".whl").elf(module_of("foo/x.so"))).at(0).fix,
              testing::HasSubstr("--python-tag cp37 --abi-tag cp37m "));
  // openctp-ctpopt 3.7.3.1: compiled for one release, it works with seven.
  EXPECT_THAT(findings(tags, WheelBuilder("foo-1.0-" + tags + ".whl").elf(module_of("foo/x.so"))).at(0).fix,
              testing::StartsWith("name each CPython with which it was tried: "));
}

TEST(AbiTagNone, IsSilentWithoutTheAbiWithAnotherTagAndOnOneFileForEachInterpreter) {
  const std::string tags = "py3-none-manylinux_2_17_x86_64";
  EXPECT_TRUE(findings(tags, WheelBuilder("foo-1.0-" + tags + ".whl").elf(ElfBuilder("foo/libx.so"))).empty());
  EXPECT_TRUE(
      findings("cp311-cp311-manylinux_2_17_x86_64", WheelBuilder(wheel_2_17).elf(module_of(module_so))).empty());
  EXPECT_TRUE(findings(tags, WheelBuilder("foo-1.0-" + tags + ".whl")
                                 .elf(module_of(module_so))
                                 .elf(module_of("foo/x.cpython-312-x86_64-linux-gnu.so")))
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test::abi_tag_none_test
