#include "tests/rules/scene.h"

namespace wheelcheck::test::mixed_libc_test {
namespace {

std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("mixed-libc"); }

TEST(MixedLibc, FiresForMuslInAManylinuxWheel) {
  const auto findings =
      run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).libc(Libc::Musl).needed("libc.musl-x86_64.so.1")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is built for musl, the wheel claims glibc");
  EXPECT_EQ(evidence(findings[0], "library"), "libc.musl-x86_64.so.1");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(MixedLibc, FiresForGlibcInAMusllinuxWheel) {
  const auto findings =
      run(WheelBuilder("foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl").elf(ElfBuilder(module_so).needed("libc.so.6")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is built for glibc, the wheel claims musl");
}

TEST(MixedLibc, IsSilentWhereTheLibraryFitsOrNothingSays) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so))).empty());
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/tool").libc(Libc::None))).empty());
}

TEST(MixedLibc, AcceptsEachLibraryOfATwofoldClaim) {
  EXPECT_TRUE(run(WheelBuilder("foo-1.0-py3-none-manylinux_2_17_x86_64.musllinux_1_2_x86_64.whl")
                      .elf(ElfBuilder("foo/glibc/tool"))
                      .elf(ElfBuilder("foo/musl/tool").libc(Libc::Musl)))
                  .empty());
}

TEST(MixedLibc, IsAWarningForAProgramThatNothingLeadsTo) {
  const auto findings = run(
      WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/tool").libc(Libc::Musl).interpreter("/lib/ld-musl-x86_64.so.1")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(evidence(findings[0], "interpreter"), "/lib/ld-musl-x86_64.so.1");
}

TEST(MixedLibc, SaysOnceThatAWheelWithoutAClaimMixesThem) {
  const WheelBuilder programs = WheelBuilder("foo-1.0-py3-none-linux_x86_64.whl")
                                    .elf(ElfBuilder("foo/a"))
                                    .elf(ElfBuilder("foo/b").libc(Libc::Musl));
  ASSERT_EQ(run(programs).size(), 1U);
  EXPECT_EQ(run(programs)[0].message, "contains files for several C libraries: glibc, musl");
  EXPECT_EQ(run(programs)[0].severity, Severity::Warning);
  const WheelBuilder modules = WheelBuilder("foo-1.0-cp311-cp311-linux_x86_64.whl")
                                   .elf(ElfBuilder("foo/a.so"))
                                   .elf(ElfBuilder("foo/b.so").libc(Libc::Musl));
  EXPECT_EQ(run(modules).at(0).severity, Severity::Error);
}

}  // namespace
}  // namespace wheelcheck::test::mixed_libc_test
