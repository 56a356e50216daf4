// Tests that the table of machines is complete.
#include "model/machines.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace wheelcheck {
namespace {

TEST(Machines, AreInTheOrderOfTheEnumeration) {
  ASSERT_EQ(machines().size(), static_cast<std::size_t>(Arch::Other));
  for (std::size_t i = 0; i < machines().size(); ++i) EXPECT_EQ(machines()[i].arch, static_cast<Arch>(i));
  EXPECT_EQ(name_of(Arch::Other), "other");
  EXPECT_EQ(arch_from_name("other"), std::nullopt);
  EXPECT_EQ(arch_from_name(""), std::nullopt);
}

TEST(Machines, HaveTheirNames) {
  std::set<std::tuple<unsigned, unsigned, bool>> headers;
  for (const HostMachine& machine : machines()) {
    EXPECT_EQ(arch_from_name(machine.name), machine.arch);
    EXPECT_TRUE(machine.glibc_loader.starts_with("/lib")) << machine.name;
    EXPECT_TRUE(machine.musl_loader.starts_with("/lib/ld-musl-")) << machine.name;
    EXPECT_TRUE(machine.musl_sonames[0].starts_with("libc.musl-")) << machine.name;
    EXPECT_TRUE(machine.first_glibc_node.starts_with("GLIBC_2.")) << machine.name;
    EXPECT_NE(machine.triplet.find("-linux-gnu"), machine.triplet.npos) << machine.name;
    EXPECT_GE(machine.max_page, machine.usual_page) << machine.name;
    if (machine.arch != Arch::armv6l)  // has the header of armv7l
      EXPECT_TRUE(headers.emplace(machine.elf_machine, machine.bits, machine.little_endian).second) << machine.name;
  }
}

TEST(Machines, HaveOtherNamesOnAndroid) {
  EXPECT_EQ(arch_text(PlatformTag::Family::Android, Arch::aarch64), "arm64_v8a");
  EXPECT_EQ(arch_text(PlatformTag::Family::Android, Arch::s390x), "s390x");
  EXPECT_EQ(arch_text(PlatformTag::Family::Manylinux, Arch::i686), "i686");
  EXPECT_EQ(parse_platform_tag("android_24_x86").arch, Arch::i686);
  EXPECT_EQ(parse_platform_tag("android_24_").arch, Arch::Other);
}

}  // namespace
}  // namespace wheelcheck
