// Compares UNIQUE, weak, versioned, protected and other symbols between ld.so and predict.
#include <gtest/gtest.h>

#include "tests/loader_oracle/process_world.h"

namespace wheelcheck::oracle {
namespace {

// `u` as g++ emits the static variables of templates and inline functions, and a look-up of it.
const std::string unique_u =
    "asm(\".data; .globl u; .type u, @gnu_unique_object; .size u, 4; u: .zero 4; .previous\");\n"
    "extern int u; int* at_u = &u;\n";
constexpr const char* uses_f = "int f(void); int (*pointer)(void) = f; void run(void) { f(); }";
constexpr const char* defines_f = "int f(void) { return 1; }";
constexpr const char* defines_and_uses_f =
    "int f(void) { return 2; } int (*pointer)(void) = f; void run(void) { f(); }";
constexpr const char* weak_f = "__attribute__((weak)) int f(void) { return 1; }";
constexpr const char* v1 = "V1 { global: f; };";
constexpr const char* v2 = "V2 { global: f; };";

TEST(RealProcess, UniqueSymbolIsTheFirstOneTakenThoughAllIsLocal) {
  Now world;
  world.make({.path = "a/a.so", .source = unique_u}).make({.path = "b/b.so", .source = unique_u});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, UniqueSymbolIgnoresDeepbindAndSymbolic) {
  Now world;
  world.make({.path = "a/a.so", .source = unique_u})
      .make({.path = "b/b.so", .source = unique_u})
      .make({.path = "c/c.so", .source = unique_u, .options = {"-Wl,-z,defs,-Bsymbolic"}});
  world.open("n:a/a.so").open("nd:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, UniqueTableIsFilledByLookUpsOnly) {
  Now world;
  world
      .make({.path = "a/a.so",
             .source = "asm(\".data; .globl u; .type u, @gnu_unique_object; .size u, 4; u: .zero "
                       "4; .previous\");"})
      .make({.path = "b/b.so", .source = unique_u})
      .make({.path = "c/c.so", .source = unique_u});
  world.open("n:a/a.so").open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, UniqueTableIsAskedOnlyWhereAUniqueDefinitionIsReached) {
  Now world;
  world.make({.path = "a/a.so", .source = unique_u})
      .make({.path = "b/b.so", .source = "int u = 4; int* at_u = &u;"})
      .make({.path = "c/c.so", .source = unique_u});
  world.open("n:a/a.so").open("ng:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, UniqueSymbolOfADependencyIsTakenInRelocationOrder) {
  Now world;
  world.make({.path = "a/libx.so", .source = unique_u, .soname = "libx.so"})
      .make({.path = "a/liby.so", .source = unique_u, .soname = "liby.so"})
      .make({.path = "a/a.so",
             .source = unique_u,
             .needed = {"a/libx.so", "a/liby.so"},
             .runpath = "$ORIGIN",
             .options = {"-Wl,-Bsymbolic"}});
  world.open("nd:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, UniqueSymbolWithAVersionSharesTheNameWithoutIt) {
  Now world;
  world.make({.path = "a/a.so", .source = unique_u, .script = "V1 { global: *; };"})
      .make({.path = "b/b.so", .source = unique_u, .script = "V2 { global: *; };"});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, WeakDefinitionCountsLikeAStrongOne) {
  Now world;
  world.make({.path = "a/a.so", .source = weak_f}).make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, DynamicWeakPrefersTheStrongOne) {
  Now world;
  world.environment("LD_DYNAMIC_WEAK", "1");
  world.make({.path = "a/a.so", .source = weak_f})
      .make({.path = "w/w.so", .source = weak_f})
      .make({.path = "b/b.so", .source = defines_and_uses_f})
      .make({.path = "c/c.so", .source = uses_f});
  world.open("ng:a/a.so").open("ng:w/w.so").open("n:c/c.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, WeakReferenceMayStayNull) {
  Now world;
  world.make({.path = "a/a.so", .source = "__attribute__((weak)) int f(void); int run(void) { return f ? f() : 0; }"});
  world.open("n:a/a.so");
  expect_alike(world);
}

TEST(RealProcess, StrongReferenceMustNot) {
  Now world;
  world.make({.path = "a/a.so", .source = uses_f}).make({.path = "b/b.so", .source = defines_and_uses_f});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, VersionNeedIsMetByTheNameOfTheVersionWhoeverHasIt) {
  Now world;
  world.make({.path = "a/liba.so", .source = defines_f, .soname = "liba.so", .script = v1})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"a/liba.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "c/libother.so", .source = defines_f, .soname = "libother.so", .script = v1})
      .make({.path = "d/libforeign.so", .source = defines_f, .soname = "libforeign.so", .script = v2});
  world.open("ng:d/libforeign.so").open("ng:c/libother.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, DefinitionWithoutAVersionMeetsAnyNeed) {
  Now world;
  world.make({.path = "a/liba.so", .source = defines_f, .soname = "liba.so", .script = v1})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"a/liba.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "c/plain.so", .source = defines_f});
  world.open("ng:c/plain.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, BaseDefinitionOfAVersionedFileMeetsAnyNeed) {
  Now world;
  world.make({.path = "a/liba.so", .source = defines_f, .soname = "liba.so", .script = v1})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"a/liba.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "c/base.so",
             .source = "int f(void) { return 3; } int g(void) { return 4; }",
             .script = "V9 { global: g; };"});
  world.open("ng:c/base.so").open("n:b/b.so");
  expect_alike(world);
}

// f@V1 hidden, f@@V2 the default.
const std::string two_versions =
    "int old_f(void) { return 1; } int new_f(void) { return 2; }\n"
    "asm(\".symver old_f, f@V1\"); asm(\".symver new_f, f@@V2\");\n";
constexpr const char* two_nodes = "V1 { local: old_f; new_f; }; V2 { } V1;";

TEST(RealProcess, UserBuiltAgainstTheOldVersionKeepsIt) {
  Now world;
  world.make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so", .script = v1})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "a/libf.so", .source = two_versions, .soname = "libf.so", .script = two_nodes})
      .make({.path = "c/c.so", .source = uses_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "d/d.so", .source = uses_f, .needed = {"libf.so"}});
  world.open("n:b/b.so").open("n:c/c.so").open("n:d/d.so");
  expect_alike(world);
}

TEST(RealProcess, UnversionedReferenceTakesTheOldestNode) {
  Now world;
  world.make({.path = "a/libf.so", .source = two_versions, .soname = "libf.so", .script = two_nodes})
      .make({.path = "b/b.so", .source = uses_f});
  world.open("ng:a/libf.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, UnversionedReferenceTakesANewerNodeOnlyWithoutAChoice) {
  for (const bool choice : {false, true}) {
    Now world;
    const std::string first = choice ? "asm(\".symver old_f, f@V2\");" : "";
    world
        .make({.path = "a/libf.so",
               .source = "int g(void) { return 0; } int old_f(void) { return 1; } int new_f(void) { return 2; }\n" +
                         first + "asm(\".symver new_f, f@@V3\");",
               .soname = "libf.so",
               .script = "V1 { global: g; }; V2 { local: old_f; new_f; } V1; V3 { } V2;"})
        .make({.path = "b/b.so", .source = uses_f});
    world.open("ng:a/libf.so").open("n:b/b.so");
    expect_alike(world);
  }
}

TEST(RealProcess, UnversionedReferenceDoesNotTakeAHiddenNewerNode) {
  Now world;
  world
      .make({.path = "a/libf.so",
             .source = "int g(void) { return 0; } int old_f(void) { return 1; } asm(\".symver old_f, f@V2\");",
             .soname = "libf.so",
             .script = "V1 { global: g; }; V2 { local: old_f; } V1;"})
      .make({.path = "b/b.so", .source = uses_f});
  world.open("ng:a/libf.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, VersionThatIsMissingStopsTheLoad) {
  Now world;
  world
      .make({.path = "a/libf.so",
             .source = "int f(void) { return 1; } int g(void) { return 1; }",
             .soname = "libf.so",
             .script = "V1 { global: f; }; V7 { global: g; } V1;"})
      .make({.path = "b/b.so",
             .source = "int f(void); int g(void); void run(void) { f(); g(); }",
             .needed = {"a/libf.so"},
             .runpath = "$ORIGIN/../a"})
      .make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so", .script = v1})
      .make({.path = "c/c.so", .source = uses_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN/../a"});
  world.open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, VersionIsLookedForInTheFileThatCarriesTheName) {
  Now world;
  world.make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so", .script = v1})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "c/libf.so", .source = defines_f, .soname = "libf.so", .script = v2});
  world.open("n:c/libf.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, LibraryThatLostItsVersionsBreaksAnAssertion) {
  Now world;
  world.make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so", .script = v1})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so"})
      .make({.path = "c/c.so", .source = defines_f});
  world.open("n:c/c.so").open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, LibraryThatLostItsVersionsIsHarmlessWhereAnotherComesFirst) {
  Now world;
  world.make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so", .script = v1})
      .make({.path = "b/b.so", .source = uses_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN/../a"})
      .make({.path = "a/libf.so", .source = defines_f, .soname = "libf.so"})
      .make({.path = "c/c.so", .source = defines_f});
  world.open("ng:c/c.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, VersionedSelfReferenceCanBeCaptured) {
  Now world;
  world.make({.path = "a/a.so", .source = defines_f, .script = v1})
      .make({.path = "b/b.so", .source = defines_and_uses_f, .script = v1})
      .make({.path = "c/c.so", .source = defines_and_uses_f, .script = v2});
  world.open("ng:a/a.so").open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, ProtectedSymbolKeepsItsOwnFileAndServesOthers) {
  Now world;
  world.make({.path = "a/a.so", .source = "int v = 1; int f(void) { return 1; }"})
      .make({.path = "b/b.so",
             .source = "__attribute__((visibility(\"protected\"))) int f(void) { return 2; }\n"
                       "__attribute__((visibility(\"protected\"))) int v = 2;\n"
                       "int* where = &v; int (*pointer)(void) = f; void run(void) { f(); }"})
      .make({.path = "c/c.so", .source = uses_f});
  world.open("ng:a/a.so").open("ng:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, TypeAndSizeAreNotCompared) {
  Now world;
  world.make({.path = "a/a.so", .source = "char f[100] = {1};"})
      .make({.path = "b/b.so", .source = "int f(void) { return 1; } int (*pointer)(void) = f;"});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, IfuncIsBoundLikeAFunction) {
  Now world;
  const std::string ifunc =
      "static int body(void) { return 1; } static void* pick(void) { return body; }\n"
      "int f(void) __attribute__((ifunc(\"pick\")));\n";
  world.make({.path = "a/a.so", .source = ifunc}).make({.path = "b/b.so", .source = ifunc + uses_f});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, ThreadLocalVariablesFollowTheSameRules) {
  for (const char* model : {"-ftls-model=global-dynamic", "-ftls-model=initial-exec", "-mtls-dialect=gnu2"}) {
    Now world;
    world.make({.path = "a/a.so", .source = "__thread int t = 1;"})
        .make({.path = "b/b.so", .source = "__thread int t = 2; int* run(void) { return &t; }", .options = {model}})
        .make({.path = "c/c.so", .source = "extern __thread int t; int* run(void) { return &t; }", .options = {model}});
    world.open("ng:a/a.so").open("n:b/b.so").open("n:c/c.so");
    expect_alike(world);
  }
}

TEST(RealProcess, DataAndCommonSymbolsAreCapturedToo) {
  Now world;
  world.make({.path = "a/a.so", .source = "int v = 1;"})
      .make(
          {.path = "b/b.so", .source = "int v; int* where = &v; int run(void) { return v; }", .options = {"-fcommon"}});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, AbsoluteSymbolMayBeZero) {
  Now world;
  world.make({.path = "a/a.so", .source = "asm(\".globl zero; .set zero, 0\");"})
      .make({.path = "b/b.so", .source = "extern char zero; char* where = &zero;"});
  world.open("ng:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

TEST(RealProcess, OldHashTableIsSearchedAsWell) {
  Now world;
  world
      .make({.path = "a/libf.so",
             .source = two_versions,
             .soname = "libf.so",
             .script = two_nodes,
             .options = {"-Wl,--hash-style=sysv"}})
      .make({.path = "b/b.so", .source = uses_f, .options = {"-Wl,--hash-style=sysv"}})
      .make({.path = "c/c.so", .source = uses_f, .needed = {"a/libf.so"}, .runpath = "$ORIGIN/../a"});
  world.open("ng:a/libf.so").open("n:b/b.so").open("n:c/c.so");
  expect_alike(world);
}

TEST(RealProcess, CppTemplatesAreSharedAcrossLibraries) {
  Now world;
  const std::string source =
      "template <class T> struct S { static T value; virtual int get() { return value; } };\n"
      "template <class T> T S<T>::value = 1;\n"
      "inline int* counter() { static int n; return &n; }\n"
      "extern \"C\" void* run_it() { static S<int> s; S<int>::value = s.get(); return counter(); }\n";
  for (const char* name : {"a/a.so", "b/b.so"})
    world.make(
        {.path = name, .source = source, .options = {"-fno-exceptions", "-fno-threadsafe-statics"}, .language = "c++"});
  world.open("n:a/a.so").open("n:b/b.so");
  expect_alike(world);
}

}  // namespace
}  // namespace wheelcheck::oracle
