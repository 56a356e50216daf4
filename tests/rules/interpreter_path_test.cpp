#include "tests/rules/scene.h"

namespace wheelcheck::test::interpreter_path_test {
namespace {

ElfBuilder program(std::string loader) {
  return ElfBuilder("foo-1.0.data/scripts/tool").interpreter(std::move(loader));
}
std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("interpreter-path");
}

TEST(InterpreterPath, FiresForALoaderOfTheBuildMachine) {
  const auto findings = run(program("/nix/store/abc-glibc-2.39/lib/ld-linux-x86-64.so.2"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("systems of this machine have /lib64/ld-linux-x86-64.so.2"));
  EXPECT_EQ(findings[0].fix, "patchelf --set-interpreter /lib64/ld-linux-x86-64.so.2 foo-1.0.data/scripts/tool");
}

TEST(InterpreterPath, IsSilentForTheStandardOneOfEachMachine) {
  const std::tuple<Arch, const char*, const char*> loaders[] = {
      {Arch::x86_64, "/lib64/ld-linux-x86-64.so.2", "/lib/ld-musl-x86_64.so.1"},
      {Arch::i686, "/lib/ld-linux.so.2", "/lib/ld-musl-i386.so.1"},
      {Arch::aarch64, "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-aarch64.so.1"},
      {Arch::armv7l, "/lib/ld-linux-armhf.so.3", "/lib/ld-musl-armhf.so.1"},
      {Arch::armv6l, "/lib/ld-linux-armhf.so.3", "/lib/ld-musl-armhf.so.1"},
      {Arch::ppc64le, "/lib64/ld64.so.2", "/lib/ld-musl-powerpc64le.so.1"},
      {Arch::ppc64, "/lib64/ld64.so.1", "/lib/ld-musl-powerpc64.so.1"},
      {Arch::s390x, "/lib/ld64.so.1", "/lib/ld-musl-s390x.so.1"},
      {Arch::riscv64, "/lib/ld-linux-riscv64-lp64d.so.1", "/lib/ld-musl-riscv64.so.1"},
      {Arch::loongarch64, "/lib64/ld-linux-loongarch-lp64d.so.1", "/lib/ld-musl-loongarch64.so.1"}};
  for (const auto& [arch, glibc, musl] : loaders) {
    EXPECT_TRUE(run(program(glibc).arch(arch)).empty()) << glibc;
    EXPECT_TRUE(run(program(musl).arch(arch).libc(Libc::Musl)).empty()) << musl;
    EXPECT_EQ(run(program("/opt/ld.so").arch(arch)).size(), 1U) << glibc;
  }
  EXPECT_TRUE(run(program("/system/bin/linker64").libc(Libc::Bionic)).empty());
}

TEST(InterpreterPath, DoesNotLookAtLibrariesOrUnknownWorlds) {
  EXPECT_TRUE(run(ElfBuilder("foo/libc.so.6").interpreter("/opt/ld.so")).empty());
  EXPECT_TRUE(run(program("/opt/ld.so").libc(Libc::None)).empty());
  EXPECT_TRUE(run(program("/opt/ld.so").arch(Arch::Other)).empty());
}

}  // namespace
}  // namespace wheelcheck::test::interpreter_path_test
