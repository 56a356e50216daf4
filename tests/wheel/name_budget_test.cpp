// Tests the limit on what all ELF files of a wheel name.
#include "wheel/name_budget.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/facts.h"

namespace wheelcheck::wheel {
namespace {

using test::ElfBuilder;

// 4,000 libraries cost about 19 MB, so two such files are within the limit of a small wheel, and three are not.
ElfFacts naming(int libraries) {
  ElfBuilder elf("x.so");
  for (int i = 0; i < libraries; ++i) elf.needed("lib" + std::to_string(i) + ".so");
  return elf.build(MemberIndex{0}).facts;
}
std::vector<archive::Entry> entries(std::uint64_t packed) {
  std::vector<archive::Entry> all;
  all.push_back({.path = *MemberPath::parse("x.so"), .packed_size = packed});
  return all;
}
// The number of files whose names remain; -1 if the wheel is refused.
int kept(int files, std::uint64_t packed, int libraries = 4000) {
  const std::vector<archive::Entry> all = entries(packed);
  NameBudget budget(all);
  int read = 0;
  for (int i = 0; i < files; ++i) budget.admits(naming(libraries));
  if (budget.is_refused()) return -1;
  for (int i = 0; i < files; ++i) {
    ElfFacts facts = naming(libraries);
    budget.take(facts);
    EXPECT_EQ(facts.dynamic.has_value(), facts.flaws.empty()) << i;
    read += facts.dynamic ? 1 : 0;
  }
  return read;
}

TEST(NameBudget, ReadsFilesUpToTheLimit) {
  EXPECT_EQ(kept(2, 1000), 2);
  EXPECT_EQ(kept(5, 1000), 2);
}

TEST(NameBudget, GrowsWithThePackedSize) { EXPECT_EQ(kept(5, 1'000'000), 5); }

TEST(NameBudget, RefusesAWheelWithManyTimesAsMuch) {
  EXPECT_EQ(kept(8, 1000), 2);
  EXPECT_EQ(kept(10, 1000), -1);
}

TEST(NameBudget, KeepsFilesWithoutADynamicSectionBehindTheLimit) {
  const std::vector<archive::Entry> all = entries(1000);
  NameBudget budget(all);
  for (int i = 0; i < 3; ++i) {
    ElfFacts facts = naming(4000);
    budget.take(facts);
  }
  ElfFacts object;
  object.kind = ElfKind::Relocatable;
  budget.take(object);
  EXPECT_EQ(object.kind, ElfKind::Relocatable);
  EXPECT_TRUE(object.flaws.empty());
}

}  // namespace
}  // namespace wheelcheck::wheel
