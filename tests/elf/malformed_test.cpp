// Tests malicious files. The facts must be those that the loader sees, whatever other readers see. What the loader
// would reject is a fatal flaw. No file may cause an endless loop or a read outside of the file.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t dt_strtab = 5, dt_strsz = 10, dt_verneednum = 0x6FFFFFFF, dt_rela = 7, dt_relasz = 8,
                        dt_relaent = 9, dt_versym = 0x6FFFFFF0;

std::string dynamic(std::uint64_t tag) { return "dynamic:" + std::to_string(tag); }
ElfRecipe patched(ElfRecipe recipe, const std::string& at, std::int64_t plus, std::uint64_t value, int size) {
  recipe.patches.push_back({.at = at, .plus = plus, .bytes = test::encoded(recipe, value, size)});
  return recipe;
}
ElfRecipe plain() {
  ElfRecipe recipe;
  recipe.needed = {"libc.so.6"};
  recipe.needs = {{.library = "libc.so.6", .version = "GLIBC_2.17", .symbols = {{.name = "memcpy"}}},
                  {.library = "libc.so.6", .version = "GLIBC_2.38", .symbols = {{.name = "strlcpy"}}}};
  recipe.exports = {{.name = "offered"}};
  return recipe;
}
testing::Matcher<const std::vector<std::string>&> fatal_with(const std::string& text) {
  return Contains(testing::AllOf(testing::StartsWith("fatal"), HasSubstr(text)));
}
testing::Matcher<const std::vector<std::string>&> odd_with(const std::string& text) {
  return Contains(testing::AllOf(testing::StartsWith("odd"), HasSubstr(text)));
}

TEST(LyingCounts, DoNotHideAVersion) {
  const ElfFacts few = facts_of(patched(plain(), dynamic(dt_verneednum), 0, 0, 8));
  EXPECT_EQ(few.dynamic->needs.size(), 2U);
  EXPECT_THAT(reasons(few), odd_with("DT_VERNEEDNUM is 0"));
  const ElfFacts cut = facts_of(patched(plain(), ".gnu.version_r", 2, 1, 2));  // vn_cnt
  EXPECT_EQ(cut.dynamic->needs.back().version, "GLIBC_2.38");
  EXPECT_THAT(reasons(cut), odd_with("vn_cnt"));
  EXPECT_FALSE(any_fatal(few) || any_fatal(cut));
}

TEST(StringTableSize, IsNotWhatTheLoaderLooksAt) {
  const ElfFacts facts = facts_of(patched(plain(), dynamic(dt_strsz), 0, 1, 8));
  EXPECT_EQ(facts.dynamic->needed.at(0), "libc.so.6");
  EXPECT_EQ(facts.dynamic->needs.at(1).version, "GLIBC_2.38");
  EXPECT_THAT(reasons(facts), odd_with("beyond DT_STRSZ"));
  EXPECT_FALSE(any_fatal(facts));
}

TEST(Calls, ThatLeadToDataAreFatal) {
  const auto flaws_with = [](std::uint64_t tag, std::uint64_t value) {
    ElfRecipe recipe = plain();
    recipe.extra_dynamic = {{tag, value}};
    return facts_of(recipe);
  };
  const std::uint64_t code = test::build_elf(plain()).addresses.at(".text");
  const std::uint64_t data = test::build_elf(plain()).addresses.at(".data");
  for (const std::uint64_t tag : {12U, 13U}) {  // DT_INIT, DT_FINI
    EXPECT_THAT(reasons(flaws_with(tag, data)), fatal_with("not code"));
    EXPECT_FALSE(any_fatal(flaws_with(tag, code)));
    EXPECT_THAT(reasons(flaws_with(tag, 0x7FFFFFFFFFFF)), fatal_with("leads out of what is mapped"));
  }
}

// A constructor that a relative relocation moves to `target`.
ElfFacts with_constructor(const char* target) {
  constexpr std::uint64_t rela = 7, rela_size = 8, rela_entry = 9, init_array = 25, init_array_size = 27;
  ElfRecipe recipe;
  recipe.sections = {{".starts", std::string(8, '\0'), 3}, {".moves", std::string(24, '\0'), 2}};
  recipe.extra_dynamic = {{rela, 0}, {rela_size, 24}, {rela_entry, 24}, {init_array, 0}, {init_array_size, 8}};
  const auto addresses = test::build_elf(recipe).addresses;
  recipe.extra_dynamic[0].second = addresses.at(".moves");
  recipe.extra_dynamic[3].second = addresses.at(".starts");
  recipe.sections[1].bytes = test::encoded(recipe, addresses.at(".starts"), 8) + test::encoded(recipe, 8, 8) +
                             test::encoded(recipe, addresses.at(target), 8);  // R_X86_64_RELATIVE
  return facts_of(recipe);
}

// A relocation of that type, at an address that depends on the places of the tables. Everything may be written.
template <class Place>
std::vector<std::string> flaws_of_relocation(ElfRecipe recipe, Place place, std::uint64_t info) {
  recipe.textrel = true;
  recipe.sections.push_back({".moves", std::string(24, '\0'), 2});
  recipe.extra_dynamic = {{dt_rela, 0}, {dt_relasz, 24}, {dt_relaent, 24}};
  const auto addresses = test::build_elf(recipe).addresses;
  recipe.extra_dynamic[0].second = addresses.at(".moves");
  recipe.sections.back().bytes =
      test::encoded(recipe, place(addresses), 8) + test::encoded(recipe, info, 8) + test::encoded(recipe, 0, 8);
  return reasons(facts_of(recipe));
}
constexpr std::uint64_t relative = 8;  // R_X86_64_RELATIVE

TEST(Relocations, OfTablesThatAreReadLaterAreFatal) {
  ElfRecipe recipe = plain();
  recipe.sections = {{".free", std::string(64, '\0'), 3}};
  const auto at = [&](const char* table, std::int64_t plus) {
    return flaws_of_relocation(
        recipe, [&](const auto& addresses) { return addresses.at(table) + static_cast<std::uint64_t>(plus); },
        relative);
  };
  const auto is_told = fatal_with("1 relocations change tables that the loader reads later");
  EXPECT_THAT(at(".free", 0), Not(is_told));
  // The last symbol and its version, the bucket behind the Bloom filter, the last word of the relocation itself.
  for (const auto& [table, plus] :
       {std::pair(".dynsym", 24 * 3), {".gnu.version", 2 * 3}, {".gnu.hash", 24}, {".moves", 16}})
    EXPECT_THAT(at(table, plus), is_told) << table;
  EXPECT_THAT(at(".dynstr", -4), is_told) << "half of the word";
}

TEST(Relocations, ThatReachBeyondTheMemoryAreFatal) {
  ElfRecipe recipe = plain();
  recipe.extra_segments = {{.type = 1, .flags = 6, .address = 0x4000000, .memory_size = 16, .align = 0x1000}};
  const auto at = [&](std::uint64_t address, std::uint64_t type) {
    return flaws_of_relocation(recipe, [&](const auto&) { return address; }, type);
  };
  constexpr std::uint64_t word_of_32_bits = 10;  // R_X86_64_32
  EXPECT_THAT(at(0x4000FFC, relative), fatal_with("change what is not mapped"));
  EXPECT_THAT(at(0x4000FF8, relative), Not(fatal_with("change what is not mapped")));
  EXPECT_THAT(at(0x4000FFC, word_of_32_bits), Not(fatal_with("change what is not mapped")));
}

TEST(Relocations, OfThreadLocalVariablesThatNameOthersAreFatal) {
  const auto flaws_with = [](SymbolKind kind) {
    ElfRecipe recipe = plain();
    recipe.imports = {{.name = "variable", .kind = kind}};
    recipe.sections = {{".free", std::string(64, '\0'), 3}};
    constexpr std::uint64_t tpoff64 = 18, symbol = std::uint64_t{1} << 32;
    return flaws_of_relocation(recipe, [](const auto& addresses) { return addresses.at(".free"); }, symbol | tpoff64);
  };
  EXPECT_THAT(flaws_with(SymbolKind::Function),
              fatal_with("1 relocations of thread-local variables name other symbols"));
  EXPECT_THAT(flaws_with(SymbolKind::Tls), Not(fatal_with("name other symbols")));
}

TEST(Relocations, OfATypeThatDoesNotSuitTheSymbolAreFatal) {
  const auto flaws_of = [](std::uint64_t type, std::uint64_t shift = 0) {
    ElfRecipe recipe = plain();
    recipe.imports = {{.name = "function"}};
    recipe.sections = {{".free", std::string(64, '\0'), 3}};
    constexpr std::uint64_t symbol = std::uint64_t{1} << 32;
    return flaws_of_relocation(
        recipe, [&](const auto& addresses) { return addresses.at(".free") + shift; }, symbol | type);
  };
  constexpr std::uint64_t none = 0, copy = 5, jump_slot = 7, word_of_32_bits = 10, dtpoff64 = 17;
  for (const std::uint64_t type : {none, relative}) EXPECT_THAT(flaws_of(type), fatal_with("not looked up")) << type;
  EXPECT_THAT(flaws_of(copy), fatal_with("copies of data"));
  EXPECT_THAT(flaws_of(word_of_32_bits), fatal_with("store 32 bits"));
  EXPECT_THAT(flaws_of(dtpoff64), fatal_with("name other symbols"));
  EXPECT_THAT(flaws_of(jump_slot, 4), fatal_with("not aligned"));
  EXPECT_THAT(flaws_of(jump_slot), Not(Contains(testing::StartsWith("fatal"))));
}

TEST(Functions, OutsideOfTheCodeAreFatal) {
  const auto addresses = test::build_elf(plain()).addresses;
  const auto flaws_at = [](std::uint64_t value) {
    return reasons(facts_of(patched(plain(), ".dynsym", 24 * 3 + 8, value, 8)));  // behind two imports
  };
  EXPECT_THAT(flaws_at(addresses.at(".data")), fatal_with("functions lie in memory that is not code"));
  EXPECT_THAT(flaws_at(0x7FFFFFFF0000), fatal_with("functions lie in memory that is not code"));
  EXPECT_THAT(flaws_at(addresses.at(".text")), IsEmpty());
}

TEST(ThreadLocalBlock, HasTheVariablesAndTheBytesOfTheFile) {
  ElfRecipe recipe;
  recipe.needed = {"libc.so.6"};
  recipe.exports = {{.name = "variable", .kind = SymbolKind::Tls}};
  EXPECT_THAT(reasons(facts_of(recipe)), IsEmpty());
  EXPECT_THAT(reasons(facts_of(patched(recipe, ".dynsym", 24 + 8, 0x7FFFFFF0, 8))),
              fatal_with("lie behind the end of PT_TLS"));
  recipe.extra_segments = {{.type = 7, .memory_size = 16, .align = 8}};
  EXPECT_THAT(reasons(facts_of(recipe)), odd_with("several PT_TLS"));
}

TEST(ThreadLocalBlock, IsThereIfAVariableIsExported) {
  ElfRecipe recipe = plain();
  recipe.exports.push_back({.name = "variable", .kind = SymbolKind::Tls});
  EXPECT_THAT(reasons(facts_of(recipe)), IsEmpty());
  EXPECT_THAT(reasons(facts_of(patched(recipe, "phdr:PT_TLS", 0, 0, 4))), fatal_with("there is no PT_TLS"));
}

TEST(Calls, OfArraysThatLeadToDataAreFatal) {
  EXPECT_THAT(reasons(with_constructor(".starts")), fatal_with("not code"));
  EXPECT_FALSE(any_fatal(with_constructor(".text")));
}

TEST(Calls, OfAnArrayThatIsNotAlignedAreFatal) {
  const auto flaws_at = [](std::uint64_t shift) {
    ElfRecipe recipe = plain();
    recipe.extra_dynamic = {{25, test::build_elf(plain()).addresses.at(".data") + shift}, {27, 8}};
    return reasons(facts_of(recipe));
  };
  EXPECT_THAT(flaws_at(1), fatal_with("DT_INIT_ARRAY is not aligned"));
  EXPECT_THAT(flaws_at(0), Not(fatal_with("is not aligned")));
}

TEST(ThreadLocalBlock, OfMoreThanAThreadHasIsFatal) {
  const auto flaws_with = [](std::uint64_t size, std::uint64_t align) {
    ElfRecipe recipe = plain();
    recipe.extra_segments = {{.type = 7, .memory_size = size, .align = align}};
    return reasons(facts_of(recipe));
  };
  EXPECT_THAT(flaws_with(std::uint64_t{1} << 31, 8), fatal_with("bytes for each thread"));
  EXPECT_THAT(flaws_with(8, std::uint64_t{1} << 40), fatal_with("PT_TLS is aligned"));
  EXPECT_THAT(flaws_with(1 << 20, 64), IsEmpty());
}

TEST(Code, ThatTheLoaderClearsIsOdd) {
  const auto flaws_with = [](std::uint32_t flags) {
    ElfRecipe recipe = plain();
    recipe.extra_segments = {{.type = 1, .flags = flags, .address = 0x4000000, .memory_size = 16, .align = 0x1000}};
    return reasons(facts_of(recipe));
  };
  EXPECT_THAT(flaws_with(5), Contains(HasSubstr("clears the end of the code")));
  EXPECT_THAT(flaws_with(6), Not(Contains(HasSubstr("clears the end of the code"))));
}

TEST(StringTable, OutsideOfMemoryIsFatal) {
  const ElfFacts facts = facts_of(patched(plain(), dynamic(dt_strtab), 0, 0x7FFFFFFFFFFF, 8));
  EXPECT_THAT(reasons(facts), fatal_with("DT_STRTAB"));
  EXPECT_TRUE(facts.dynamic->needed.empty());
}

// Names are still read from pages that another table no longer needs.
TEST(StringTable, MayLieOverAnotherTable) {
  ElfRecipe recipe = plain();
  for (int i = 0; i < 8000; ++i) recipe.exports.push_back({.name = "offered_" + std::to_string(i)});
  const test::ElfImage image = test::build_elf(recipe);
  for (const char* const table : {".gnu.hash", ".dynsym", ".gnu.version"}) {
    const std::uint64_t address = image.addresses.at(table);
    const std::uint64_t size =
        image.addresses.at(".dynstr") > address ? image.addresses.at(".dynstr") - address : 60000;
    facts_of(patched(patched(recipe, dynamic(dt_strtab), 0, address, 8), dynamic(dt_strsz), 0, size + 60000, 8));
  }
}

TEST(SymbolTable, MayLieOverItsVersions) {
  ElfRecipe recipe = plain();
  for (int i = 0; i < 70000; ++i) recipe.exports.push_back({.name = "o" + std::to_string(i)});
  const std::uint64_t symbols = test::build_elf(recipe).addresses.at(".dynsym");
  facts_of(patched(recipe, dynamic(dt_versym), 0, symbols, 8));
}

TEST(RepeatedTag, TheLastOneCounts) {
  ElfRecipe recipe = plain();
  const test::ElfImage image = test::build_elf(recipe);
  recipe.extra_dynamic = {{dt_strtab, 0}, {dt_strtab, 0}};
  const std::uint64_t other = test::build_elf(recipe).addresses.at(".dynstr");
  recipe.extra_dynamic[1].second = other;
  const ElfFacts facts = facts_of(recipe);
  EXPECT_EQ(facts.dynamic->needed.at(0), "libc.so.6");
  EXPECT_THAT(reasons(facts), odd_with("DT_STRTAB is given more than once"));
  std::swap(recipe.extra_dynamic[0], recipe.extra_dynamic[1]);
  EXPECT_TRUE(facts_of(recipe).dynamic->needed.empty());
}

TEST(Names, ThatAreNotPlainTextAreOdd) {
  const auto named = [](const std::string& name) {
    ElfRecipe recipe = plain();
    recipe.soname = name;
    return reasons(facts_of(recipe));
  };
  for (const char* const name : {"lib\x1b[2J.so", "lib\n.so", "lib\x7f.so", "lib\xff.so", "lib\xe2\x80\xaeos.so"})
    EXPECT_THAT(named(name), odd_with("1 names contain control or invisible characters")) << name;
  for (const char* const name : {"libplain.so.1", "lib\xc3\xa4.so"}) EXPECT_THAT(named(name), IsEmpty()) << name;
}

TEST(Names, OfLibrariesAndVersionsAreBounded) {
  Limits limits;
  limits.library_names = 30;  // more than libc.so.6 three times, less than with the versions
  const ElfFacts facts = facts_of(plain(), limits);
  EXPECT_EQ(facts.dynamic->needed.size(), 1U);
  EXPECT_TRUE(facts.dynamic->needs.empty());
  EXPECT_THAT(reasons(facts), fatal_with("--limit library-name-bytes=N"));
}

TEST(SearchPath, OfTooManyDirectoriesIsFatalAndNotCalledEmpty) {
  ElfRecipe recipe = plain();
  recipe.rpath = "/a";
  recipe.runpath = std::string(4096, ':');
  const ElfFacts facts = facts_of(recipe);
  EXPECT_THAT(reasons(facts), testing::ElementsAre(AllOf(testing::StartsWith("fatal"), HasSubstr("4096 directories"))));
  EXPECT_TRUE(facts.dynamic->search.rpath.empty());
  recipe.runpath = std::string(4095, ':');
  EXPECT_EQ(facts_of(recipe).dynamic->search.runpath.size(), 4096U);
  recipe.runpath = "";
  EXPECT_THAT(reasons(facts_of(recipe)), odd_with("DT_RUNPATH is empty"));
}

TEST(Needed, GivenTwiceIsOneLibrary) {
  ElfRecipe recipe = plain();
  recipe.needed = {"libz.so.1", "libc.so.6", "libz.so.1"};
  EXPECT_THAT(facts_of(recipe).dynamic->needed, testing::ElementsAre("libz.so.1", "libc.so.6"));
}

TEST(DynamicEntries, AreBounded) {
  Limits limits;
  limits.dynamic_entries = 3;
  EXPECT_THAT(reasons(facts_of(plain(), limits)), fatal_with("more entries than the 3 that are read"));
}

TEST(VersionChain, ThatRunsInCirclesIsFatalAndEnds) {
  for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{0xFFFFFFF0}}) {
    const ElfFacts facts = facts_of(patched(plain(), ".gnu.version_r", 16 + 12, step, 4));  // vna_next
    EXPECT_THAT(reasons(facts), testing::AnyOf(fatal_with("vna_next"), fatal_with("DT_VERNEED leads out")));
  }
  ElfRecipe small = plain();
  small.machine = 3;
  small.bits = 32;  // where the sum wraps
  EXPECT_THAT(reasons(facts_of(patched(small, ".gnu.version_r", 16 + 12, 0xFFFFFFF0, 4))), fatal_with("vna_next"));
}

TEST(VersionRecord, OfAnotherVersionIsFatal) {
  EXPECT_THAT(reasons(facts_of(patched(plain(), ".gnu.version_r", 0, 2, 2))), fatal_with("Verneed record is 2"));
}

TEST(VersionHash, ThatIsNotOfItsNameIsFatal) {
  EXPECT_THAT(reasons(facts_of(patched(plain(), ".gnu.version_r", 16, 1, 4))), fatal_with("hash of a version"));
}

TEST(VersionRecords, AreBounded) {
  Limits limits;
  limits.version_records = 2;
  const ElfFacts facts = facts_of(plain(), limits);
  EXPECT_THAT(reasons(facts), fatal_with("more version records"));
  EXPECT_EQ(facts.dynamic->needs.size(), 1U);
}

TEST(VersionIndex, ThatNobodyGivesOutIsFatal) {
  EXPECT_THAT(reasons(facts_of(patched(plain(), ".gnu.version", 2, 99, 2))), fatal_with("version index above 3"));
}

TEST(VersionIndex, OfSymbolsWithoutAVersionIsNoVersions) {
  ElfRecipe recipe = plain();
  recipe.soname = "liboffered.so";
  recipe.defines = {{.version = "V_1", .symbols = {{.name = "of_v1"}}}};
  EXPECT_THAT(reasons(facts_of(recipe)), IsEmpty());
  // vd_ndx of the second record, behind the base
  EXPECT_THAT(reasons(facts_of(patched(recipe, ".gnu.version_d", 28 + 4, 1, 2))), odd_with("symbols that have none"));
}

TEST(VersionNeed, ThatIsHiddenIsOdd) {
  EXPECT_THAT(reasons(facts_of(patched(plain(), ".gnu.version_r", 16 + 6, 0x8002, 2))), odd_with("vna_other"));
}

TEST(Definition, HiddenWithAnIndexOfNobodyIsFatal) {
  const auto flaws_with = [](std::uint64_t number) {
    ElfRecipe recipe = plain();
    recipe.defines = {{.version = "V_1", .symbols = {{.name = "of_v1"}}}};
    // The index of the version becomes 9, so that those below are given to nobody.
    recipe = patched(recipe, ".gnu.version_d", 28 + 4, 9, 2);
    return reasons(facts_of(patched(recipe, ".gnu.version", 2 * 3, number, 2)));
  };
  EXPECT_THAT(flaws_with(0x8008), fatal_with("hidden without a version"));
  EXPECT_THAT(flaws_with(8), Not(fatal_with("hidden without a version")));
}

TEST(SymbolCount, SurvivesLyingHashTables) {
  ElfRecipe recipe = plain();
  recipe.hash = test::HashTables::Sysv;
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{0xFFFFFFFF}}) {
    const ElfFacts facts = facts_of(patched(recipe, ".hash", 4, count, 4));  // nchain
    EXPECT_EQ(facts.dynamic->imports.size(), 2U) << count;
    EXPECT_EQ(facts.dynamic->imports.at(1).name, "strlcpy");
  }
  const ElfFacts wild = facts_of(patched(plain(), ".gnu.hash", 0, 0x40000000, 4));  // nbuckets
  EXPECT_EQ(wild.dynamic->imports.size(), 2U);
  EXPECT_THAT(reasons(wild), fatal_with("DT_GNU_HASH"));
}

// tbb4py 2023.2.0: LLD lists _edata, _end and __bss_start in .dynsym before the symbols that are hashed.
TEST(HashTable, NeedNotLeadToWhatALinkerDefines) {
  const auto flaws_of = [](const std::string& name) {
    ElfRecipe recipe = plain();
    recipe.exports = {{.name = name}};
    return reasons(facts_of(patched(recipe, ".gnu.hash", 16, 0, 8)));  // the filter
  };
  EXPECT_THAT(flaws_of("offered"), odd_with("the hash table does not lead to them"));
  EXPECT_THAT(flaws_of("_edata"), IsEmpty());
}

TEST(SymbolCount, ComesFromRelocationsWhereNothingIsHashed) {
  for (const auto hash : {test::HashTables::Gnu, test::HashTables::None}) {
    ElfRecipe recipe = plain();
    recipe.exports.clear();
    recipe.hash = hash;
    recipe.strip_sections = true;
    recipe.imports = {{.name = "unbound", .bound = Bound::Never}};
    const ElfFacts facts = facts_of(recipe);
    EXPECT_EQ(facts.dynamic->symbol_count, 3U);
    EXPECT_EQ(facts.dynamic->imports.at(0).name, "unbound");
    EXPECT_THAT(reasons(facts), IsEmpty());
  }
}

TEST(SymbolCount, IsLimited) {
  Limits limits;
  limits.symbols = 2;
  const ElfFacts facts = facts_of(plain(), limits);
  EXPECT_THAT(reasons(facts), fatal_with("more than the 2"));
}

TEST(Relocations, OutsideOfMemoryAreFatal) {
  ElfRecipe recipe = plain();
  recipe.imports = {{.name = "datum", .kind = SymbolKind::Object}};
  EXPECT_THAT(reasons(facts_of(recipe)), IsEmpty());
  EXPECT_THAT(reasons(facts_of(patched(recipe, dynamic(dt_relasz), 0, std::uint64_t{1} << 60, 8))),
              fatal_with("DT_RELA"));
  EXPECT_THAT(reasons(facts_of(patched(recipe, dynamic(dt_rela), 0, 0x10, 8))), fatal_with("DT_RELA"));
  EXPECT_THAT(reasons(facts_of(patched(recipe, dynamic(dt_relaent), 0, 16, 8))), fatal_with("DT_RELAENT is 16"));
  EXPECT_THAT(reasons(facts_of(patched(recipe, ".rela.dyn", 12, 77777, 4))), fatal_with("outside the symbol table"));
  // R_X86_64_NONE: its symbol is read as well.
  EXPECT_THAT(reasons(facts_of(patched(recipe, ".rela.dyn", 8, std::uint64_t{77777} << 32, 8))),
              fatal_with("outside the symbol table"));
}

TEST(Relocations, WithoutTheTagThatGoesWithThemAreFatal) {
  // glibc 2.36 crashes with each of these.
  constexpr std::uint64_t dt_pltrel = 20, dt_pltrelsz = 2, unknown = 0x6FFFF000;
  const ElfFacts sizeless = facts_of(patched(plain(), dynamic(dt_pltrelsz), -8, unknown, 8));
  EXPECT_THAT(reasons(sizeless), fatal_with("DT_JMPREL but no DT_PLTRELSZ"));
  EXPECT_THAT(reasons(facts_of(patched(plain(), dynamic(dt_pltrel), 0, 3, 8))), fatal_with("DT_PLTREL is 3"));
}

TEST(LoadSegments, ThatNeedMoreThanAnAddressSpaceAreFatal) {
  EXPECT_THAT(reasons(facts_of(patched(plain(), "phdr:PT_LOAD", 40, std::uint64_t{1} << 50, 8))),
              fatal_with("more memory than a process has"));
}

TEST(BindNow, LooksEverythingUpAtLoad) {
  ElfRecipe recipe = plain();
  EXPECT_EQ(facts_of(recipe).dynamic->imports.at(0).bound, Bound::AtFirstCall);
  recipe.dt_flags = 8;
  EXPECT_EQ(facts_of(recipe).dynamic->imports.at(0).bound, Bound::AtLoad);
}

TEST(DynamicSegment, IsFoundByAddress) {
  const ElfFacts facts = facts_of(patched(plain(), "phdr:PT_DYNAMIC", 8, 0, 8));  // p_offset
  EXPECT_EQ(facts.dynamic->needs.size(), 2U);
  EXPECT_THAT(reasons(facts), odd_with("p_offset of PT_DYNAMIC"));
}

// Without its writable PT_LOAD flags. A program header has 56 bytes: p_type, p_flags, ...
std::string without_writable_memory(test::ElfImage image) {
  for (std::size_t at = image.offsets.at("phdr:PT_LOAD"); at + 56 <= image.bytes.size() && image.bytes[at] == 1;
       at += 56)
    if (image.bytes[at + 4] == 6) image.bytes[at + 4] = 4;
  return image.bytes;
}

// quippy_ase 0.10.2: patchelf moved the table of a program, and its end lies in a page of the next PT_LOAD.
TEST(DynamicSegment, OfAProgramIsWrittenToAtDtDebug) {
  ElfRecipe recipe = plain();
  recipe.type = 2;
  recipe.interp = "/lib64/ld-linux-x86-64.so.2";
  const auto crashes = fatal_with("ld.so writes to DT_DEBUG");
  EXPECT_THAT(reasons(facts_of_bytes(without_writable_memory(test::build_elf(recipe)))), testing::Not(crashes));
  recipe.debug = true;
  EXPECT_THAT(reasons(facts_of(recipe)), testing::Not(crashes));
  EXPECT_THAT(reasons(facts_of_bytes(without_writable_memory(test::build_elf(recipe)))), crashes);
}

// The loader maps whole pages.
TEST(DynamicSegment, InTheRestOfAPageHasNoFlaw) {
  const ElfRecipe recipe = plain();
  test::ElfImage image = test::build_elf(recipe);
  const std::uint64_t dynamic = image.offsets.at("phdr:PT_DYNAMIC"), table = image.addresses.at(".dynamic");
  for (std::size_t at = image.offsets.at("phdr:PT_LOAD"); image.bytes[at] == 1; at += 56) {
    std::uint64_t address = 0, size = 0;
    std::memcpy(&address, image.bytes.data() + at + 16, 8);
    std::memcpy(&size, image.bytes.data() + at + 32, 8);
    if (table - address >= size) continue;
    size = table - address;  // p_filesz and p_memsz end where the table begins
    std::memcpy(image.bytes.data() + at + 32, &size, 8);
    std::memcpy(image.bytes.data() + at + 40, &size, 8);
  }
  ASSERT_EQ(image.bytes[dynamic], 2);
  const ElfFacts facts = facts_of_bytes(image.bytes);
  EXPECT_EQ(facts.dynamic->needs.size(), 2U);
  EXPECT_THAT(reasons(facts), testing::Not(odd_with("p_offset of PT_DYNAMIC")));
}

TEST(DynamicSegment, OfNoBytesIsRefused) {
  const ElfFacts facts = facts_of(patched(plain(), "phdr:PT_DYNAMIC", 32, 0, 8));  // p_filesz
  EXPECT_THAT(reasons(facts), fatal_with("PT_DYNAMIC"));
  EXPECT_FALSE(facts.debug_only);
}

TEST(DynamicSegment, GoesOnToDtNull) {
  const ElfFacts facts = facts_of(patched(plain(), "phdr:PT_DYNAMIC", 32, 16, 8));
  EXPECT_EQ(facts.dynamic->needs.size(), 2U);
  EXPECT_THAT(reasons(facts), odd_with("beyond p_filesz"));
}

TEST(DynamicSegment, TheLastOneIsTaken) {
  ElfRecipe recipe = plain();
  recipe.extra_segments = {{.type = 2, .file_size = 16, .memory_size = 16}};
  const test::ElfImage image = test::build_elf(recipe);
  recipe.extra_segments[0].offset = image.offsets.at(".data");
  recipe.extra_segments[0].address = image.addresses.at(".data");  // zeros: an empty dynamic section
  const ElfFacts facts = facts_of(recipe);
  EXPECT_TRUE(facts.dynamic->needed.empty());
  EXPECT_THAT(reasons(facts), odd_with("there are 2 PT_DYNAMIC"));
}

TEST(LaterLoadSegment, IsMappedOverAnEarlierOne) {
  ElfRecipe recipe = plain();
  recipe.extra_segments = {{.type = 1, .flags = 6, .file_size = 4096, .memory_size = 4096, .align = 4096}};
  test::ElfImage image = test::build_elf(recipe);
  // A copy of the first page at the end of the file, with another version name, mapped at the address of the first
  // page.
  const std::size_t start = (image.bytes.size() + 4095) / 4096 * 4096;
  image.bytes.resize(start + 4096);
  std::copy_n(image.bytes.begin(), 4096, image.bytes.begin() + static_cast<std::ptrdiff_t>(start));
  image.bytes.replace(image.bytes.rfind("GLIBC_2.17"), 10, "GLIBC_2.99");
  recipe.extra_segments[0].offset = start;
  recipe.extra_segments[0].address = image.addresses.at(".dynstr") / 4096 * 4096;
  const std::string headers = test::make_elf(recipe).substr(0, image.offsets.at(".gnu.hash"));
  image.bytes.replace(0, headers.size(), headers);
  const ElfFacts facts = facts_of_bytes(image.bytes);
  EXPECT_EQ(facts.dynamic->needs.at(0).version, "GLIBC_2.99");
  EXPECT_THAT(reasons(facts), odd_with("overlap"));
}

// patchelf 0.17 splits what it moves into segments that begin within the last page of the one before.
TEST(LaterLoadSegment, MayContinueTheOneBeforeWithinAPage) {
  const auto split = [](std::uint64_t shift) {
    ElfRecipe recipe = plain();
    recipe.extra_segments = {{.type = 1, .flags = 6, .align = 4096}};
    test::ElfImage image = test::build_elf(recipe);
    std::size_t last = image.offsets.at("phdr:PT_LOAD");
    while (image.bytes[last + 56] == 1) last += 56;
    std::uint64_t offset = 0, address = 0, size = 0;
    std::memcpy(&offset, image.bytes.data() + last + 8, 8);
    std::memcpy(&address, image.bytes.data() + last + 16, 8);
    std::memcpy(&size, image.bytes.data() + last + 32, 8);
    const std::uint64_t half = size / 2;
    test::RecipeSegment& rest = recipe.extra_segments[0];
    rest.offset = offset + half + shift;
    rest.address = address + half;
    rest.file_size = rest.memory_size = size - half - shift;
    const std::string headers = test::make_elf(recipe).substr(0, image.offsets.at(".gnu.hash"));
    image.bytes.replace(0, headers.size(), headers);
    std::memcpy(image.bytes.data() + last + 32, &half, 8);
    std::memcpy(image.bytes.data() + last + 40, &half, 8);
    return reasons(facts_of_bytes(image.bytes));
  };
  EXPECT_THAT(split(0), Not(odd_with("overlap")));
  EXPECT_THAT(split(8), odd_with("overlap"));
}

TEST(Header, ThatTheLoaderRefusesIsFatal) {
  const auto broken = [](std::int64_t at, std::uint64_t value, int size) {
    return reasons(facts_of(patched(plain(), "ehdr", at, value, size)));
  };
  EXPECT_THAT(broken(4, 3, 1), fatal_with("class"));
  EXPECT_THAT(broken(5, 0, 1), fatal_with("byte order"));
  EXPECT_THAT(broken(6, 2, 1), fatal_with("version"));
  EXPECT_THAT(broken(7, 9, 1), fatal_with("EI_OSABI 9"));
  EXPECT_THAT(broken(9, 1, 1), fatal_with("padding"));
  EXPECT_THAT(broken(8, 0x024941, 3), fatal_with("EI_ABIVERSION is 65")) << "an AppImage is a program";
  EXPECT_THAT(broken(16, 9, 2), fatal_with("e_type 9"));
  EXPECT_THAT(broken(20, 7, 4), fatal_with("version"));
  EXPECT_THAT(broken(32, 1U << 30, 8), fatal_with("beyond the end"));
  EXPECT_THAT(broken(54, 32, 2), fatal_with("e_phentsize"));
  EXPECT_THAT(broken(56, 0, 2), fatal_with("no program headers"));
}

TEST(SectionHeaders, MayLieFreely) {
  for (const auto& [at, value, size] : {std::tuple{40, std::uint64_t{1} << 40, 8},
                                        {58, std::uint64_t{3}, 2},
                                        {60, std::uint64_t{0}, 2},
                                        {62, std::uint64_t{65535}, 2}})
    EXPECT_EQ(told(facts_of(patched(plain(), "ehdr", at, value, size))), told(facts_of(plain())));
}

TEST(TruncatedFile, IsFatalAtEveryLengthThatCutsASegment) {
  const std::string whole = test::make_elf(rich_recipe());
  ElfRecipe recipe = rich_recipe();
  const test::ElfImage image = test::build_elf(recipe);
  const std::uint64_t end = image.offsets.at(".data") + 16;
  for (std::uint64_t length = 4; length < end; ++length)
    ASSERT_TRUE(any_fatal(facts_of_bytes(whole.substr(0, length)))) << length;
  EXPECT_FALSE(any_fatal(facts_of_bytes(whole.substr(0, whole.size() - 64)))) << "the section headers are cut";
}

// With the sanitizers this detects reads outside of the file. The number of symbols is checked in any case.
TEST(AnyByte, MayBeAnything) {
  for (const NamedMachine& machine : {machines()[0], machines()[9]}) {
    const std::string whole = test::make_elf(on(machine, rich_recipe()));
    for (std::size_t at = 4; at < whole.size(); ++at)
      for (const int value : {0x00, 0xFF}) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(value);
        const ElfFacts facts = facts_of_bytes(bytes);
        const std::size_t symbols = facts.dynamic ? facts.dynamic->imports.size() + facts.dynamic->exports.size() : 0;
        ASSERT_LE(symbols, bytes.size() / 16);
        ASSERT_LE(facts.flaws.size(), 64U);
      }
  }
}

TEST(AnyWord, MayBeAnything) {
  const std::string whole = test::make_elf(rich_recipe());
  for (std::size_t at = 16; at + 8 <= whole.size(); at += 4)
    for (const std::uint64_t value : {0ULL, 1ULL, 0x7FFFFFFFULL, 0xFFFFFFFFULL, ~0ULL, ~0ULL - 4095, 0x2000ULL}) {
      std::string bytes = whole;
      bytes.replace(at, 8, test::encoded({}, value, 8));
      ASSERT_LE(facts_of_bytes(bytes).flaws.size(), 64U);
    }
}

}  // namespace
}  // namespace wheelcheck::elf
