#include "tests/rules/scene.h"

namespace wheelcheck::test::executable_stack_test {
namespace {

Scene with(const ElfBuilder& elf) { return Scene(WheelBuilder(wheel_2_17).elf(elf)); }

TEST(ExecutableStack, FiresWhereTheFlagIsSet) {
  const auto findings = with(ElfBuilder(module_so).executable_stack(true)).run("executable-stack");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires an executable stack: glibc 2.41 and newer refuse to load it");
  EXPECT_EQ(findings[0].severity, Severity::Error);
  ASSERT_TRUE(findings[0].on);
  EXPECT_EQ(findings[0].on->from, "2.41");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("patchelf --clear-execstack " + module_so));
}

TEST(ExecutableStack, SaysHowToBuildWhatRunsOnTheStack) {
  const std::string runs = with(ElfBuilder(module_so).executable_stack(true, true)).run("executable-stack")[0].fix;
  EXPECT_THAT(runs, testing::HasSubstr("-ftrampoline-impl=heap"));
  EXPECT_THAT(runs, testing::Not(testing::HasSubstr("patchelf")));
  const auto unknown = with(ElfBuilder(module_so).arch(Arch::s390x).executable_stack({}, {})).run("executable-stack");
  EXPECT_THAT(unknown[0].fix, testing::StartsWith("link with -Wl,-z,noexecstack if the code has no nested functions"));
}

TEST(ExecutableStack, IsSilentWhereTheFlagIsClear) {
  EXPECT_TRUE(with(ElfBuilder(module_so).executable_stack(false)).run("executable-stack").empty());
}

TEST(ExecutableStack, TakesTheMachinesDefaultWhereThereIsNoHeader) {
  for (const Arch arch : {Arch::x86_64, Arch::i686, Arch::armv7l, Arch::armv6l, Arch::s390x})
    EXPECT_EQ(with(ElfBuilder(module_so).arch(arch).executable_stack({})).run("executable-stack").size(), 1U)
        << name_of(arch);
  for (const Arch arch : {Arch::aarch64, Arch::ppc64le, Arch::ppc64, Arch::riscv64, Arch::loongarch64})
    EXPECT_TRUE(with(ElfBuilder(module_so).arch(arch).executable_stack({})).run("executable-stack").empty())
        << name_of(arch);
}

TEST(ExecutableStack, IsAWarningForProgramsAndForMusl) {
  const auto program = with(ElfBuilder("foo-1.0.data/scripts/tool").executable_stack(true)).run("executable-stack");
  ASSERT_EQ(program.size(), 1U);
  EXPECT_EQ(program[0].severity, Severity::Warning);
  const auto musl = with(ElfBuilder(module_so).libc(Libc::Musl).executable_stack(true)).run("executable-stack");
  ASSERT_EQ(musl.size(), 1U);
  EXPECT_EQ(musl[0].severity, Severity::Warning);
}

TEST(ExecutableStack, IsSilentForProgramsOfAnotherMachine) {
  const ElfBuilder tool = ElfBuilder("foo/tool").role(Program{}).arch(Arch::i686).executable_stack(true);
  EXPECT_TRUE(with(tool).run("executable-stack").empty());
}

TEST(ExecutableStack, DoesNotLookAtObjectsAndDeviceCode) {
  EXPECT_TRUE(with(ElfBuilder("foo/x.o").role(ForeignCode{"relocatable object"}).executable_stack({}))
                  .run("executable-stack")
                  .empty());
  EXPECT_TRUE(with(ElfBuilder(module_so).use(MachineUse::Device).executable_stack({})).run("executable-stack").empty());
}

}  // namespace
}  // namespace wheelcheck::test::executable_stack_test
