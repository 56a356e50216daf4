// Compares every step of a load, with the search path that found a library, between LD_DEBUG=libs,files and trace.
#include <gtest/gtest.h>

#include "tests/loader_oracle/world.h"

namespace wheelcheck::oracle {
namespace {

Object library(const std::string& path, std::vector<std::string> needed = {}) {
  return {.path = path, .needed = std::move(needed), .soname = path.substr(path.rfind('/') + 1)};
}

void expect_steps(const World& world, const std::string& root, const std::vector<std::string>& steps) {
  EXPECT_EQ(world.real_steps(root), steps) << "ld.so";
  EXPECT_EQ(world.predicted_steps(root), steps) << "trace";
}

TEST(RealSteps, NameTheSearchPathThatFound) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so", "libb.so"}, .runpath = "$ORIGIN/none:$ORIGIN/../p.libs:$ORIGIN"});
  world.link(library("p.libs/liba.so"));
  world.link({.path = "p/libb.so", .needed = {"liba.so", "libd.so"}, .soname = "libb.so", .runpath = "$ORIGIN/deep"});
  world.link(library("p/deep/libd.so"));
  expect_steps(
      world, "p/x.so",
      {"p/x.so needs liba.so: p.libs/liba.so, RUNPATH of p/x.so", "p/x.so needs libb.so: p/libb.so, RUNPATH of p/x.so",
       "p/libb.so needs libd.so: p/deep/libd.so, RUNPATH of p/libb.so"});
}

TEST(RealSteps, NameTheFileWhoseRpathIsInherited) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .rpath = "$ORIGIN/lib"});
  world.link(
      {.path = "p/lib/liba.so", .needed = {"libb.so", "libc1.so"}, .soname = "liba.so", .rpath = "$ORIGIN/more"});
  world.link(library("p/lib/libb.so", {"libd.so"}));
  world.link(library("p/lib/more/libc1.so"));
  world.link(library("p/lib/more/libd.so"));
  expect_steps(world, "p/x.so",
               {"p/x.so needs liba.so: p/lib/liba.so, RPATH of p/x.so",
                "p/lib/liba.so needs libb.so: p/lib/libb.so, RPATH of p/x.so",
                "p/lib/liba.so needs libc1.so: p/lib/more/libc1.so, RPATH of p/lib/liba.so",
                "p/lib/libb.so needs libd.so: p/lib/more/libd.so, RPATH of p/lib/liba.so"});
}

TEST(RealSteps, LeaveOutWhatIsLoadedAlready) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba-1f2e.so", "libb.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liba-1f2e.so", .soname = "liba.so"});
  world.link(library("p/libb.so", {"liba.so", "liba-1f2e.so"}));
  expect_steps(world, "p/x.so",
               {"p/x.so needs liba-1f2e.so: p/liba-1f2e.so, RUNPATH of p/x.so",
                "p/x.so needs libb.so: p/libb.so, RUNPATH of p/x.so"});
}

TEST(RealSteps, EndWhereNothingIsFound) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN"});
  world.link(library("p/liba.so", {"libghost.so"}));
  expect_steps(world, "p/x.so",
               {"p/x.so needs liba.so: p/liba.so, RUNPATH of p/x.so", "p/liba.so needs libghost.so: nothing"});
}

// A "lucky" file does not load if no other file loads its needs first.
TEST(RealSteps, OfALuckyFileByItselfEndInNothing) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liby.so", "libz.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liby.so", .needed = {"liba.so"}, .soname = "liby.so", .runpath = "$ORIGIN/lib"});
  world.link(library("p/libz.so", {"liba.so"}));
  world.link(library("p/lib/liba.so"));
  expect_loads(world, "p/x.so", {"p/liby.so", "p/libz.so", "p/lib/liba.so"});
  EXPECT_EQ(world.lucky("p/x.so"), std::vector<std::string>{"p/libz.so needs liba.so"});
  expect_steps(world, "p/libz.so", {"p/libz.so needs liba.so: nothing"});
}

}  // namespace
}  // namespace wheelcheck::oracle
