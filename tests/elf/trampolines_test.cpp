// Tests the search for trampolines with files that contain the code that compilers write.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint16_t x86 = 62, arm = 183, power = 21;
using namespace std::string_view_literals;

// Of a library with this code that asks for an executable stack.
std::optional<bool> found(std::uint16_t machine, std::string_view code, std::optional<std::uint32_t> stack = 7) {
  ElfRecipe recipe{.machine = machine};
  recipe.gnu_stack = stack;
  for (int i = 0; i < 32; ++i) recipe.exports.push_back({.name = "f" + std::to_string(i)});
  test::ElfImage image = test::build_elf(recipe);
  image.bytes.replace(image.offsets.at(".text"), code.size(), code);
  const std::optional<bool> whole = facts_of_bytes(image.bytes).trampolines;
  EXPECT_EQ(sieved_facts(image.bytes, {}, 4096)->trampolines, whole);
  return whole;
}

// mov dword ptr [rsp + 0x18], 0x90E3FF49
constexpr std::string_view gcc_x86 = "\xC7\x44\x24\x18\x49\xFF\xE3\x90";
// mov word ptr [rsp + 0x10], 0xBB49; mov word ptr [rsp + 0x1A], 0xBA49; mov word ptr [rsp + 0x24], 0xFF49
constexpr std::string_view clang_x86 =
    "\x66\xC7\x44\x24\x10\x49\xBB\x66\xC7\x44\x24\x1A\x49\xBA\x66\xC7\x44\x24\x24\x49\xFF";
// bti c; ldr x17, 18; ldr x18, 1C; br x17
constexpr std::string_view gcc_arm = "\x5F\x24\x03\xD5\xB1\x00\x00\x58\xD2\x00\x00\x58\x20\x02\x1F\xD6"sv;

TEST(Trampolines, OfGccAndClang) {
  EXPECT_EQ(found(x86, gcc_x86), true);
  EXPECT_EQ(found(x86, clang_x86), true);
  EXPECT_EQ(found(arm, gcc_arm), true);
}

TEST(Trampolines, AreNotOtherCode) {
  EXPECT_EQ(found(x86, ""), false);
  EXPECT_EQ(found(x86, gcc_arm), false);
  EXPECT_EQ(found(x86, clang_x86.substr(0, 7)), false) << "one store";
  EXPECT_EQ(found(x86, "\x49\xBB\x01\x02\x03\x04\x05\x06\x07\x08\x49\xBA"), false) << "movabs";
  EXPECT_EQ(found(x86, "\x41\xFF\xE3\x90"), false) << "jmp r11";
  EXPECT_EQ(found(arm, gcc_arm.substr(0, 12)), false);
}

TEST(Trampolines, AreReadWhereTheStackIsExecutable) {
  EXPECT_EQ(found(x86, gcc_x86, std::nullopt), true) << "without PT_GNU_STACK";
  EXPECT_EQ(found(x86, gcc_x86, 6), std::nullopt);
  EXPECT_EQ(found(arm, gcc_arm, std::nullopt), std::nullopt) << "not executable without PT_GNU_STACK";
  EXPECT_EQ(found(power, gcc_x86), std::nullopt) << "not known for this machine";
}

}  // namespace
}  // namespace wheelcheck::elf
