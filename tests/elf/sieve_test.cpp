// Tests files that are too large for memory: the facts are those of the whole file. The other ELF tests read all of
// their files in both ways; these tests place the relevant bytes at the borders of chunks and pages.
#include <gtest/gtest.h>

#include "elf/page_filter.h"
#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t page = SparseBytes::page;

// Bytes that contain no text and are compressible.
std::string filler(std::size_t size, unsigned seed) {
  std::string out(size, '\0');
  std::uint32_t state = seed;
  for (char& c : out) c = static_cast<char>(128 + ((state = state * 1664525 + 1013904223) >> 25));
  return out;
}

std::string number(std::uint64_t value, int bytes) { return test::encoded({}, value, bytes); }

std::string fatbin(unsigned sm, std::size_t payload) {
  std::string entry = number(2, 2) + number(0x101, 2) + number(64, 4) + number(payload, 8) + number(payload, 4) +
                      number(0, 4) + number(7, 2) + number(1, 2) + number(sm, 4) + number(0, 8) + number(0x11, 8);
  entry.resize(64, '\0');
  entry += filler(payload, sm);
  return number(0xBA55ED50, 4) + number(1, 2) + number(16, 2) + number(entry.size(), 8) + entry;
}

ElfRecipe with_data(const std::string& name, std::string bytes, std::uint64_t flags = 2) {
  ElfRecipe recipe = rich_recipe();
  recipe.sections = {{.name = name, .bytes = std::move(bytes), .flags = flags}};
  return recipe;
}

TEST(PageFilter, FindsTextsWhereverAPageEnds) {
  const std::string texts = std::string("\0libcuda.so.1\0zlib 1.2.13\0built 2023-08-18\0/home/me/src\0", 56);
  for (std::size_t shift = 0; shift < 80; ++shift) {
    const ElfFacts facts =
        facts_of(with_data(".rodata", filler(3 * page - shift, 1) + texts + filler(5 * page, 2) + texts));
    EXPECT_EQ(facts.texts.libraries, std::vector<std::string_view>{"libcuda.so.1"}) << shift;
    EXPECT_EQ(facts.texts.versions.size(), 2U) << shift;
    EXPECT_EQ(facts.texts.build_paths, std::vector<std::string_view>{"/home/me/src"}) << shift;
    if (HasFailure()) return;
  }
}

TEST(PageFilter, ReadsLongTextsToTheirEnds) {
  for (const std::size_t length : {200U, 255U, 256U, 257U, 1000U, 5000U}) {
    const std::string text = std::string(1, '\0') + std::string(length, 'x') + "/libfoo.so" + std::string(1, '\0');
    facts_of(with_data(".rodata", filler(2 * page - length / 2, 3) + text + filler(2 * page, 4)));
    facts_of(with_data(".rodata", filler(2 * page - 20, 3) + std::string("\0/home/", 7) + text.substr(1)));
  }
}

TEST(PageFilter, FollowsFatBinariesOverPagesThatItLetsGo) {
  for (std::size_t shift = 0; shift < 3 * page; shift += 488) {
    std::string bytes = filler(shift / 8 * 8, 5);
    for (const unsigned sm : {70U, 80U, 90U}) bytes += fatbin(sm, 7 * page + shift / 8 * 8);
    const ElfFacts facts = facts_of(with_data(".nv_fatbin", bytes));
    EXPECT_EQ(facts.device.images.size(), 3U) << shift;
    // Without sections all of the data is searched, including fat binaries.
    ElfRecipe stripped = with_data(".nv_fatbin", bytes);
    stripped.strip_sections = true;
    facts_of(stripped);
    if (HasFailure()) return;
  }
}

TEST(PageFilter, DoesNotBelieveAFatBinaryThatIsCutShortByItsSection) {
  const std::string whole = fatbin(80, 6 * page);
  ElfRecipe recipe = with_data(".nv_fatbin", whole.substr(0, 5 * page));
  recipe.sections.push_back({.name = ".rodata", .bytes = std::string("\0libcuda.so.1\0", 14) + fatbin(90, 64)});
  facts_of(recipe);
}

TEST(PageFilter, FindsModuleSlotsAcrossPages) {
  for (std::size_t shift = 0; shift < 64; shift += 8) {
    const std::string slots = number(4, 8) + number(1, 8) + std::string(16, '\0');
    ElfRecipe recipe = with_data(".data", filler((3 * page - shift) / 8 * 8, 6) + slots + filler(page, 7), 3);
    recipe.exports.push_back({.name = "PyInit_made"});
    EXPECT_TRUE(facts_of(recipe).gil_slot) << shift;
  }
}

// Size of the pages of a file that are kept.
std::size_t kept_of(const std::string& bytes, PageFilter::CodeMemory* code_memory = nullptr) {
  const auto all = std::as_bytes(std::span(bytes));
  const auto pages = SparseBytes::reserve(all.size(), {});
  PageFilter page_filter(PageFilter::max_tables, code_memory);
  page_filter.start(*pages);
  for (std::size_t at = 0; at < all.size(); at += page)
    page_filter.take(all.subspan(at, std::min(page, all.size() - at)));
  std::size_t kept = 0;
  for (std::size_t at = 0; at < all.size(); at += page) kept += pages->has(at) ? page : 0;
  return kept;
}

TEST(PageFilter, KeepsLittleOfAFileThatIsMostlyCode) {
  ElfRecipe recipe = rich_recipe();
  recipe.sections = {{.name = ".debug_info", .bytes = filler(std::size_t{4} << 20, 8), .flags = 0}};
  EXPECT_LT(kept_of(test::make_elf(recipe)), std::size_t{1} << 19);
}

// The layout of older linkers: tables, code and constants in one readable and executable segment.
std::string in_one_segment(const std::string& bytes) {
  constexpr std::size_t headers = 64 + 56;
  const std::string size = number(headers + bytes.size(), 8);
  return std::string(
             "\x7F"
             "ELF\2\1\1",
             7) +
         std::string(9, '\0') + number(3, 2) + number(62, 2) + number(1, 4) + number(0, 8) + number(64, 8) +
         number(0, 8) + number(0, 4) + number(64, 2) + number(56, 2) + number(1, 2) + number(64, 2) + number(0, 4) +
         number(1, 4) + number(5, 4) + std::string(24, '\0') + size + size + number(page, 8) + bytes;
}

// Such a file with 20 pages of an entry, and 4 MB behind them.
std::string followed(const std::string& entry) {
  std::string bytes;
  while (bytes.size() < 20 * page) bytes += entry;
  return in_one_segment(bytes + filler(std::size_t{4} << 20, 10));
}
std::string relocation() { return number(0x12340, 8) + number(8, 4) + number(0, 4) + number(UINT64_MAX - 15, 8); }

TEST(PageFilter, KeepsLittleOfWhatFollowsTheRelocations) {
  const std::string symbol = number(77777, 4) + number(0x12, 2) + number(5, 2) + number(0x12340, 8) + number(64, 8);
  EXPECT_LT(kept_of(followed(relocation())), std::size_t{1} << 18);
  EXPECT_GT(kept_of(followed(symbol)), std::size_t{4} << 20) << "more tables are to come";
}

TEST(PageFilter, KeepsAsMuchCodeAsItsMemoryHolds) {
  const std::string file = followed(relocation());
  PageFilter::CodeMemory code_memory = file.size();
  EXPECT_EQ(kept_of(file, &code_memory), (file.size() + page - 1) / page * page);
  EXPECT_EQ(code_memory, file.size()) << "it is returned";
  const std::size_t most = file.size() / 4 * 3;
  code_memory = most;
  EXPECT_GE(kept_of(file, &code_memory), most);
  code_memory = most;
  EXPECT_LT(kept_of(file, &code_memory), most + (std::size_t{1} << 18));
  EXPECT_EQ(code_memory, most);
  code_memory = file.size() / 3;
  EXPECT_LT(kept_of(file, &code_memory), std::size_t{1} << 18);
}

TEST(PageFilter, AFileThatCannotBeReadAgainIsAnError) {
  const std::string bytes = test::make_elf(with_data(".rodata", filler(64 * page, 9)));
  const auto all = std::as_bytes(std::span(bytes));
  auto pages = SparseBytes::reserve(all.size(), [](std::uint64_t, std::uint64_t, SparseBytes&) {
    return Result<std::uint64_t>(std::unexpected(Error{ErrorCode::Io, "gone"}));
  });
  const auto facts = read_elf(std::move(pages), PageFilter(), {});
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().message, "gone");
}

}  // namespace
}  // namespace wheelcheck::elf
