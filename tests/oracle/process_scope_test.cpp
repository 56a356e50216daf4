// Scopes, flags and interposition, asked of ld.so and of predict.
#include <gtest/gtest.h>

#include "tests/oracle/process_world.h"

namespace wheelcheck::oracle {
namespace {

// A library that defines `f` and one whose `run` calls it.
constexpr const char* defines_f = "int f(void) { return 1; }";
constexpr const char* uses_f = "int f(void); int (*pointer)(void) = f; void run(void) { f(); }";

struct Now : ProcessWorld {
  Now() { environment("LD_BIND_NOW", "1"); }
};

TEST(RealProcess, LocalLibrariesDoNotSeeEachOther) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f}).make({.path = "b/b.so", .source = uses_f});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, GlobalLibraryServesLaterOnes) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f}).make({.path = "b/b.so", .source = uses_f});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

}  // namespace
}  // namespace wheelcheck::oracle
