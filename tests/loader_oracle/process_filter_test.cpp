// Compares DT_FILTER and DT_AUXILIARY in a process between ld.so and predict.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "tests/loader_oracle/dice.h"
#include "tests/loader_oracle/process_world.h"

namespace wheelcheck::oracle {
namespace {

constexpr const char* defines_f = "int f(void) { return 1; }";
constexpr const char* uses_f = "int f(void); int (*pointer)(void) = f; void run(void) { f(); }";
constexpr const char* defines_and_uses_f =
    "int f(void) { return 2; } int (*pointer)(void) = f; void run(void) { f(); }";

TEST(RealProcess, FilteeComesBeforeItsFilter) {
  for (const char* kind : {"-Wl,--filter=", "-Wl,--auxiliary="}) {
    Now world;
    world.make({.path = "a/libreal.so", .source = defines_f, .soname = "libreal.so"})
        .make({.path = "a/libfilter.so",
               .source = defines_f,
               .soname = "libfilter.so",
               .runpath = "$ORIGIN",
               .options = {kind + std::string("libreal.so")}})
        .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libfilter.so"}, .runpath = "$ORIGIN"})
        .make({.path = "b/b.so", .source = uses_f});
    world.open("ng:a/a.so").open("n:b/b.so");
    expect_alike(world);
  }
}

TEST(RealProcess, FilteeOfTheOpenedFileComesFirst) {
  Now world;
  world.make({.path = "a/libreal.so", .source = defines_f, .soname = "libreal.so"})
      .make({.path = "a/a.so",
             .source = defines_and_uses_f,
             .runpath = "$ORIGIN",
             .options = {"-Wl,--auxiliary=libreal.so"}});
  world.open("ng:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, MissingAuxiliaryIsIgnoredAndMissingFilteeIsNot) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_and_uses_f, .options = {"-Wl,--auxiliary=libnone.so"}})
      .make({.path = "b/b.so", .source = defines_and_uses_f, .options = {"-Wl,--filter=libnone.so"}});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, FilteeThatStoodBehindMovesForward) {
  Now world;
  world.make({.path = "a/libreal.so", .source = defines_f, .soname = "libreal.so"})
      .make({.path = "a/libfilter.so",
             .source = defines_f,
             .soname = "libfilter.so",
             .runpath = "$ORIGIN",
             .options = {"-Wl,--auxiliary=libreal.so"}})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libfilter.so", "a/libreal.so"}, .runpath = "$ORIGIN"});
  world.open("ng:a/a.so");
  expect_alike(world);
}

// Files of the same directory; each filters those in its list. A cycle is linked with a stub.
void make_filters(ProcessWorld& world, const std::vector<std::pair<std::string, std::vector<std::string>>>& files) {
  for (const auto& [name, filtees] : files) {
    std::vector<std::string> options;
    for (const std::string& filtee : filtees) options.push_back("-Wl,--filter=lib" + filtee + ".so");
    world.make({.path = "a/lib" + name + ".so",
                .source = "int of_" + name + "(void) { return 1; } " + defines_and_uses_f,
                .soname = "lib" + name + ".so",
                .runpath = "$ORIGIN",
                .options = options});
  }
}

// ld.so uses stack for each filtee. The test sets the limit, because it may run with any.
void limit_stack() {
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  constexpr rlim_t usual = rlim_t{8} << 20;
  limit.rlim_cur = std::min(limit.rlim_max, usual);
  setrlimit(RLIMIT_STACK, &limit);
}

TEST(RealProcess, FilesThatFilterEachOtherEndTheProcess) {
  limit_stack();
  {
    Now world;
    make_filters(world, {{"a", {"b"}}, {"b", {"a"}}, {"c", {}}});
    world.open("n:a/libc.so").open("n:a/liba.so").open("n:a/libc.so");
    expect_alike(world);
    EXPECT_TRUE(world.predicted().refused.starts_with("Segmentation fault"));
  }
  {
    Now world;
    make_filters(world, {{"a", {"b"}}, {"b", {"c"}}, {"c", {"d", "a"}}, {"d", {}}});
    world.open("n:a/libd.so").open("ng:a/libb.so");
    expect_alike(world);
    EXPECT_TRUE(world.predicted().refused.starts_with("Segmentation fault"));
  }
  {  // a cycle behind a need, and at program start
    Now world;
    make_filters(world, {{"a", {"b"}}, {"b", {"a"}}});
    world.make({.path = "a/x.so", .source = uses_f, .needed = {"a/liba.so"}, .runpath = "$ORIGIN"});
    world.environment("LD_PRELOAD", world.at("a/x.so").string());
    expect_alike(world);
    EXPECT_TRUE(world.predicted().refused.starts_with("Segmentation fault"));
  }
}

TEST(RealProcess, FilterOfItselfAndFiltersOfFiltersLoad) {
  {
    Now world;
    make_filters(world, {{"a", {"a"}}, {"b", {}}});
    world.open("ng:a/liba.so").open("n:a/libb.so");
    expect_alike(world);
  }
  {  // a diamond, and a filtee that needs its filter
    Now world;
    make_filters(world, {{"d", {}}, {"b", {"d"}}, {"c", {"d", "b"}}, {"a", {"b", "c"}}});
    world.make({.path = "a/libd.so",
                .source = defines_and_uses_f,
                .needed = {"a/liba.so", "a/libc.so"},
                .soname = "libd.so",
                .runpath = "$ORIGIN"});
    world.make({.path = "a/x.so", .source = uses_f, .needed = {"a/libc.so", "a/liba.so"}, .runpath = "$ORIGIN"});
    world.open("n:a/x.so").open("ng:a/libd.so").open("n:a/liba.so");
    expect_alike(world);
  }
}

// Each of a few files may need or filter any other; most results are not cycles.
TEST(RealProcess, RandomFiltersAreUnderstoodAlike) {
  limit_stack();
  constexpr unsigned worlds = 40, files = 5;
  unsigned ended = 0;
  for (unsigned seed = 0; seed < worlds; ++seed) {
    Dice dice(seed + 5000);
    const auto any = [&] { return "lib" + std::to_string(dice.below(files)) + ".so"; };
    Now world;
    for (unsigned i = 0; i < files; ++i) {
      const std::string name = "lib" + std::to_string(i) + ".so";
      Made made{.path = "a/" + name, .source = defines_and_uses_f, .soname = name, .runpath = "$ORIGIN"};
      for (unsigned count = dice.below(3); count != 0; --count) made.needed.push_back(any());
      // One random number per statement, because the evaluation order of + is unspecified.
      for (unsigned count = dice.below(3); count != 0; --count) {
        const std::string filtee = dice.one_in(20) ? "libnone.so" : any();
        made.options.push_back((dice.one_in(2) ? "-Wl,--filter=" : "-Wl,--auxiliary=") + filtee);
      }
      world.make(made);
    }
    for (unsigned count = 3; count != 0; --count) {
      const std::string opened = any();
      world.open((dice.one_in(2) ? "ng:a/" : "n:a/") + opened);
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_alike(world);
    ended += world.predicted().refused.empty() ? 0 : 1;
  }
  EXPECT_GT(ended, worlds / 10);
  EXPECT_LT(ended, worlds * 3 / 4);
}

TEST(RealProcess, LongChainOfFiltersLoads) {
  std::vector<std::pair<std::string, std::vector<std::string>>> files{{"0", {}}};
  for (int i = 1; i < 40; ++i) files.push_back({std::to_string(i), {std::to_string(i - 1)}});
  Now world;
  make_filters(world, files);
  world.open("n:a/lib20.so").open("ng:a/lib39.so");
  expect_alike(world);
}

}  // namespace
}  // namespace wheelcheck::oracle
