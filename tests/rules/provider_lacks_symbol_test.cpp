#include "tests/rules/scene.h"

namespace wheelcheck::test::provider_lacks_symbol_test {
namespace {

WheelFacts provider(const std::string& version, const std::vector<std::string>& symbols) {
  ElfBuilder library("bar/libbar.so.1");
  library.soname("libbar.so.1");
  for (const std::string& symbol : symbols) library.exports(symbol);
  return WheelBuilder("bar-" + version + "-py3-none-manylinux_2_17_x86_64.whl").elf(library).build();
}

struct Given {
  std::string version;
  std::vector<std::string> symbols;
};
std::vector<Finding> findings(const std::vector<Given>& providers, std::vector<std::string> requires_dist,
                              bool weak = false) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libbar.so.1").import("f1").import("f2")));
  for (Import& import : scene.wheel.elfs.front().facts.dynamic->imports) {
    import.bound = Bound::AtLoad;
    import.weak = weak;
  }
  scene.wheel.metadata = Metadata{.name = "foo", .version = "1.0", .requires_dist = std::move(requires_dist)};
  for (const Given& one : providers) scene.providers.push_back(provider(one.version, one.symbols));
  return scene.run("provider-lacks-symbol");
}

TEST(ProviderLacksSymbol, FiresOnTheLowestAllowedVersion) {
  const auto found = findings({{"10.0", {"f1", "f2"}}, {"9.0", {"f1"}}, {"8.0", {}}}, {"bar>=9"});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].message, "imports f2 of bar; Requires-Dist allows version 9.0, which lacks it");
  EXPECT_EQ(found[0].fix, "write `Requires-Dist: bar>=10.0`");
}

TEST(ProviderLacksSymbol, IsSilentWhereTheVersionIsExcluded) {
  EXPECT_TRUE(findings({{"10.0", {"f1", "f2"}}, {"9.0", {"f1"}}}, {"bar>=10"}).empty());
  EXPECT_TRUE(findings({{"10.0", {"f1", "f2"}}, {"9.0", {"f1"}}}, {}).empty());
  EXPECT_TRUE(findings({{"10.0", {"f1", "f2"}}, {"9.0", {"f1"}}}, {"bar; extra == 'x'"}).empty());
}

TEST(ProviderLacksSymbol, IsSilentWhereNothingIsProvedToBeMissing) {
  EXPECT_TRUE(findings({{"10.0", {"f1", "f2"}}, {"9.0", {"f1", "f2"}}}, {"bar"}).empty());
  EXPECT_TRUE(findings({{"9.0", {"f1"}}}, {"bar"}).empty());
  EXPECT_TRUE(findings({{"10.0", {"f1", "f2"}}, {"9.0", {"f1"}}}, {"bar"}, true).empty());
  EXPECT_TRUE(findings({}, {"bar"}).empty());
}

}  // namespace
}  // namespace wheelcheck::test::provider_lacks_symbol_test
