#include "tests/rules/scene.h"

namespace wheelcheck::test::abi3_violation_test {
namespace {

const std::string abi3_wheel = "foo-1.0-cp37-abi3-manylinux_2_17_x86_64.whl";
const std::string abi3_so = "foo/x.abi3.so";

std::vector<Finding> findings(const ElfBuilder& elf, const std::string& wheel = abi3_wheel) {
  return Scene(WheelBuilder(wheel).elf(elf)).run("abi3-violation");
}

TEST(Abi3Violation, FiresOnANameOutsideTheStableAbi) {
  const auto found =
      findings(ElfBuilder(abi3_so).import("PyList_New").import("PyUnicode_AsUTF8").import("_PyLong_New"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(found[0].message, "uses 2 names outside CPython's stable ABI: PyUnicode_AsUTF8 and 1 more");
  EXPECT_THAT(found[0].fix, testing::HasSubstr("-DPy_LIMITED_API=0x03070000"));
}

TEST(Abi3Violation, HasTheWordsOfPyO3ForRust) {
  const auto found = findings(ElfBuilder(abi3_so).import("_PyLong_New").comment("rustc version 1.85.0"));
  EXPECT_THAT(found.at(0).fix, testing::StartsWith("compile with the feature abi3-py37 of pyo3"));
}

TEST(Abi3Violation, FiresOnANameThatCameLater) {
  const auto found = findings(ElfBuilder(abi3_so).import("PyModule_AddObjectRef").import("PyType_GetName"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_THAT(found[0].message, testing::HasSubstr("newer than the tagged Python 3.7"));
  EXPECT_EQ(evidence(found[0], "symbols"), "PyModule_AddObjectRef (3.10), PyType_GetName (3.11)");
  EXPECT_THAT(found[0].fix, testing::HasSubstr("cp311-abi3"));
}

// seqa-py 0.3.5, cp38-abi3: installers give it to no Python before 3.12.
TEST(Abi3Violation, IsANoteWhereRequiresPythonRefusesThePythonsWithoutTheName) {
  const auto severity = [](const std::string& wanted) {
    return Scene(WheelBuilder(abi3_wheel)
                     .elf(ElfBuilder(abi3_so).import("PyModule_AddObjectRef"))
                     .edit([&](WheelFacts& wheel) { wheel.metadata->requires_python = wanted; }))
        .run("abi3-violation")
        .at(0)
        .severity;
  };
  EXPECT_EQ(severity(">=3.10"), Severity::Note);
  EXPECT_EQ(severity(">3.9.99,<4"), Severity::Note);
  EXPECT_EQ(severity(""), Severity::Error);
  EXPECT_EQ(severity(">=3.9"), Severity::Error);
}

// scrapster 1.0.6, cp38-abi3: PyUnicode_AsUTF8AndSize joined the stable ABI in 3.10, and CPython exports it since 3.3.
TEST(Abi3Violation, IsANoteForANameThatEveryTaggedCPythonExports) {
  const ElfBuilder elf = ElfBuilder(abi3_so).import("PyUnicode_AsUTF8AndSize").import("PyObject_GetBuffer");
  const auto found = findings(elf);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note);
  EXPECT_EQ(found[0].message,
            "uses 2 names that joined the stable ABI later, though CPython exports each since the tagged 3.7: "
            "PyObject_GetBuffer (3.11) and 1 more");
  EXPECT_EQ(findings(ElfBuilder(elf).import("PyModule_AddObjectRef")).size(), 2U);
  EXPECT_EQ(findings(elf, "foo-1.0-cp32-abi3-manylinux_2_17_x86_64.whl").at(0).severity, Severity::Error)
      << "the exports of CPython 3.2 are not known";
  // shiboken2 5.13.2: in CPython since 3.3, in the stable ABI since 3.7
  const std::string of_3_5 = "foo-1.0-cp35.cp36.cp37-abi3-manylinux1_x86_64.whl";
  EXPECT_EQ(findings(ElfBuilder(abi3_so).import("PyUnicode_GetLength"), of_3_5).at(0).severity, Severity::Note);
}

TEST(Abi3Violation, IsSilentOnNamesOfTheTaggedVersion) {
  const ElfBuilder elf =
      ElfBuilder(abi3_so).import("PyList_New").import("_Py_Dealloc").import("PyModule_FromDefAndSpec2");
  EXPECT_TRUE(findings(elf).empty());
  EXPECT_TRUE(findings(ElfBuilder(abi3_so).import("PyObject_GetBuffer"), "foo-1.0-cp311-abi3-manylinux_2_17_x86_64.whl")
                  .empty());
}

TEST(Abi3Violation, LooksAtEveryFileOfAnAbi3Wheel) {
  EXPECT_EQ(findings(ElfBuilder("foo.libs/libhelp-1234abcd.so.1").import("_PyLong_New")).size(), 1U);
}

TEST(Abi3Violation, LooksAtAnAbi3FileOfAnyWheel) {
  const std::string other = "foo-1.0-cp310-cp310-manylinux_2_17_x86_64.whl";
  const auto found = findings(ElfBuilder(abi3_so).import("_PyLong_New"), other);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note) << "only CPython 3.10 gets the wheel, and it has the name";
  EXPECT_THAT(found[0].fix, testing::HasSubstr("instead of .abi3.so"));
  EXPECT_TRUE(findings(ElfBuilder(abi3_so).import("PyUnicode_AsUTF8AndSize"), other).empty());
  const std::string older = "foo-1.0-cp39-cp39-manylinux_2_17_x86_64.whl";
  EXPECT_EQ(findings(ElfBuilder(abi3_so).import("PyUnicode_AsUTF8AndSize"), older).at(0).severity, Severity::Note)
      << "CPython has it since 3.3";
  EXPECT_EQ(findings(ElfBuilder(abi3_so).import("PyModule_AddObjectRef"), older).at(0).severity, Severity::Error)
      << "CPython 3.9 lacks it";
  EXPECT_TRUE(findings(ElfBuilder(module_so).import("_PyLong_New"), wheel_2_17).empty());
}

TEST(Abi3Violation, TakesTheOldestOfSeveralTags) {
  const std::string several = "foo-1.0-cp37.cp311-abi3-manylinux_2_17_x86_64.whl";
  const auto found = findings(ElfBuilder(abi3_so).import("PyModule_AddObjectRef"), several);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::HasSubstr("newer than the tagged Python 3.7"));
}

TEST(Abi3Violation, LeavesOutWhatIsNotPythonsAndWhatMayBeAbsent) {
  EXPECT_TRUE(findings(ElfBuilder(abi3_so).exports("PyFoo_Helper").import("_PyLong_New", true)).empty());
  const auto with_own = Scene(WheelBuilder(abi3_wheel)
                                  .elf(ElfBuilder(abi3_so).import("PyFoo_Helper"))
                                  .elf(ElfBuilder("foo/libfoo.so.1").exports("PyFoo_Helper")))
                            .run("abi3-violation");
  EXPECT_TRUE(with_own.empty());
}

TEST(Abi3Violation, IsANoteWhereALibraryFromElsewhereMayDefineTheName) {
  const ElfBuilder elf = ElfBuilder(abi3_so).import("PyRun_String");
  const auto alone = findings(ElfBuilder(elf).needed("libc.so.6").needed("libstdc++.so.6"));
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(alone[0].severity, Severity::Error);
  const auto helped = findings(ElfBuilder(elf).needed("libshiboken6.abi3.so.6.12"));
  ASSERT_EQ(helped.size(), 1U);
  EXPECT_EQ(helped[0].severity, Severity::Note);
  EXPECT_EQ(helped[0].confidence, Confidence::Low);
}

}  // namespace
}  // namespace wheelcheck::test::abi3_violation_test
