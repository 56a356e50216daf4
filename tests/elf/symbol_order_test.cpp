// Tests a file whose symbol names are larger than a CPU cache: its symbols are sorted by the place of their names, and
// none is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t symbols = 6000;

// More than 1 MiB in total; each name contains its number.
std::string name_of(std::size_t number) { return 'f' + std::to_string(number) + std::string(200, 'x'); }
std::size_t number_of(std::string_view name) { return std::stoul(std::string(name.substr(1))); }

ElfRecipe large_recipe() {
  ElfRecipe recipe{.needed = {"libc.so.6"}};
  for (std::size_t i = 0; i < symbols; ++i) {
    const bool requested = i % 7 == 0;
    recipe.exports.push_back({.name = name_of(i),
                              .weak = i % 3 == 0,
                              .bound = requested ? std::optional(Bound::AtLoad) : std::nullopt,
                              .size = i + 1});
  }
  for (std::size_t i = symbols; i < 2 * symbols; ++i)
    recipe.imports.push_back({.name = name_of(i), .weak = i % 3 == 0});
  return recipe;
}

TEST(ManyNames, StandByTheirPlaces) {
  const ElfFacts facts = facts_of(large_recipe());
  const auto rises = [](const auto& list) {
    const char* last = nullptr;
    std::size_t back = 0;
    for (const auto& symbol : list) {
      if (last != nullptr && symbol.name.data() + 512 < last) ++back;
      last = symbol.name.data();
    }
    return back == 0;
  };
  EXPECT_TRUE(rises(facts.dynamic->exports));
  EXPECT_TRUE(rises(facts.dynamic->imports));
}

TEST(ManyNames, KeepWhatIsSaidOfEach) {
  const ElfFacts facts = facts_of(large_recipe());
  std::set<std::size_t> seen;
  for (const Export& symbol : facts.dynamic->exports) {
    const std::size_t number = number_of(symbol.name);
    EXPECT_EQ(symbol.name, name_of(number));
    EXPECT_EQ(symbol.size, number + 1);
    EXPECT_EQ(symbol.binding, number % 3 == 0 ? Binding::Weak : Binding::Global);
    EXPECT_EQ(symbol.bound, number % 7 == 0 ? Bound::AtLoad : Bound::Never);
    seen.insert(number);
  }
  for (const Import& symbol : facts.dynamic->imports) {
    const std::size_t number = number_of(symbol.name);
    EXPECT_EQ(symbol.name, name_of(number));
    EXPECT_EQ(symbol.weak, number % 3 == 0);
    seen.insert(number);
  }
  EXPECT_EQ(seen.size(), 2 * symbols);
  EXPECT_EQ(facts.dynamic->exports.size(), symbols);
  EXPECT_EQ(facts.dynamic->imports.size(), symbols);
}

// The numbers of the symbols that relocations reference, own ones and others.
std::multiset<std::size_t> referred(const ElfFacts& facts) {
  std::multiset<std::size_t> numbers;
  for (const Reference& reference : facts.dynamic->references)
    numbers.insert(number_of(reference.own ? facts.dynamic->exports.at(reference.symbol).name
                                           : facts.dynamic->imports.at(reference.symbol).name));
  return numbers;
}

std::multiset<std::size_t> asked_for() {
  std::multiset<std::size_t> numbers;
  for (std::size_t i = 0; i < symbols; i += 7) numbers.insert(i);
  for (std::size_t i = symbols; i < 2 * symbols; ++i) numbers.insert(i);
  return numbers;
}

TEST(ManyNames, AreWhatRelocationsMean) { EXPECT_EQ(referred(facts_of(large_recipe())), asked_for()); }

TEST(ManyNames, LeaveNoGapWhereOneIsEmpty) {
  ElfRecipe recipe = large_recipe();
  for (std::size_t i = 5; i < symbols; i += 1000) recipe.exports[i].name.clear();
  for (std::size_t i = symbols + 5; i < 2 * symbols; i += 1000) recipe.imports[i - symbols].name.clear();
  const ElfFacts facts = facts_of(recipe);
  EXPECT_EQ(facts.dynamic->exports.size(), symbols - 6);
  EXPECT_EQ(facts.dynamic->imports.size(), symbols - 6);
  for (const Export& symbol : facts.dynamic->exports) EXPECT_EQ(symbol.size, number_of(symbol.name) + 1);
  std::multiset<std::size_t> expected = asked_for();
  for (std::size_t i = 5; i < 2 * symbols; i += 1000) expected.erase(i);
  EXPECT_EQ(referred(facts), expected);
}

}  // namespace
}  // namespace wheelcheck::elf
