// What is kept of names, and passes over symbols that go by it.
#include "wheelcheck/name_sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "model/each_symbol.h"
#include "wheelcheck/elf.h"

namespace wheelcheck {
namespace {

using testing::ElementsAre;

TEST(NameSketch, TellsMangledNames) {
  EXPECT_TRUE(NameSketch("_Z3foov").mangled());
  EXPECT_TRUE(NameSketch("_Z").mangled());
  for (const char* const name : {"", "_", "Z3foov", "__Z3foov", "PyInit_x", "_PyInit_x"}) {
    EXPECT_FALSE(NameSketch(name).mangled()) << name;
    EXPECT_TRUE(NameSketch(name).known()) << name;
  }
  EXPECT_FALSE(NameSketch().known());
}

TEST(NameSketch, HashesTheLengthAndTheEnd) {
  const NameSketch one("_ZN4llvm5Value4dumpEv");
  EXPECT_EQ(one.hash(), NameSketch("_ZN4mlir5Value4dumpEv").hash());
  EXPECT_NE(one.hash(), NameSketch("_ZN4llvm6XValue4dumpEv").hash());
  EXPECT_NE(one.hash(), NameSketch("_ZN4llvm5Value4dumpEi").hash());
  EXPECT_NE(NameSketch("a").hash(), NameSketch("b").hash());
  std::set<std::uint32_t> hashes;
  for (int i = 0; i < 1000; ++i) hashes.insert(NameSketch("cblas_" + std::to_string(i)).hash());
  EXPECT_GT(hashes.size(), 990U);
  EXPECT_LT(*hashes.rbegin(), 1U << NameSketch::hash_bits);
}

TEST(NameSketch, IsMadeWhereNobodyMadeIt) {
  const Export bare{.name = "_Z3foov"};
  EXPECT_TRUE(sketch_of(bare).mangled());
  Export kept{.name = "_Z3foov", .sketch = NameSketch("foo")};
  EXPECT_FALSE(sketch_of(kept).mangled());
}

TEST(EachSymbol, VisitsThoseThatAreWanted) {
  std::vector<Export> symbols;
  for (const char* const name : {"a", "_Z1bv", "c", "_Z1dv", "e"}) symbols.push_back({.name = name});
  for (int i = 0; i < 30; ++i) symbols.push_back({.name = "_Z1fv"});
  symbols.push_back({.name = "g"});
  std::vector<std::string> seen;
  each_symbol(symbols, is_plain_symbol, [&](const Export& symbol) { seen.emplace_back(symbol.name); });
  EXPECT_THAT(seen, ElementsAre("a", "c", "e", "g"));
  seen.clear();
  EXPECT_TRUE(any_symbol(symbols, is_plain_symbol, [&](const Export& symbol) {
    seen.emplace_back(symbol.name);
    return symbol.name == "c";
  }));
  EXPECT_THAT(seen, ElementsAre("a", "c"));
  EXPECT_FALSE(any_symbol(symbols, is_plain_symbol, [](const Export& symbol) { return symbol.name == "_Z1bv"; }));
}

}  // namespace
}  // namespace wheelcheck
