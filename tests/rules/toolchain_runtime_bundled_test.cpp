#include "rules/cxxabi/toolchain.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::toolchain_runtime_bundled_test {
namespace {

using rules::Toolchain;
using rules::toolchain_of;

const std::string copy = "foo.libs/libstdc++-1a2b3c4d.so.6.0.28";
const std::string copy_soname = "libstdc++-1a2b3c4d.so.6.0.28";
WheelBuilder bundled(const std::string& wheel, Libc libc = Libc::Glibc) {
  return WheelBuilder(wheel)
      .elf(ElfBuilder(module_so).libc(libc).needed(copy_soname))
      .elf(ElfBuilder(copy).libc(libc).soname(copy_soname));
}

TEST(Toolchain, KnowsTheNamesOfRepairToolsToo) {
  EXPECT_EQ(toolchain_of("libstdc++.so.6"), Toolchain::Libstdcxx);
  EXPECT_EQ(toolchain_of(copy), Toolchain::Libstdcxx);
  EXPECT_EQ(toolchain_of("foo/libgcc_s.so.1"), Toolchain::Libgcc);
  EXPECT_EQ(toolchain_of("libgcc_s.4a0b5c81.so.1"), Toolchain::Libgcc);
  EXPECT_EQ(toolchain_of("libc-2.17.so"), Toolchain::Glibc);
  EXPECT_EQ(toolchain_of("pymomentum_cpu.libs/libc-2-28d830c3.28.so"), Toolchain::Glibc);
  EXPECT_EQ(rules::system_name("libpthread-2-28d830c3.28.so"), "libpthread.so.0");
  EXPECT_EQ(toolchain_of("ld-linux-x86-64.so.2"), Toolchain::Loader);
  EXPECT_EQ(toolchain_of("libc.musl-x86_64.so.1"), Toolchain::Musl);
  for (const char* other : {"libcrypt.so.1", "libc10.so", "libc.so", "libc-client.so.6", "libutil.so",
                            "libm_extra.so.6", "libstdc++fs.so.6", "libc++.so.1", "libgcc.so.1", "librt.so.2"})
    EXPECT_EQ(toolchain_of(other), Toolchain::None) << other;
  EXPECT_EQ(rules::system_name(copy), "libstdc++.so.6");
}

TEST(ToolchainRuntimeBundled, FiresForACopyThatAModuleLoads) {
  const Scene scene(bundled(wheel_2_17));
  const auto findings = scene.run("toolchain-runtime-bundled");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message, "is a copy of libstdc++.so.6, which every system of the claimed tags has");
  EXPECT_EQ(evidence(findings[0], "needed by"), module_so);
  EXPECT_EQ(findings[0].fix,
            "repair with auditwheel repair --exclude libstdc++.so.6, or patchelf --replace-needed "
            "libstdc++-1a2b3c4d.so.6.0.28 libstdc++.so.6 foo/x.cpython-311-x86_64-linux-gnu.so and remove the copy");
}

// libdescriptor 0.2.3: --exclude does not remove what the project packs.
TEST(ToolchainRuntimeBundled, IsLeftOutWhereTheProjectPacksIt) {
  const auto found = Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/libgcc_s.so.1").soname("libgcc_s.so.1")))
                         .run("toolchain-runtime-bundled");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].fix, "leave foo/libgcc_s.so.1 out of the wheel");
}

TEST(ToolchainRuntimeBundled, IsSilentWithoutTheCopy) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libstdc++.so.6")))
                  .run("toolchain-runtime-bundled")
                  .empty());
}

TEST(ToolchainRuntimeBundled, IsSilentForMuslWhosePolicyPromisesNone) {
  EXPECT_TRUE(Scene(bundled("foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl", Libc::Musl))
                  .run("toolchain-runtime-bundled")
                  .empty());
}

TEST(ToolchainRuntimeBundled, ACLibraryIsWrongForMuslToo) {
  const Scene scene(WheelBuilder("foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl")
                        .elf(ElfBuilder("foo.libs/libc.musl-x86_64.so.1").libc(Libc::Musl)));
  EXPECT_EQ(scene.run("toolchain-runtime-bundled").size(), 1U);
}

TEST(ToolchainRuntimeBundled, IsAWarningWhereOnlyProgramsOrNothingLoadIt) {
  const Scene program(WheelBuilder(wheel_2_17)
                          .elf(ElfBuilder("foo-1.0.data/scripts/tool").needed("libstdc++.so.6"))
                          .elf(ElfBuilder("foo/lib/libstdc++.so.6").soname("libstdc++.so.6")));
  EXPECT_EQ(program.run("toolchain-runtime-bundled").at(0).severity, Severity::Warning);
  const Scene nothing(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/sysroot/libc.so.6").soname("libc.so.6")));
  EXPECT_EQ(nothing.run("toolchain-runtime-bundled").at(0).severity, Severity::Warning);
  const Scene unclaimed(bundled("foo-1.0-cp311-cp311-linux_x86_64.whl"));
  EXPECT_EQ(unclaimed.run("toolchain-runtime-bundled").at(0).severity, Severity::Warning);
}

}  // namespace
}  // namespace wheelcheck::test::toolchain_runtime_bundled_test
