// Compares the table with a map, for repeated names and names that differ in one letter.
#include "rules/symbols/name_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace wheelcheck::rules {
namespace {

TEST(NameTable, FindsWhatWasAddedAndNothingElse) {
  std::mt19937 random(11);
  for (const std::size_t count : {0, 1, 2, 3, 100, 5000}) {
    std::vector<std::string> added;
    for (std::size_t i = 0; i < count; ++i) added.push_back("_ZN4name" + std::to_string(random() % (count + 1)) + "E");
    NameTable table;
    for (const std::string& name : added) table.add(name);
    table.finish();
    std::map<std::string, std::size_t> numbers;
    ASSERT_EQ(table.numbers().size(), added.size());
    for (std::size_t i = 0; i < added.size(); ++i) {
      const std::size_t number = table.numbers()[i];
      EXPECT_EQ(table.find(added[i]), number);
      EXPECT_EQ(numbers.try_emplace(added[i], number).first->second, number);
    }
    EXPECT_EQ(table.size(), numbers.size());
    std::vector<bool> taken(table.size());
    for (const auto& [name, number] : numbers) {
      ASSERT_LT(number, table.size());
      EXPECT_FALSE(taken[number]) << name;
      taken[number] = true;
    }
    for (std::size_t i = 0; i <= count; ++i) {
      const std::string name = "_ZN4name" + std::to_string(i) + "E";
      EXPECT_EQ(table.find(name).has_value(), numbers.contains(name)) << name;
    }
    EXPECT_FALSE(table.find("").has_value());
  }
}

}  // namespace
}  // namespace wheelcheck::rules
