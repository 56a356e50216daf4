// Compares scopes, flags and interposition between ld.so and predict.
#include <gtest/gtest.h>

#include "tests/loader_oracle/process_world.h"

namespace wheelcheck::oracle {
namespace {

constexpr const char* defines_f = "int f(void) { return 1; }";
// One lazily bound reference and one that is not.
constexpr const char* uses_f = "int f(void); int (*pointer)(void) = f; void run(void) { f(); }";
constexpr const char* defines_and_uses_f =
    "int f(void) { return 2; } int (*pointer)(void) = f; void run(void) { f(); }";

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

TEST(RealProcess, GlobalLibraryCapturesWhatALaterOneDefinesItself) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f}).make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, BindingsAreNotRedoneAfterAPromotion) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f}).make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("n:b/b.so").open("ng:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, GlobalPublishesTheDependenciesInOrder) {
  Now world;
  world.make({.path = "a/libd.so", .source = "int g(void) { return 4; }", .soname = "libd.so"})
      .make({.path = "a/libc1.so", .source = defines_f, .soname = "libc1.so"})
      .make({.path = "a/a.so",
             .source = "int h(void) { return 5; }",
             .needed = {"a/libc1.so", "a/libd.so"},
             .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = "int f(void); int g(void); int h(void); void run(void) { f(); g(); h(); }"});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, FirstPublisherWins) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f})
      .make({.path = "c/c.so", .source = defines_f})
      .make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("ng:c/c.so").open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, OwnDefinitionIsNotPreferredBecauseOfGlobal) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f}).make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("ng:a/a.so").open("ng:b/b.so").open("ng:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, DeepbindPrefersItsOwnTree) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f})
      .make({.path = "b/libf.so", .source = defines_f, .soname = "libf.so"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"b/libf.so"}, .runpath = "$ORIGIN"});
  world.open("ng:a/a.so").open("nd:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, DeepbindReachesNewDependenciesOnly) {
  Now world;
  world.make({.path = "g/g.so", .source = defines_f})
      .make({.path = "b/libold.so", .source = defines_and_uses_f, .soname = "libold.so"})
      .make({.path = "b/libnew.so", .source = defines_and_uses_f, .soname = "libnew.so"})
      .make({.path = "b/first.so", .source = uses_f, .needed = {"b/libold.so"}, .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"b/libold.so", "b/libnew.so"}, .runpath = "$ORIGIN"});
  world.open("ng:g/g.so").open("n:b/first.so").open("nd:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, ReopeningWithGlobalPromotesTheWholeTree) {
  Now world;
  world.make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so"})
      .make({.path = "a/a.so", .source = "int g(void) { return 1; }", .needed = {"a/libf.so"}, .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = defines_and_uses_f})
      .make({.path = "c/c.so", .source = defines_and_uses_f});
  world.open("n:a/a.so").open("n:b/b.so").open("ng:a/a.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, NoloadWithGlobalPromotesWithoutLoading) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f})
      .make({.path = "b/b.so", .source = defines_and_uses_f})
      .make({.path = "c/c.so", .source = "int c;"});
  world.open("n:a/a.so").open("nog:a/a.so").open("nog:c/c.so").open("no:missing.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, LibraryKnownAsDependencyIsPublishedByOpeningIt) {
  Now world;
  world.make({.path = "a/libg.so", .source = "int g(void) { return 3; }", .soname = "libg.so"})
      .make({.path = "a/libf.so",
             .source = defines_f,
             .needed = {"a/libg.so"},
             .soname = "libf.so",
             .runpath = "$ORIGIN"})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = "int f(void); int g(void); void run(void) { f(); g(); }"});
  world.open("n:a/a.so").open("ng:libf.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, PublishedDependencyKeepsItsPlace) {
  Now world;
  world.make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so"})
      .make({.path = "a/a.so", .source = defines_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("ng:a/libf.so").open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, SearchlistIsBreadthFirstAndListsWhatWasLoadedEarlier) {
  Now world;
  world.make({.path = "a/libdeep.so", .source = defines_f, .soname = "libdeep.so"})
      .make({.path = "a/libleft.so",
             .source = "int left;",
             .needed = {"a/libdeep.so"},
             .soname = "libleft.so",
             .runpath = "$ORIGIN"})
      .make({.path = "a/libright.so", .source = defines_f, .soname = "libright.so"})
      .make({.path = "a/a.so", .source = uses_f, .needed = {"a/libleft.so", "a/libright.so"}, .runpath = "$ORIGIN"});
  world.open("n:a/libdeep.so").open("n:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, DependencyIsBoundInTheScopeOfWhoPulledItInFirst) {
  Now world;
  world.make({.path = "s/libshared.so", .source = uses_f, .soname = "libshared.so"})
      .make({.path = "a/a.so", .source = defines_f, .needed = {"s/libshared.so"}, .runpath = "$ORIGIN/../s"})
      .make({.path = "b/b.so", .source = defines_f, .needed = {"s/libshared.so"}, .runpath = "$ORIGIN/../s"});
  world.open("n:b/b.so").open("n:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, UnderlinkedDependencyFailsUnderTheOtherUser) {
  Now world;
  world.make({.path = "s/libshared.so", .source = uses_f, .soname = "libshared.so"})
      .make({.path = "a/a.so", .source = "int a;", .needed = {"s/libshared.so"}, .runpath = "$ORIGIN/../s"})
      .make({.path = "b/b.so", .source = defines_f, .needed = {"s/libshared.so"}, .runpath = "$ORIGIN/../s"});
  world.open("n:a/a.so").open("n:b/b.so").open("n:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, SymbolicLibraryLooksInItselfFirst) {
  Now world;
  // The linker binds what it can. The address in the data is still looked up, and DT_SYMBOLIC affects it.
  world.make({.path = "a/a.so", .source = defines_f})
      .make({.path = "b/b.so",
             .source = "int f(void); int g(void) { return f(); } void run(void) { g(); }",
             .needed = {"libg.so"},
             .runpath = "$ORIGIN",
             .options = {"-Wl,-Bsymbolic"}})
      .make(
          {.path = "b/libg.so", .source = "int f(void) { return 1; } int g(void) { return 1; }", .soname = "libg.so"});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, SymbolicUnderDeepbindLooksInTheTree) {
  Now world;
  world.make({.path = "b/libf.so", .source = defines_f, .soname = "libf.so"})
      .make({.path = "b/b.so",
             .source = uses_f,
             .needed = {"b/libf.so"},
             .runpath = "$ORIGIN",
             .options = {"-Wl,-z,defs,-Bsymbolic"}})
      .make({.path = "a/a.so", .source = defines_f});
  world.open("ng:a/a.so").open("nd:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, LinkTimeBindingLeavesNothingToCapture) {
  for (const char* option : {"-Wl,-Bsymbolic", "-Wl,-Bsymbolic-functions", "-fvisibility=hidden"}) {
    Now world;
    world.make({.path = "a/a.so", .source = defines_f})
        .make({.path = "b/b.so",
               .source = "int f(void) { return 2; } __attribute__((visibility(\"default\"))) void run(void) { f(); }",
               .options = {option}});
    world.open("ng:a/a.so").open("n:b/b.so");
    expect_alike(world);
  }
}

TEST(RealProcess, ScriptThatHidesLeavesNothingToCapture) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f})
      .make({.path = "b/b.so", .source = defines_and_uses_f, .script = "{ global: run; local: *; };"});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, ConstructorDoesNotSeeWhatItsFileWillPublish) {
  Now world;
  world.make({.path = "b/b.so", .source = defines_and_uses_f}).make({.path = "d/d.so", .source = defines_and_uses_f});
  world.make({.path = "a/a.so",
              .source = "void* dlopen(const char*, int); int f(void) { return 1; }\n"
                        "__attribute__((constructor)) static void first(void) { dlopen(\"" +
                        world.at("b/b.so").string() + "\", 2); }"});
  world.open("ng:a/a.so").constructor("n:" + world.at("b/b.so").string()).open("n:d/d.so");
  expect_alike(world);
}

TEST(RealProcess, PreloadedLibrariesComeRightAfterTheProgram) {
  Now world;
  world.make({.path = "p/one.so", .source = defines_f}).make({.path = "p/two.so", .source = defines_f});
  world.make({.path = "b/b.so", .source = defines_and_uses_f});
  world.environment("LD_PRELOAD", world.at("p/two.so").string() + ":" + world.at("p/one.so").string());
  world.open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, PreloadedLibraryBringsItsDependencies) {
  Now world;
  world.make({.path = "p/libdep.so", .source = defines_f, .soname = "libdep.so"})
      .make({.path = "p/one.so", .source = uses_f, .needed = {"p/libdep.so"}, .runpath = "$ORIGIN"})
      .make({.path = "b/b.so", .source = defines_and_uses_f, .needed = {"libdep.so"}});
  world.environment("LD_PRELOAD", world.at("p/one.so").string() + ":/no/such/file.so");
  world.open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, ProgramThatExportsWinsOverEverybody) {
  Now world;
  world.program({.source = defines_f, .options = {"-rdynamic", "-fPIE", "-pie"}})
      .make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, DeepbindEscapesFromTheProgram) {
  Now world;
  world.program({.source = defines_f, .options = {"-rdynamic", "-fPIE", "-pie"}})
      .make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("nd:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, SharedLibraryOfTheProgramIsGlobalFromTheStart) {
  Now world;
  world.make({.path = "lib/libpy.so", .source = defines_f, .soname = "libpy.so"})
      .program({.source = "int f(void); int use(void) { return f(); }",
                .needed = {"lib/libpy.so"},
                .runpath = "$ORIGIN/../lib",
                .options = {"-fPIE", "-pie"}})
      .make({.path = "b/b.so", .source = defines_and_uses_f})
      .make({.path = "c/c.so", .source = uses_f, .needed = {"lib/libpy.so"}});
  world.open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, ProgramWithoutItsLibraryDoesNotStart) {
  Now world;
  world.program({.source = "", .needed = {"libnowhere.so"}, .options = {"-fPIE", "-pie"}});
  world.make({.path = "b/b.so", .source = defines_f}).open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, ProgramDoesNotStartWithoutASymbol) {
  Now world;
  world.make({.path = "p/one.so", .source = uses_f}).make({.path = "b/b.so", .source = defines_f});
  world.environment("LD_PRELOAD", world.at("p/one.so").string()).open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, ProgramDoesNotStartWithoutAVersion) {
  Now world;
  world.make({.path = "p/libf.so", .source = defines_f, .soname = "libf.so", .script = "V1 { f; };"})
      .make({.path = "p/one.so", .source = uses_f, .needed = {"p/libf.so"}, .runpath = "$ORIGIN"})
      .make({.path = "p/libf.so", .source = defines_f, .soname = "libf.so", .script = "V2 { f; };"});
  world.environment("LD_PRELOAD", world.at("p/one.so").string()).open("n:p/libf.so");
  expect_alike(world);
}

TEST(RealProcess, CopyRelocationPutsTheProgramFirst) {
  Now world;
  world.make({.path = "lib/libv.so", .source = "int v = 3; int* where(void) { return &v; }", .soname = "libv.so"})
      .program({.source = "extern int v; int use(void) { return v; }",
                .needed = {"lib/libv.so"},
                .runpath = "$ORIGIN/../lib",
                .options = {"-no-pie", "-fno-pie"}})
      .make({.path = "b/b.so", .source = "extern int v; int* p = &v; void run(void) { v = 4; }"});
  world.open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, PltEntryOfTheProgramServesAddressesButNotCalls) {
  Now world;
  world.make({.path = "lib/libf.so", .source = defines_and_uses_f, .soname = "libf.so"})
      .program({.source = "int f(void); int (*volatile taken)(void); void take(void) { taken = f; }",
                .needed = {"lib/libf.so"},
                .runpath = "$ORIGIN/../lib",
                .options = {"-no-pie", "-fno-pie"}})
      .make({.path = "b/b.so", .source = uses_f});
  world.open("n:b/b.so");
  expect_alike(world);
}

}  // namespace
}  // namespace wheelcheck::oracle
