#include "tests/rules/scene.h"

namespace wheelcheck::test::abi_note_test {
namespace {

std::vector<Finding> findings_of(AbiNote note, std::string wheel = wheel_2_17, ElfKind kind = ElfKind::SharedObject) {
  return Scene(WheelBuilder(wheel).elf(ElfBuilder("foo/libQt5Core.so.5").edit([=](ElfMember& member) {
           member.facts.abi_note = note;
           member.facts.kind = kind;
         })))
      .run("abi-note");
}
const std::string wheel_2_36 = "foo-1.0-cp311-cp311-manylinux_2_36_x86_64.whl";

TEST(AbiNote, ComparesTheKernelWithThatOfTheTag) {
  const auto findings = findings_of({.system = 0, .major = 3, .minor = 17, .patch = 0});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message,
            "is marked as built for Linux 3.17.0 and later; glibc before 2.36 does not open it on an older kernel");
  EXPECT_EQ(evidence(findings[0], "tag"), "manylinux_2_17_x86_64: systems with Linux 3.10.0");
}

TEST(AbiNote, IsAnErrorForAKernelOfTheFutureOrAnotherSystem) {
  for (const AbiNote note : {AbiNote{.system = 0, .major = 99}, AbiNote{.system = 1}}) {
    const auto findings = findings_of(note);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].severity, Severity::Error);
  }
}

TEST(AbiNote, IsSilentAboutOldKernelsProgramsAndNewGlibc) {
  EXPECT_TRUE(findings_of({.system = 0, .major = 3, .minor = 2, .patch = 0}).empty());
  EXPECT_TRUE(findings_of({.system = 0, .major = 3, .minor = 10, .patch = 0}).empty());
  EXPECT_TRUE(findings_of({.system = 0, .major = 99}, wheel_2_36).empty()) << "2.36 does not read the note";
  EXPECT_TRUE(findings_of({.system = 0, .major = 99}, wheel_2_17, ElfKind::Executable).empty());
}

}  // namespace
}  // namespace wheelcheck::test::abi_note_test
