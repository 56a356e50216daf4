// Tests that the table of machines is complete, and that all lists of machines are. WHEELCHECK_UPDATE=1 writes these.
#include "model/machines.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

#include "base/text.h"

namespace wheelcheck::test::machines_test {
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

// The text with all machines in each of its lists of machines: `"x86_64", "i686"` in an enumeration, in one line or
// several, and `x86_64|i686` in a pattern.
std::string completed(std::string text) {
  constexpr std::string_view first = "x86_64", second = "i686";
  for (std::size_t at = 0; (at = text.find(first, at)) != text.npos;) {
    const std::size_t behind = at + first.size(), next = text.find(second, behind);
    const std::string between = text.substr(behind, next - behind);
    at = behind;
    if (next == text.npos || (between != "|" && !between.starts_with("\",")) ||
        between.find_first_not_of("|\", \n") != between.npos)
      continue;
    std::size_t end = behind;
    while (std::string_view(text).substr(end).starts_with(between)) {
      const std::size_t name = end + between.size();
      const std::size_t stop = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", name);
      if (!arch_from_name(text.substr(name, stop - name))) break;
      end = stop;
    }
    std::string others;
    for (const HostMachine& machine : machines().subspan(1)) others += between + std::string(machine.name);
    text.replace(behind, end - behind, others);
  }
  return text;
}

TEST(Machines, AreInAllLists) {
  const std::filesystem::path root = WHEELCHECK_SOURCE_DIR;
  std::size_t lists = 0;
  for (const char* const folder :
       {"docs", "data/schema", "policies/schema", "python/wheelcheck", "python/wheelcheck/answers"})
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
      if (entry.path().extension() != ".json" && entry.path().extension() != ".py") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string whole = completed(text.str());
      lists += whole.contains("riscv64") ? 1 : 0;
      if (whole != text.str() && std::getenv("WHEELCHECK_UPDATE") != nullptr)
        std::ofstream(entry.path()) << whole;
      else
        EXPECT_TRUE(whole == text.str()) << entry.path() << ": WHEELCHECK_UPDATE=1 writes its list of machines";
    }
  EXPECT_GE(lists, 7U);
}

}  // namespace
}  // namespace wheelcheck::test::machines_test
