// Tests the page size of a jemalloc with files that contain the code of pages_boot, as compilers write it.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint16_t arm = 183, power = 21;
constexpr std::string_view message = "<jemalloc>: Unsupported system page size\n";

// A library with these instructions at the start of its code. An address of 0 in `code` is replaced: see the callers.
struct Library {
  ElfRecipe recipe;
  test::ElfImage image;
  std::uint64_t text = 0, message_at = 0;

  explicit Library(std::uint16_t machine, std::string_view words = message) {
    recipe = {.machine = machine};
    for (int i = 0; i < 32; ++i) recipe.exports.push_back({.name = "f" + std::to_string(i)});
    recipe.sections = {
        {.name = ".rodata", .bytes = std::string(words) + '\0' + "/proc/sys/vm/overcommit_memory" + '\0'}};
    image = test::build_elf(recipe);
    text = image.addresses.at(".text");
    message_at = image.addresses.at(".rodata");
  }
  void write(const std::vector<std::uint32_t>& code) {
    std::memcpy(image.bytes.data() + image.offsets.at(".text"), code.data(), code.size() * 4);
  }
  // "" if nothing is known.
  std::string page() const {
    std::string found;
    for (const ElfFacts& facts : {facts_of_bytes(image.bytes), *sieved_facts(image.bytes, {}, 4096)})
      if (facts.interfaces.jemalloc_page != 0) found += std::to_string(facts.interfaces.jemalloc_page) + ';';
    return found;
  }
};

std::uint32_t adrp(std::uint64_t from, std::uint64_t to, std::uint32_t reg) {
  const auto pages = static_cast<std::uint32_t>((to >> 12) - (from >> 12));
  return 0x90000000 | (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5 | reg;
}

// mov w0, #30; bl sysconf; cmn x0, #1; adrp; add; str; cmp x0, #units, lsl #12; b.hi +2; ret; adrp x0; add x0
Library on_arm(std::uint32_t units, std::uint32_t argument = 30, std::string_view words = message) {
  Library library(arm, words);
  const std::uint64_t load = library.text + 9 * 4;
  library.write({0x52800000 | argument << 5, 0x94000100, 0xB100041F, 0x90000001, 0x91000022, 0xF9000040,
                 0xF140001F | units << 10, 0x54000048, 0xD65F03C0, adrp(load, library.message_at, 0),
                 0x91000000 | static_cast<std::uint32_t>(library.message_at & 0xFFF) << 10});
  return library;
}

TEST(Jemalloc, PageSizeOnAarch64) {
  EXPECT_EQ(on_arm(1).page(), "4096;4096;");
  EXPECT_EQ(on_arm(4).page(), "16384;16384;");
  EXPECT_EQ(on_arm(16).page(), "65536;65536;");
}

// As GCC writes it in pagefind_bin 1.5.2: the comparison is behind the end of the function, the message behind b.ls.
TEST(Jemalloc, PageSizeFarFromTheCallOnAarch64) {
  constexpr std::uint32_t nop = 0xD503201F;
  Library library(arm);
  std::vector<std::uint32_t> code{0x528003C0, 0x94000100, 0xB100041F};
  code.resize(100, nop);
  const std::uint64_t load = library.text + 102 * 4;
  code.insert(code.end(), {0xF140041F, 0x54FFEFE9, adrp(load, library.message_at, 0),
                           0x91000000 | static_cast<std::uint32_t>(library.message_at & 0xFFF) << 10});
  library.write(code);
  EXPECT_EQ(library.page(), "4096;4096;");
}

TEST(Jemalloc, IsSilentWithoutEachPartOfThePattern) {
  EXPECT_EQ(on_arm(3).page(), "") << "not a power of two";
  EXPECT_EQ(on_arm(1, 84).page(), "") << "another argument of sysconf";
  EXPECT_EQ(on_arm(1, 30, "<mimalloc>: Unsupported system page size\n").page(), "") << "another message";
  Library library = on_arm(1);
  library.image.bytes.replace(library.image.bytes.find("/proc/sys"), 5, "/some");
  EXPECT_EQ(library.page(), "");
}

// addis r2, r12, 1; addi r2, r2, 0; li r3, 30; bl sysconf; COMPARISON; std; bgt +2; blr; addis r3, r2; addi r3, r3
Library on_power(const std::vector<std::uint32_t>& comparison) {
  Library library(power);
  const std::uint64_t toc = library.text + 0x10000;
  const std::uint64_t from_toc = library.message_at - toc;
  std::vector<std::uint32_t> code{0x3C4C0001, 0x38420000, 0x3860001E, 0x48000101};
  code.insert(code.end(), comparison.begin(), comparison.end());
  code.insert(code.end(), {0xF8620008, 0x41810008, 0x4E800020,
                           0x3C620000 | static_cast<std::uint32_t>((from_toc + 0x8000) >> 16 & 0xFFFF),
                           0x38630000 | static_cast<std::uint32_t>(from_toc & 0xFFFF)});
  library.write(code);
  return library;
}

TEST(Jemalloc, PageSizeOnPpc64le) {
  EXPECT_EQ(on_power({0x28231000}).page(), "4096;4096;") << "cmpldi r3, 4096";
  EXPECT_EQ(on_power({0x3D200001, 0x60000000, 0x7C234840}).page(), "65536;65536;") << "lis r9, 1; nop; cmpld r3, r9";
  EXPECT_EQ(on_power({0x28230FFF}).page(), "");
}

}  // namespace
}  // namespace wheelcheck::elf
