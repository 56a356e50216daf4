// Compares ld.so and predict: the file that a name leads to, failures and their undo, and lazy look-ups.
#include <gtest/gtest.h>

#include "tests/loader_oracle/process_world.h"

namespace wheelcheck::oracle {
namespace {

constexpr const char* defines_f = "int f(void) { return 1; }";
constexpr const char* uses_f = "int f(void); int (*pointer)(void) = f; void run(void) { f(); }";
constexpr const char* calls_f = "int f(void); void run_f(void) { f(); }";
const std::string unique_u =
    "asm(\".data; .globl u; .type u, @gnu_unique_object; .size u, 4; u: .zero 4; .previous\");\n"
    "extern int u; int* at_u = &u;\n";

TEST(RealProcess, LoadedSonameServesEverybodyThoughAllIsLocal) {
  Now world;
  world.make({.path = "a/libs/libz1.so", .source = defines_f, .soname = "libz1.so"})
      .make({.path = "b/libs/libz1.so", .source = defines_f, .soname = "libz1.so"})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libs/libz1.so"}, .runpath = "$ORIGIN/libs"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"b/libs/libz1.so"}, .runpath = "$ORIGIN/libs"});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, DisplacedLibraryMayLackASymbol) {
  Now world;
  world.make({.path = "a/libs/libz1.so", .source = "int g(void) { return 1; }", .soname = "libz1.so"})
      .make({.path = "b/libs/libz1.so", .source = defines_f, .soname = "libz1.so"})
      .make({.path = "a/a.so", .source = "int a;", .needed = {"a/libs/libz1.so"}, .runpath = "$ORIGIN/libs"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"b/libs/libz1.so"}, .runpath = "$ORIGIN/libs"});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, RenamedFileWithItsOldSonameStillServes) {
  Now world;
  world.make({.path = "a/libz1-abcd.so", .source = defines_f, .soname = "libz1.so"})
      .make({.path = "b/libs/libz1.so", .source = defines_f, .soname = "libz1.so"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"b/libs/libz1.so"}, .runpath = "$ORIGIN/libs"});
  world.open("n:a/libz1-abcd.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, RewrittenSonameKeepsLibrariesApart) {
  Now world;
  world.make({.path = "a/libz1-abcd.so", .source = defines_f, .soname = "libz1-abcd.so"})
      .make({.path = "b/libz1-beef.so", .source = defines_f, .soname = "libz1-beef.so"})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libz1-abcd.so"}, .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"b/libz1-beef.so"}, .runpath = "$ORIGIN"});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, PathAloneDoesNotMakeTheBareNameKnown) {
  Now world;
  world.make({.path = "a/libn.so", .source = defines_f})
      .make({.path = "b/libn.so", .source = defines_f})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"b/libn.so"}, .runpath = "$ORIGIN"});
  world.open("n:a/libn.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, BeingNeededMakesTheBareNameKnown) {
  Now world;
  world.make({.path = "a/libn.so", .source = defines_f})
      .make({.path = "b/libn.so", .source = defines_f})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libn.so"}, .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"b/libn.so"}, .runpath = "$ORIGIN"});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, LinkToALoadedFileIsThatFileAndOneMoreName) {
  Now world;
  world.make({.path = "a/real.so", .source = defines_f})
      .link("b/libn.so", "../a/real.so")
      .make({.path = "c/libn.so", .source = defines_f})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"c/libn.so"}, .runpath = "$ORIGIN"})
      .make({.path = "c/c.so", .source = uses_f, .needed = {"c/libn.so"}, .runpath = "$ORIGIN"});
  world.open("n:a/real.so").open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, CopyIsAnotherFile) {
  Now world;
  world.make({.path = "a/a.so", .source = "int f(void) { return 1; } int (*pointer)(void) = f;"})
      .copy("b/a.so", "a/a.so");
  world.open("n:a/a.so").open("n:b/a.so");
  expect_alike(world);
}

TEST(RealProcess, WheelMayWorkOnlyBecauseAnotherLoadedTheName) {
  for (const bool helped : {false, true}) {
    Now world;
    world.make({.path = "a/libs/libz1.so", .source = defines_f, .soname = "libz1.so"})
        .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libs/libz1.so"}, .runpath = "$ORIGIN/libs"})
        .make({.path = "b/b.so", .source = uses_f, .needed = {"libz1.so"}});
    if (helped) world.open("n:a/a.so");
    world.open("n:b/b.so");
    expect_alike(world);
  }
}

TEST(RealProcess, RpathIsInheritedAndRunpathIsNot) {
  for (const bool old : {true, false}) {
    Now world;
    world.make({.path = "lib/libdeep.so", .source = defines_f, .soname = "libdeep.so"})
        .make({.path = "lib/libmid.so", .source = uses_f, .needed = {"lib/libdeep.so"}, .soname = "libmid.so"})
        .make({.path = "a/a.so",
               .source = "int a;",
               .needed = {"lib/libmid.so"},
               .rpath = old ? "$ORIGIN/../lib" : "",
               .runpath = old ? "" : "$ORIGIN/../lib"});
    world.open("n:a/a.so");
    expect_alike(world);
  }
}

TEST(RealProcess, RpathOfTheProgramServesEverybody) {
  Now world;
  world.make({.path = "lib/libz1.so", .source = defines_f, .soname = "libz1.so"})
      .program({.source = "", .rpath = "$ORIGIN/../lib", .options = {"-fPIE", "-pie"}})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"libz1.so"}})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"libz2.so"}, .runpath = "/nowhere"});
  world.open("n:libz1.so").open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, LibraryPathBeatsRunpathAndLosesToRpath) {
  for (const bool old : {true, false}) {
    Now world;
    world.make({.path = "mine/libz1.so", .source = defines_f, .soname = "libz1.so"})
        .make({.path = "env/libz1.so", .source = defines_f, .soname = "libz1.so"})
        .make({.path = "a/a.so",
               .source = uses_f,
               .needed = {"mine/libz1.so"},
               .rpath = old ? "$ORIGIN/../mine" : "",
               .runpath = old ? "" : "$ORIGIN/../mine"});
    world.environment("LD_LIBRARY_PATH", "/nowhere:" + world.at("env").string()).open("n:a/a.so");
    expect_alike(world);
  }
}

TEST(RealProcess, CallerLendsItsSearchPathAndNotItsScope) {
  Now world;
  world.make({.path = "b/libplug.so", .source = uses_f, .soname = "libplug.so"})
      .make({.path = "a/a.so",
             .source = "void* dlopen(const char*, int); int f(void) { return 1; }\n"
                       "__attribute__((constructor)) static void first(void) { dlopen(\"libplug.so\", 2); }",
             .runpath = "$ORIGIN/../b"});
  world.open("n:a/a.so").constructor("n:libplug.so@a/a.so");
  expect_alike(world);  // the plug-in is found, lacks f, and is unloaded
}

TEST(RealProcess, NeededPathWithASlashIsUsedAsItIs) {
  Now world;
  world.make({.path = "a/libs/liba.so", .source = defines_f})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"$ORIGIN/libs/liba.so"}})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"./libs/liba.so"}})
      .make({.path = "c/c.so", .source = uses_f, .needed = {"$ORIGIN/libs/../../a/libs/liba.so"}});
  world.open("n:a/a.so").open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, FilesThatCannotBeMappedSaySo) {
  Now world;
  world.make({.path = "a/a.so", .source = uses_f, .needed = {"libprog.so"}, .runpath = "$ORIGIN"})
      .copy("a/libprog.so", "bin/main")
      .make({.path = "b/b.so", .source = defines_f, .options = {"-Wl,-z,nodlopen"}});
  write(world.at("a/text.so"), std::string(100, 'x'));
  world.open("n:a/a.so").open("n:b/b.so").open("n:a/missing.so").open("n:libmissing.so").open("n:a/text.so");
  expect_alike(world);
}

TEST(RealProcess, DependencyThatIsMissingFailsTheOpen) {
  Now world;
  world.make({.path = "a/libx.so", .source = defines_f, .needed = {"libgone.so"}, .soname = "libx.so"})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libx.so"}, .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"libx.so"}});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, FailedOpenLeavesNothingBehind) {
  Now world;
  world.make({.path = "a/libx.so", .source = unique_u + defines_f, .soname = "libx.so"})
      .make({.path = "a/a.so",
             .source = unique_u + "int missing(void); int run(void) { return missing(); }",
             .needed = {"a/libx.so"},
             .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = unique_u})
      .make({.path = "c/c.so", .source = uses_f, .needed = {"libx.so"}});
  world.open("ng:a/a.so").open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, FailedOpenKeepsWhatWasThereBefore) {
  Now world;
  world.make({.path = "a/libx.so", .source = unique_u + defines_f, .soname = "libx.so"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"a/libx.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "a/a.so",
             .source = unique_u + "int missing(void); int run(void) { return missing(); }",
             .needed = {"a/libx.so"},
             .runpath = "$ORIGIN"});
  world.open("n:b/b.so").open("ng:a/a.so").open("ng:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, FailedOpenDoesNotChangeWhatADependencyPublishes) {
  for (const bool failed : {false, true}) {
    Now world;
    world.make({.path = "a/libdeep.so", .source = defines_f, .soname = "libdeep.so"})
        .make({.path = "a/libmid.so", .source = "int m;", .needed = {"a/libdeep.so"}, .soname = "libmid.so"})
        .make({.path = "a/libtop.so", .source = "int t;", .needed = {"a/libmid.so"}, .soname = "libtop.so"})
        .make({.path = "a/a.so", .source = "int a;", .needed = {"a/libtop.so"}, .rpath = "$ORIGIN"})
        .make({.path = "b/b.so", .source = "int missing(void); int run(void) { return missing(); }"})
        .make({.path = "c/c.so", .source = uses_f});
    world.open("n:a/a.so");
    if (failed) world.open("n:b/b.so");
    world.open("ng:libtop.so").open("n:c/c.so");
    expect_alike(world);
  }
}

TEST(RealProcess, NodeleteDoesNotSurviveAFailedOpen) {
  Now world;
  world.make({.path = "a/libx.so", .source = unique_u, .soname = "libx.so", .options = {"-Wl,-z,nodelete"}})
      .make({.path = "a/a.so",
             .source = "int missing(void); int run(void) { return missing(); }",
             .needed = {"a/libx.so"},
             .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = unique_u});
  world.open("ne:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, RelocationsGoFromTheBottomUp) {
  // The file that uses the UNIQUE symbol first shows the order.
  Now world;
  for (const char* name : {"1", "2", "3", "4"}) {
    const std::string path = std::string("a/lib") + name + ".so";
    world.make({.path = path, .source = unique_u, .soname = path.substr(2), .options = {"-Wl,-z,defs"}});
  }
  world.make({.path = "a/lib2.so", .source = unique_u, .needed = {"a/lib4.so", "lib1.so"}, .soname = "lib2.so"})
      .make({.path = "a/lib1.so", .source = unique_u, .needed = {"a/lib3.so", "a/lib2.so"}, .soname = "lib1.so"})
      .make({.path = "a/lib3.so", .source = unique_u, .needed = {"a/lib4.so"}, .soname = "lib3.so"})
      .make({.path = "a/a.so", .source = unique_u, .needed = {"a/lib1.so", "a/lib2.so"}, .rpath = "$ORIGIN"});
  world.open("nd:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, RootOfACircleIsRelocatedLast) {
  // The file that uses the UNIQUE symbol first shows the order.
  Now world;
  for (const char* path : {"a/lib1.so", "a/lib2.so", "a/lib3.so"})
    world.make({.path = path, .source = unique_u, .soname = path + 2});
  world
      .make({.path = "a/lib1.so", .source = unique_u, .needed = {"a/lib2.so"}, .soname = "lib1.so", .rpath = "$ORIGIN"})
      .make({.path = "a/lib2.so", .source = unique_u, .needed = {"a/lib3.so"}, .soname = "lib2.so"})
      .make({.path = "a/lib3.so", .source = unique_u, .needed = {"lib1.so"}, .soname = "lib3.so"});
  world.open("nd:a/lib1.so");
  expect_alike(world);
}

TEST(RealProcess, LazyCallIsBoundInTheScopesOfItsTime) {
  ProcessWorld world;
  world.make({.path = "b/b.so", .source = calls_f}).make({.path = "a/a.so", .source = defines_f});
  world.open("ng:a/a.so").open("l:b/b.so").call("run_f");
  expect_alike(world);
}

TEST(RealProcess, LazyCallSeesWhatWasPublishedLater) {
  ProcessWorld world;
  world.make({.path = "b/b.so", .source = calls_f})
      .make({.path = "a/a.so", .source = defines_f})
      .make({.path = "c/c.so", .source = "int c;"});
  world.open("l:b/b.so").open("ng:a/a.so").open("n:b/b.so").call("run_f");
  expect_alike(world);
}

TEST(RealProcess, AddressAndCallOfOneFunctionCanDiffer) {
  ProcessWorld world;
  world.make({.path = "b/libf.so", .source = defines_f, .soname = "libf.so"})
      .make({.path = "b/b.so",
             .source = "int f(void); int (*pointer)(void) = f; void run_f(void) { f(); }",
             .needed = {"b/libf.so"},
             .runpath = "$ORIGIN"})
      .make({.path = "a/a.so", .source = defines_f});
  world.open("l:b/b.so").open("ng:a/a.so").open("n:b/b.so").call("run_f");
  expect_alike(world);
}

TEST(RealProcess, LazyWinsWhereNowIsSetToo) {
  ProcessWorld world;
  world.make({.path = "b/b.so", .source = calls_f}).make({.path = "a/a.so", .source = defines_f});
  world.open("nl:b/b.so").open("ng:a/a.so").open("n:b/b.so").call("run_f");
  expect_alike(world);
}

TEST(RealProcess, FlagOfTheFileOverridesLazy) {
  ProcessWorld world;
  world.make({.path = "b/b.so", .source = calls_f, .options = {"-Wl,-z,now"}})
      .make({.path = "a/a.so", .source = defines_f});
  world.open("l:b/b.so").open("ng:a/a.so").open("l:b/b.so").call("run_f");
  expect_alike(world);
}

TEST(RealProcess, VariableOfTheEnvironmentOverridesLazy) {
  Now world;
  world.make({.path = "b/b.so", .source = calls_f}).make({.path = "a/a.so", .source = defines_f});
  world.open("l:b/b.so").open("ng:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, LaterOpenExtendsTheScopesOfWhatIsThere) {
  // libshared is loaded with a.so; b.so needs it too, so its lazy call reaches b.so's dependencies.
  ProcessWorld world;
  world.make({.path = "s/libshared.so", .source = calls_f, .soname = "libshared.so"})
      .make({.path = "a/a.so", .source = "int a;", .needed = {"s/libshared.so"}, .runpath = "$ORIGIN/../s"})
      .make({.path = "b/b.so", .source = defines_f, .needed = {"s/libshared.so"}, .runpath = "$ORIGIN/../s"});
  world.open("l:a/a.so").open("l:b/b.so").open("l:a/a.so").call("run_f");
  expect_alike(world);
}

TEST(RealProcess, LateCallOfAProtectedFunctionIsItsOwn) {
  ProcessWorld world;
  world.make({.path = "a/a.so", .source = defines_f})
      .make({.path = "b/b.so",
             .source = "asm(\".globl f; .protected f; .type f, @function; f: ret\");\n"
                       "void run_f(void) { asm(\"call f@PLT\"); }"});
  world.open("ng:a/a.so").open("l:b/b.so").call("run_f");
  expect_alike(world);
}

TEST(RealProcess, LateCallTakesAUniqueNameToo) {
  ProcessWorld world;
  const std::string unique_f = "asm(\".text; .globl f; .type f, @gnu_unique_object; .size f, 1; f: ret\");\n";
  world.make({.path = "a/a.so", .source = unique_f + calls_f}).make({.path = "b/b.so", .source = unique_f + calls_f});
  world.open("l:b/b.so").open("n:a/a.so").open("l:b/b.so").call("run_f");
  expect_alike(world);
}

}  // namespace
}  // namespace wheelcheck::oracle
