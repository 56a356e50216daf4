// Tests all facts of one file, on generated files of every class, byte order and machine.
#include "elf/read.h"

#include <gmock/gmock.h>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class OnEveryMachine : public testing::TestWithParam<NamedMachine> {};
std::string machine_name(const testing::TestParamInfo<NamedMachine>& machine) { return machine.param.name; }
INSTANTIATE_TEST_SUITE_P(Machines, OnEveryMachine, testing::ValuesIn(machines()), machine_name);

TEST_P(OnEveryMachine, TheSameLibraryHasTheSameFacts) {
  const ElfFacts facts = facts_of(on(GetParam(), rich_recipe()));
  EXPECT_EQ(facts.arch, GetParam().arch);
  EXPECT_EQ(facts.bits, GetParam().bits);
  EXPECT_EQ(facts.little_endian, !GetParam().big_endian);
  const std::string reference = told(facts_of(on(machines()[0], rich_recipe())));
  std::string mine = told(facts);
  if (GetParam().arch == Arch::Other) {  // its jump slots are unknown
    EXPECT_THAT(mine, HasSubstr("need libc.so.6 GLIBC_2.34 6 weak"));
    return;
  }
  EXPECT_EQ(mine, reference);
}

TEST_P(OnEveryMachine, StrippedSectionHeadersHideNothing) {
  for (const auto hash : {test::HashTables::Gnu, test::HashTables::Sysv, test::HashTables::Both}) {
    ElfRecipe recipe = on(GetParam(), rich_recipe());
    recipe.hash = hash;
    const ElfFacts with = facts_of(recipe);
    recipe.strip_sections = true;
    const ElfFacts without = facts_of(recipe);
    EXPECT_TRUE(with.has_sections);
    EXPECT_FALSE(without.has_sections);
    EXPECT_THAT(reasons(without), IsEmpty());
    EXPECT_EQ(told(with), told(without));
  }
}

TEST(ReadElf, TellsEveryTableOfALibrary) {
  const ElfFacts facts = facts_of(rich_recipe());
  EXPECT_EQ(told(facts),
            "libc glibc kind 0 id 00ff10 \n"
            "soname libmade.so.1 symbols 12 \n"
            "needed libc.so.6 \n"
            "needed libz.so.1 \n"
            "runpath $ORIGIN/../made.libs \n"
            "runpath  \n"
            "runpath /opt/lib \n"
            "need libc.so.6 GLIBC_2.17 4  \n"
            "need libc.so.6 GLIBC_2.34 6 weak \n"
            "need libz.so.1 ZLIB_1.2.9 5  \n"
            "provides MADE_1 2 \n"
            "provides MADE_2 3 \n"
            "import PyInit - 0 1 0  \n"
            "import __gmon_start__ - 1 1 0 weak \n"
            "import memcpy GLIBC_2.17 1 1 0  \n"
            "import stdout GLIBC_2.17 2 2 0  \n"
            "import inflate ZLIB_1.2.9 1 1 0 weak \n"
            "import late GLIBC_2.34 1 1 0  \n"
            "export table - 24 2 2 0 0 default \n"
            "export guarded - 16 1 0 1 0 default \n"
            "export spare - 16 1 1 0 1 default \n"
            "export old MADE_1 16 1 0 0 0  \n"
            "export fresh MADE_2 16 1 0 0 0 default \n");
}

TEST(ReadElf, KeepsNamesAfterTheFileIsGone) {
  ElfFacts facts;
  {
    const std::string bytes = test::make_elf(rich_recipe());
    facts = facts_of_bytes(bytes);
  }
  EXPECT_EQ(facts.dynamic->needed, (std::vector<std::string_view>{"libc.so.6", "libz.so.1"}));
  EXPECT_EQ(facts.dynamic->imports.front().name, "PyInit");
}

TEST(ReadElf, KnowsTheMagicOnly) {
  const std::string magic(
      "\x7f"
      "ELF");
  EXPECT_TRUE(has_elf_magic(std::as_bytes(std::span(magic))));
  EXPECT_FALSE(has_elf_magic(std::as_bytes(std::span(magic)).first(3)));
  EXPECT_FALSE(has_elf_magic({}));
  EXPECT_THAT(reasons(facts_of_bytes(magic)), ElementsAre("fatal: the file ends within the ELF header"));
}

TEST(ReadElf, ReadsARelocatableObjectForItsIdentityOnly) {
  const ElfFacts facts = facts_of({.type = 1, .dynamic = false});
  EXPECT_EQ(facts.kind, ElfKind::Relocatable);
  EXPECT_EQ(facts.arch, Arch::x86_64);
  EXPECT_FALSE(facts.dynamic);
  EXPECT_THAT(reasons(facts), IsEmpty());
}

TEST(ReadElf, AcceptsAStaticProgram) {
  const ElfFacts facts = facts_of({.type = 2, .dynamic = false});
  EXPECT_EQ(facts.kind, ElfKind::Executable);
  EXPECT_THAT(reasons(facts), IsEmpty());
}

TEST(ReadElf, TellsStackRelroAndWritableCode) {
  ElfRecipe recipe = rich_recipe();
  recipe.gnu_stack = 7;
  recipe.relro = recipe.writable_code = recipe.bind_now = true;
  const Segments hard = facts_of(recipe).segments;
  EXPECT_EQ(hard.executable_stack, true);
  EXPECT_TRUE(hard.writable_code);
  EXPECT_EQ(hard.relro, Relro::Full);
  EXPECT_EQ(hard.smallest_load_align, 4096U);
  recipe.gnu_stack = std::nullopt;
  recipe.writable_code = recipe.bind_now = false;
  const Segments soft = facts_of(recipe).segments;
  EXPECT_EQ(soft.executable_stack, std::nullopt);
  EXPECT_FALSE(soft.writable_code);
  EXPECT_EQ(soft.relro, Relro::Partial);
}

TEST(ReadElf, SeesASegmentWhoseOffsetAndAddressDisagree) {
  ElfRecipe recipe = rich_recipe();
  EXPECT_FALSE(facts_of(recipe).segments.misaligned_load);
  // p_align of the first PT_LOAD becomes 2 MiB, and its address does not change.
  recipe.patches = {{.at = "phdr:PT_LOAD", .plus = 48, .bytes = test::encoded(recipe, 0x200000, 8)}};
  EXPECT_TRUE(facts_of(recipe).segments.misaligned_load);
  EXPECT_EQ(facts_of(recipe).segments.largest_page, 0x1000U);
}

TEST(SplitDebugFile, IsNeitherReadNorFaulted) {
  ElfRecipe recipe = rich_recipe();
  recipe.split_debug = test::SplitDebug::NoBytes;
  const ElfFacts facts = facts_of(recipe);
  EXPECT_TRUE(facts.debug_only);
  EXPECT_FALSE(facts.dynamic);
  EXPECT_THAT(reasons(facts), IsEmpty());
}

// ld -z noseparate-code: the notes, which objcopy keeps, are in the PT_LOAD of the code.
TEST(SplitDebugFile, MayHaveBytesInTheSegmentOfTheCode) {
  ElfRecipe recipe = rich_recipe();
  recipe.split_debug = test::SplitDebug::NoBytes;
  recipe.patches = {{.at = "phdr:PT_LOAD", .plus = 4, .bytes = test::encoded(recipe, 5, 4)},  // p_flags: R and X
                    {.at = "phdr:PT_LOAD", .plus = 32, .bytes = test::encoded(recipe, 16, 8)}};
  const ElfFacts facts = facts_of(recipe);
  EXPECT_TRUE(facts.debug_only);
  EXPECT_THAT(reasons(facts), IsEmpty());
}

// The loader opens every file whose PT_DYNAMIC has bytes, regardless of the section headers.
TEST(SplitDebugFile, HasAnEmptyDynamicSegment) {
  ElfRecipe recipe = rich_recipe();
  recipe.split_debug = test::SplitDebug::SectionsOnly;
  EXPECT_FALSE(facts_of(recipe).debug_only);
  Limits few;
  few.dynamic_entries = 4;
  const ElfFacts cut = facts_of(recipe, few);
  EXPECT_FALSE(cut.debug_only);
  EXPECT_TRUE(any_fatal(cut));
}

TEST(SplitDebugFile, IsNotOneThatTheLoaderCanLoad) {
  // Section headers with SHT_NOBITS do not matter if the segments are complete.
  ElfRecipe recipe = rich_recipe();
  recipe.split_debug = test::SplitDebug::SectionsOnly;
  const std::string lying = test::make_elf(recipe);
  recipe.split_debug = test::SplitDebug::No;
  std::string good = test::make_elf(recipe);
  const std::size_t sections = good.size() - 64 * 17;
  ASSERT_EQ(lying.size(), good.size());
  good.replace(sections, std::string::npos, lying.substr(sections));
  const ElfFacts facts = facts_of_bytes(good);
  EXPECT_FALSE(facts.debug_only);
  ASSERT_TRUE(facts.dynamic);
  EXPECT_EQ(facts.dynamic->needs.size(), 3U);
}

}  // namespace
}  // namespace wheelcheck::elf
