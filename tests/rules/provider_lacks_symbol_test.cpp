#include <fmt/format.h>

#include <map>

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

// torchcodec 0.9.1 requires no torch, and torchvision 0.20.1 another one than the 2.10.0 that is given. A namespace
// that is the provider's shows that its libraries should have the name.
TEST(ProviderLacksSymbol, ComparesTheOnlyVersionThatIsGivenByItsNamespace) {
  const auto found = [](std::vector<std::string> requires_dist, unsigned names) {
    std::vector<std::string> symbols;
    for (unsigned i = 0; i < names; ++i) symbols.push_back(fmt::format("_ZN3c104f{:03}Ev", i));
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(ElfBuilder(module_so)
                             .needed("libbar.so.1")
                             .needed("libavutil.so.60")  // of the system, and not here
                             .import("_ZN3c1013MessageLoggerC1EPKcii")
                             .import("avcodec_open2")));
    scene.wheel.elfs.front().facts.dynamic->imports.front().bound = Bound::AtLoad;
    scene.wheel.metadata = Metadata{.name = "foo", .version = "1.0", .requires_dist = std::move(requires_dist)};
    scene.providers.push_back(provider("2.10.0", symbols));
    return scene.run("provider-lacks-symbol");
  };
  const std::string name = "imports c10::MessageLogger::MessageLogger(char const*, int, int) of bar";
  for (const auto& [line, message] : std::map<std::string, std::string>{
           {"bar", "; Requires-Dist allows version 2.10.0, which lacks it"},
           {"bar==2.5.1", ", which version 2.10.0 lacks; Requires-Dist excludes that version"},
           {"other", ", which version 2.10.0 lacks"}}) {
    ASSERT_EQ(found({line}, 30).size(), 1U) << line;
    EXPECT_EQ(found({line}, 30)[0].message, name + message);
  }
  EXPECT_EQ(found({"bar==2.5.1"}, 30)[0].fix, "install a version that METADATA allows: pip install bar==2.5.1");
  EXPECT_TRUE(found({"bar"}, 10).empty());
}

}  // namespace
}  // namespace wheelcheck::test::provider_lacks_symbol_test
