#include "tests/rules/scene.h"

namespace wheelcheck::test::wrong_machine_test {
namespace {

std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("wrong-machine"); }

TEST(WrongMachine, FiresForAnExtensionModuleOfAnotherMachine) {
  const auto findings = run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).arch(Arch::aarch64)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is built for aarch64, the wheel claims x86_64");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(WrongMachine, IsSilentWhereTheMachineFits) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so))).empty());
}

TEST(WrongMachine, NamesAMachineThatNoTagKnows) {
  const auto findings = run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).arch(Arch::Other).edit([](ElfMember& m) {
    m.facts.machine_name = "x32";
  })));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is built for x32, the wheel claims x86_64");
}

TEST(WrongMachine, IsAWarningForAFileThatNothingLeadsTo) {
  const ElfBuilder library = ElfBuilder("foo/libhelper.so").arch(Arch::i686);
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(library)).at(0).severity, Severity::Warning);
  const ElfBuilder user = ElfBuilder(module_so).needed("libhelper.so");
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(library).elf(user)).at(0).severity, Severity::Error);
  const ElfBuilder named = ElfBuilder("foo/libhelper.so").arch(Arch::i686).soname("libhelper.so.1");
  const ElfBuilder by_soname = ElfBuilder(module_so).needed("libhelper.so.1");
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(named).elf(by_soname)).at(0).severity, Severity::Error);
}

// A program that pip installs without an executable bit is data for another machine.
TEST(WrongMachine, IsANoteForAProgramThatNothingStarts) {
  const auto severity = [](std::uint32_t mode) {
    return run(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder("foo/firmware.elf").role(Program{}).arch(Arch::armv7l))
                   .edit([=](WheelFacts& wheel) {
                     wheel.size = 1000;
                     for (MemberFacts& member : wheel.members) member.unix_mode = mode;
                   }))
        .at(0)
        .severity;
  };
  EXPECT_EQ(severity(0100644), Severity::Note);
  EXPECT_EQ(severity(0100755), Severity::Warning);
}

TEST(WrongMachine, AcceptsEachMachineOfACompressedSet) {
  EXPECT_TRUE(run(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_aarch64.manylinux_2_17_x86_64.whl")
                      .elf(ElfBuilder("foo/a.so").arch(Arch::aarch64))
                      .elf(ElfBuilder("foo/b.so").arch(Arch::x86_64)))
                  .empty());
}

TEST(WrongMachine, DoesNotTakeArmv6ForArmv7) {
  const auto findings =
      run(WheelBuilder("foo-1.0-py3-none-linux_armv6l.whl").elf(ElfBuilder("foo/libx.so").arch(Arch::armv7l)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  const auto older =
      run(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_armv7l.whl").elf(ElfBuilder("foo/x.so").arch(Arch::armv6l)));
  ASSERT_EQ(older.size(), 1U);
  EXPECT_EQ(older[0].severity, Severity::Note);
  EXPECT_EQ(older[0].message, "is built for armv6l, the wheel claims armv7l, which can run it");
}

TEST(WrongMachine, NeverComparesDeviceCode) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17)
                      .elf(ElfBuilder("foo/kernel.cubin")
                               .arch(Arch::Other)
                               .use(MachineUse::Device)
                               .role(ForeignCode{"device code"})))
                  .empty());
}

TEST(WrongMachine, SaysOnceThatAWheelWithoutAMachineHoldsSeveral) {
  const auto findings = run(WheelBuilder("foo-1.0-py3-none-any.whl")
                                .elf(ElfBuilder("foo/a.so").arch(Arch::aarch64))
                                .elf(ElfBuilder("foo/b.so").arch(Arch::x86_64)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "contains machine code for 2 machines (aarch64, x86_64), and no tag names one");
  EXPECT_EQ(findings[0].severity, Severity::Note) << "WC705 is an error";
  EXPECT_EQ(evidence(findings[0], "aarch64"), "foo/a.so");
  EXPECT_TRUE(run(WheelBuilder("foo-1.0-py3-none-any.whl").elf(ElfBuilder("foo/a.so"))).empty());
}

}  // namespace
}  // namespace wheelcheck::test::wrong_machine_test
