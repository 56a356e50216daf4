// Tests machines with platform tags, similar machines, and the detection of the C library.
#include <gmock/gmock.h>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

using testing::HasSubstr;

ElfFacts machine(std::uint16_t number, int bits, bool big_endian, std::optional<std::uint32_t> flags = std::nullopt) {
  return facts_of({.machine = number, .bits = bits, .big_endian = big_endian, .flags = flags});
}

TEST(Machine, LookAlikesAreNamedAndFitNoTag) {
  const std::pair<ElfFacts, std::string> cases[] = {
      {machine(62, 32, false), "x32"},
      {machine(3, 64, false), "i386 in a 64-bit file"},
      {machine(62, 64, true), "big-endian"},
      {machine(183, 64, true), "AArch64 big-endian"},
      {machine(22, 32, true), "s390 31-bit"},
      {machine(21, 64, false, 1), "ELFv1"},
      {machine(21, 64, true, 2), "ELFv2"},
      {machine(243, 64, false, 1), "RISC-V 64 soft-float"},
      {machine(40, 32, false, 0x05000200), "ARM soft-float"},
      {machine(40, 32, false, 0x04000400), "ARM EABI 4"},
      {machine(40, 32, true), "ARM big-endian"},
  };
  for (const auto& [facts, name] : cases) {
    EXPECT_EQ(facts.arch, Arch::Other) << name;
    EXPECT_EQ(facts.use, MachineUse::Host) << name;
    EXPECT_THAT(facts.machine_name, HasSubstr(name));
  }
}

TEST(Machine, DevicesAreNotJudgedAsHosts) {
  for (const int number : {190, 224, 247, 251, 164}) {
    ElfRecipe recipe = rich_recipe();
    recipe.machine = static_cast<std::uint16_t>(number);
    recipe.os_abi = 64;  // no host loader accepts it
    const ElfFacts facts = facts_of(recipe);
    EXPECT_EQ(facts.use, MachineUse::Device);
    EXPECT_EQ(facts.arch, Arch::Other);
    EXPECT_THAT(facts.machine_name, HasSubstr(std::to_string(number)));
    EXPECT_TRUE(facts.flaws.empty());
  }
}

TEST(Arm, TellsV6FromV7ByItsAttributes) {
  ElfRecipe recipe{.machine = 40, .bits = 32};
  EXPECT_EQ(facts_of(recipe).arch, Arch::armv7l) << "without attributes";
  for (const auto& [tag, arch] :
       {std::pair{6U, Arch::armv6l}, {9U, Arch::armv6l}, {10U, Arch::armv7l}, {14U, Arch::armv7l}}) {
    recipe.arm_cpu_arch = tag;
    EXPECT_EQ(facts_of(recipe).arch, arch) << tag;
  }
}

// ziglang 0.17.1: qemu-arm runs it.
TEST(Arm, TakesAStaticProgramWhateverItsFloatsAre) {
  ElfRecipe recipe{.machine = 40, .bits = 32};
  recipe.flags = 0x05000200;
  recipe.type = 2;  // ET_EXEC
  EXPECT_EQ(facts_of(recipe).arch, Arch::Other);
  recipe.dynamic = false;
  EXPECT_EQ(facts_of(recipe).arch, Arch::armv7l);
  EXPECT_EQ(facts_of(recipe).machine_name, "ARM soft-float");
  recipe.type = 3;
  EXPECT_EQ(facts_of(recipe).arch, Arch::Other);
}

TEST(Libc, FollowsInterpreterAndNeeded) {
  const auto needing = [](std::vector<std::string> names) { return facts_of({.needed = std::move(names)}).libc; };
  EXPECT_EQ(needing({"libm.so.6", "libc.so.6"}), Libc::Glibc);
  EXPECT_EQ(needing({"ld-linux-aarch64.so.1"}), Libc::Glibc);
  EXPECT_EQ(needing({"ld64.so.2"}), Libc::Glibc);
  EXPECT_EQ(needing({"libc.musl-x86_64.so.1"}), Libc::Musl);
  EXPECT_EQ(needing({"libc.so", "libdl.so"}), Libc::Bionic);
  EXPECT_EQ(needing({"libz.so.1"}), Libc::None);
  EXPECT_EQ(facts_of({.interp = "/lib/ld-musl-x86_64.so.1"}).libc, Libc::Musl);
  EXPECT_EQ(facts_of({.interp = "/lib64/ld-linux-x86-64.so.2"}).libc, Libc::Glibc);
  EXPECT_EQ(facts_of({.interp = "/system/bin/linker64", .needed = {"libc.so"}}).libc, Libc::Bionic);
}

TEST(Libc, SaysNothingForABareLibcSo) {
  ElfRecipe recipe{.needed = {"libc.so"}};
  EXPECT_EQ(facts_of(recipe).libc, Libc::None);
  recipe.android_api = 24;
  EXPECT_EQ(facts_of(recipe).libc, Libc::Bionic);
}

TEST(Kind, TellsProgramsFromLibraries) {
  constexpr std::uint64_t pie = 0x08000000;
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  EXPECT_EQ(facts_of({.soname = "x"}).kind, ElfKind::SharedObject);
  EXPECT_EQ(facts_of({.interp = loader, .dt_flags_1 = pie}).kind, ElfKind::Executable);
  EXPECT_EQ(facts_of({.dt_flags_1 = pie}).kind, ElfKind::Executable) << "static-pie";
  EXPECT_EQ(facts_of({.interp = loader, .debug = true}).kind, ElfKind::Executable) << "older linkers";
  EXPECT_EQ(facts_of({.interp = loader, .soname = "libc.so.6"}).kind, ElfKind::SharedObject) << "glibc itself";
  EXPECT_EQ(facts_of({.type = 2}).kind, ElfKind::Executable);
}

TEST(Notes, TellIsaLevelAndBuildId) {
  for (const int bits : {64, 32}) {
    ElfRecipe recipe{.machine = static_cast<std::uint16_t>(bits == 64 ? 62 : 3), .bits = bits};
    recipe.x86_isa_needed = 4;
    recipe.x86_isa_used = 6;
    recipe.x86_features = 3;
    recipe.build_id = "0123456789abcdef";
    recipe.strip_sections = true;
    const ElfFacts facts = facts_of(recipe);
    EXPECT_EQ(facts.x86_isa_needed, 4U);
    EXPECT_EQ(facts.x86_isa_used, 6U);
    EXPECT_EQ(facts.x86_features, 3U);
    EXPECT_EQ(facts.build_id, "0123456789abcdef");
  }
}

TEST(Flags, AreReadFromEveryTagThatCanSayThem) {
  ElfRecipe recipe;
  recipe.dt_flags = 0x10 | 0x8;          // DF_STATIC_TLS, DF_BIND_NOW
  recipe.dt_flags_1 = 0x2 | 0x8 | 0x40;  // DF_1_GLOBAL, DF_1_NODELETE, DF_1_NOOPEN
  recipe.textrel = recipe.symbolic = true;
  recipe.extra_dynamic = {{36, 0x2000}};  // DT_RELR
  const ElfFacts facts = facts_of(recipe);
  const LoaderFlags& flags = facts.dynamic->flags;
  EXPECT_TRUE(flags.static_tls && flags.bind_now && flags.global && flags.nodelete && flags.noopen);
  EXPECT_TRUE(flags.text_relocations && flags.symbolic && flags.relr);
  EXPECT_FALSE(flags.pie);
}

TEST(SearchPath, KeepsEmptyElementsAndIgnoresAnEmptyList) {
  ElfRecipe recipe{.rpath = ":/a:"};
  EXPECT_EQ(facts_of(recipe).dynamic->search.rpath.size(), 3U);
  recipe.rpath = "";
  EXPECT_TRUE(facts_of(recipe).dynamic->search.rpath.empty());
}

TEST(Filters, AreTold) {
  const ElfFacts facts = facts_of({.filters = {"libreal.so.1"}, .auxiliaries = {"libhelp.so.2"}});
  EXPECT_EQ(facts.dynamic->filters, std::vector<std::string_view>{"libreal.so.1"});
  EXPECT_EQ(facts.dynamic->auxiliaries, std::vector<std::string_view>{"libhelp.so.2"});
}

}  // namespace
}  // namespace wheelcheck::elf
