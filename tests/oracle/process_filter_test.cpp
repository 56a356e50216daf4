// DT_FILTER and DT_AUXILIARY in a process, asked of ld.so and of predict.
#include <gtest/gtest.h>

#include "tests/oracle/process_world.h"

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

}  // namespace
}  // namespace wheelcheck::oracle
