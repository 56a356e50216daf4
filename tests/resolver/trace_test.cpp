// Tests the steps of a load: which file loads a library first, and whether its user could find it itself.
#include <gtest/gtest.h>

#include "tests/resolver/support.h"

namespace wheelcheck::test {
namespace {

ElfBuilder library(const std::string& path) { return ElfBuilder(path).soname(path.substr(path.rfind('/') + 1)); }

std::string path_of(const WheelFacts& wheel, ElfRef ref) {
  return wheel.members[wheel.elfs[ref.elf.value].member.value].path.text();
}

// USER NAME [PROVIDER] [before USER] [lucky]
std::vector<std::string> steps(const WheelFacts& wheel, std::string_view root) {
  const ElfIndex roots[] = {elf_at(wheel, root)};
  std::vector<std::string> out;
  const std::vector<Load> loads = trace(wheel, {}, {}, roots);
  for (const Load::Need& need : loads.front().needs) {
    std::string& step = out.emplace_back(path_of(wheel, need.user) + ' ' + std::string(need.found.name));
    if (need.found.provider) step += ' ' + path_of(wheel, *need.found.provider);
    if (need.first) step += " before " + path_of(wheel, *need.first);
    if (!need.own_search) step += " lucky";
  }
  return out;
}
using Steps = std::vector<std::string>;

TEST(Trace, SaysWhoBroughtAFileInAndWhoRelyOnThat) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liby.so").needed("libz.so").runpath("$ORIGIN"),
                                     library("p/liby.so").needed("liba.so").runpath("$ORIGIN/lib"),
                                     library("p/libz.so").needed("liba.so"), library("p/lib/liba.so")});
  EXPECT_EQ(steps(wheel, "p/x.so"),
            (Steps{"p/x.so liby.so p/liby.so", "p/x.so libz.so p/libz.so", "p/liby.so liba.so p/lib/liba.so",
                   "p/libz.so liba.so p/lib/liba.so before p/liby.so lucky"}));
  EXPECT_EQ(steps(wheel, "p/libz.so"), (Steps{"p/libz.so liba.so"}));
}

TEST(Trace, CallsNobodyLuckyWhoseOwnSearchWouldDo) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liby.so").needed("libz.so").runpath("$ORIGIN"),
                                     library("p/liby.so").needed("libz.so").runpath("$ORIGIN"), library("p/libz.so")});
  EXPECT_EQ(steps(wheel, "p/x.so"), (Steps{"p/x.so liby.so p/liby.so", "p/x.so libz.so p/libz.so",
                                           "p/liby.so libz.so p/libz.so before p/x.so"}));
}

TEST(Trace, CountsTheRpathOfWhoLoadedTheUser) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liby.so").needed("libz.so").rpath("$ORIGIN"),
                                     library("p/liby.so").needed("libz.so"), library("p/libz.so")});
  EXPECT_EQ(steps(wheel, "p/x.so").back(), "p/liby.so libz.so p/libz.so before p/x.so");
}

TEST(Trace, KnowsTheRootAgain) {
  const WheelFacts wheel =
      wheel_of({library("p/x.so").needed("liby.so").rpath("$ORIGIN"), library("p/liby.so").needed("x.so")});
  EXPECT_EQ(steps(wheel, "p/x.so"), (Steps{"p/x.so liby.so p/liby.so", "p/liby.so x.so p/x.so"}));
}

TEST(Trace, FollowsTheNeedsOfOtherWheels) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("libq.so").runpath("$ORIGIN/../q")});
  std::vector<WheelFacts> providers;
  providers.push_back(wheel_of({library("q/libq.so").needed("libr.so").runpath("$ORIGIN"), library("q/libr.so")},
                               "q-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"));
  const ElfIndex roots[] = {elf_at(wheel, "p/x.so")};
  const std::vector<Load> loads = trace(wheel, providers, {}, roots);
  ASSERT_EQ(loads.front().needs.size(), 2U);
  EXPECT_EQ(loads.front().needs[0].found.found, Found::InProvider);
  EXPECT_EQ(loads.front().needs[1].user.wheel.value, 1U);
  EXPECT_EQ(loads.front().needs[1].found.name, "libr.so");
}

}  // namespace
}  // namespace wheelcheck::test
