// Tests the module slot of PEP 703 and relocations for static TLS.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

ElfRecipe with_words(const NamedMachine& machine, const std::vector<std::uint64_t>& words) {
  ElfRecipe recipe = on(machine, {.exports = {{.name = "PyInit_x"}}});
  std::string bytes;
  for (const std::uint64_t word : words) bytes += test::encoded(recipe, word, machine.bits / 8);
  recipe.sections = {{.name = ".data.rel.ro", .bytes = bytes, .flags = 3}};
  return recipe;
}

class OnMachine : public testing::TestWithParam<NamedMachine> {};
INSTANTIATE_TEST_SUITE_P(Machines, OnMachine, testing::ValuesIn(machines()),
                         [](const auto& machine) { return machine.param.name; });

TEST_P(OnMachine, TheSlotIsSeenWithAndWithoutSections) {
  for (const bool stripped : {false, true}) {
    // {Py_mod_exec, 0x1234}, {Py_mod_gil, Py_MOD_GIL_NOT_USED}, {0, NULL}
    ElfRecipe recipe = with_words(GetParam(), {2, 0x1234, 4, 1, 0, 0});
    recipe.strip_sections = stripped;
    EXPECT_TRUE(facts_of(recipe).gil_slot);
    recipe = with_words(GetParam(), {4, 1, 2, 0x1234, 0, 0});
    recipe.strip_sections = stripped;
    EXPECT_TRUE(facts_of(recipe).gil_slot) << "in front";
    recipe = with_words(GetParam(), {2, 0x1234, 4, 0, 0, 0});
    recipe.strip_sections = stripped;
    EXPECT_FALSE(facts_of(recipe).gil_slot) << "Py_MOD_GIL_USED";
  }
}

TEST_P(OnMachine, TheSlotHasAnotherNumberSince315) {
  EXPECT_TRUE(facts_of(with_words(GetParam(), {85, 0x1234, 87, 1, 0, 0})).gil_slot);
  EXPECT_TRUE(facts_of(with_words(GetParam(), {87, 1, 109, 0x1234, 0, 0})).gil_slot);
  EXPECT_FALSE(facts_of(with_words(GetParam(), {87, 0, 0, 0})).gil_slot) << "Py_MOD_GIL_USED";
  EXPECT_FALSE(facts_of(with_words(GetParam(), {87, 1, 83, 9})).gil_slot) << "not a slot of a module";
}

// An array of PySlot: {id, flags, 0, value}, of 2, 2, 4 and 8 bytes.
ElfRecipe with_export_slots(const NamedMachine& machine, const std::vector<std::array<std::uint64_t, 3>>& slots) {
  ElfRecipe recipe = with_words(machine, {});
  recipe.exports = {{.name = "PyModExport_x"}};
  std::string bytes;
  for (const auto& [id, flags, value] : slots) {
    bytes += test::encoded(recipe, id, 2) + test::encoded(recipe, flags, 2) + std::string(4, '\0');
    bytes += test::encoded(recipe, value, machine.bits / 8);
    bytes.resize((bytes.size() + 7) / 8 * 8);
  }
  recipe.sections[0].bytes = bytes;
  return recipe;
}

TEST_P(OnMachine, TheSlotsThatPyModExportReturnsAreSeen) {
  EXPECT_TRUE(facts_of(with_export_slots(GetParam(), {{85, 0, 7}, {87, 4, 1}, {100, 2, 5}, {0, 0, 0}})).gil_slot);
  EXPECT_TRUE(facts_of(with_export_slots(GetParam(), {{4, 0, 1}, {0, 0, 0}})).gil_slot);
  EXPECT_FALSE(facts_of(with_export_slots(GetParam(), {{87, 4, 0}, {0, 0, 0}})).gil_slot) << "Py_MOD_GIL_USED";
  EXPECT_FALSE(facts_of(with_export_slots(GetParam(), {{87, 8, 1}, {0, 0, 0}})).gil_slot) << "no such flag";
}

TEST(GilSlot, IsAskedForInModulesOnly) {
  ElfRecipe recipe = with_words(machines()[0], {4, 1, 0, 0});
  recipe.exports = {{.name = "init"}};
  EXPECT_FALSE(facts_of(recipe).gil_slot);
}

TEST(GilSlot, IsNotSeenInReadOnlyDataOrAmongOtherNumbers) {
  ElfRecipe recipe = with_words(machines()[0], {4, 1, 0, 0});
  recipe.sections[0].flags = 2;
  EXPECT_FALSE(facts_of(recipe).gil_slot);
  EXPECT_FALSE(facts_of(with_words(machines()[0], {4, 1, 7, 9})).gil_slot);
  EXPECT_FALSE(facts_of(with_words(machines()[0], {4, 1})).gil_slot) << "the data ends";
}

struct Tls {
  NamedMachine machine;
  std::uint32_t type;
};
class StaticTls : public testing::TestWithParam<Tls> {};
INSTANTIATE_TEST_SUITE_P(Machines, StaticTls,
                         testing::Values(Tls{machines()[0], 18}, Tls{machines()[1], 14}, Tls{machines()[1], 37},
                                         Tls{machines()[2], 1030}, Tls{machines()[3], 19}, Tls{machines()[4], 73},
                                         Tls{machines()[6], 56}, Tls{machines()[7], 11}, Tls{machines()[8], 11}));

TEST_P(StaticTls, RelocationsAreCounted) {
  const auto& [machine, type] = GetParam();
  ElfRecipe recipe = on(machine, {.imports = {{.name = "a", .kind = SymbolKind::Tls, .bound = Bound::AtLoad},
                                              {.name = "b", .kind = SymbolKind::Tls, .bound = Bound::AtLoad}}});
  EXPECT_EQ(facts_of(recipe).dynamic->static_tls_relocations, 0U);
  const bool rel = machine.machine == 3 || machine.machine == 40;
  const int word = machine.bits / 8;
  // The second relocation of the table: first for its symbol, then for a variable of the same file, which has no
  // symbol.
  for (const std::uint64_t symbol : {2, 0}) {
    const std::uint64_t info = machine.bits == 64 ? symbol << 32 | type : symbol << 8 | type;
    recipe.patches = {{.at = rel ? ".rel.dyn" : ".rela.dyn",
                       .plus = word * (rel ? 3 : 4),
                       .bytes = test::encoded(recipe, info, word)}};
    EXPECT_EQ(facts_of(recipe).dynamic->static_tls_relocations, 1U) << symbol;
  }
}

}  // namespace
}  // namespace wheelcheck::elf
