// Compares the search for a file between ld.so and resolve.
#include <elf.h>
#include <gtest/gtest.h>

#include "tests/loader_oracle/world.h"

namespace wheelcheck::oracle {
namespace {

Object library(const std::string& path) { return {.path = path, .soname = path.substr(path.rfind('/') + 1)}; }
Object with_needed(Object object, std::vector<std::string> needed) {
  object.needed = std::move(needed);
  return object;
}

TEST(RealSearch, RunpathServesTheFileItself) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/../p.libs"});
  world.link(library("p.libs/liba.so"));
  expect_loads(world, "p/x.so", {"p.libs/liba.so"});
}

TEST(RealSearch, RpathIsInheritedByGrandchildren) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .rpath = "$ORIGIN/lib"});
  world.link(with_needed(library("p/lib/liba.so"), {"libb.so"}));
  world.link(with_needed(library("p/lib/libb.so"), {"libc1.so"}));
  world.link(library("p/lib/libc1.so"));
  expect_loads(world, "p/x.so", {"p/lib/liba.so", "p/lib/libb.so", "p/lib/libc1.so"});
}

TEST(RealSearch, RpathOfALibraryInTheMiddleIsInherited) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/lib"});
  world.link({.path = "p/lib/liba.so", .needed = {"libb.so"}, .soname = "liba.so", .rpath = "$ORIGIN/deep"});
  world.link(with_needed(library("p/lib/deep/libb.so"), {"libc1.so"}));
  world.link(library("p/lib/deep/libc1.so"));
  expect_loads(world, "p/x.so", {"p/lib/liba.so", "p/lib/deep/libb.so", "p/lib/deep/libc1.so"});
}

TEST(RealSearch, RunpathIsNotInherited) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/lib"});
  world.link(with_needed(library("p/lib/liba.so"), {"libzzq.so"}));
  world.link(library("p/lib/libzzq.so"));
  expect_fails(world, "p/x.so", "libzzq.so");
}

TEST(RealSearch, RpathIsIgnoredWhereThereIsRunpath) {
  World world;
  // The linker writes only one of the two; an entry with a changed tag is the other.
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .rpath = "$ORIGIN/lib", .auxiliary = "$ORIGIN/ghost"});
  world.retag("p/x.so", DT_AUXILIARY, DT_RUNPATH);
  world.link(library("p/lib/liba.so"));
  expect_fails(world, "p/x.so", "liba.so");
}

TEST(RealSearch, InheritedRpathIsIgnoredForAFileWithRunpath) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .rpath = "$ORIGIN/lib"});
  world.link({.path = "p/lib/liba.so", .needed = {"libb.so"}, .soname = "liba.so", .runpath = "$ORIGIN/ghost"});
  world.link(library("p/lib/libb.so"));
  expect_fails(world, "p/x.so", "libb.so");
}

TEST(RealSearch, RpathReachesThroughAFileWithRunpath) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .rpath = "$ORIGIN/lib"});
  world.link({.path = "p/lib/liba.so", .needed = {"libb.so"}, .soname = "liba.so", .runpath = "$ORIGIN/deep"});
  world.link(with_needed(library("p/lib/deep/libb.so"), {"libc1.so"}));
  world.link(library("p/lib/libc1.so"));
  expect_loads(world, "p/x.so", {"p/lib/liba.so", "p/lib/deep/libb.so", "p/lib/libc1.so"});
}

TEST(RealSearch, NearestRpathComesFirst) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .rpath = "$ORIGIN/far"});
  world.link({.path = "p/far/liba.so", .needed = {"libb.so"}, .soname = "liba.so", .rpath = "$ORIGIN/../near"});
  world.link(library("p/far/libb.so"));
  world.link(library("p/near/libb.so"));
  expect_loads(world, "p/x.so", {"p/far/liba.so", "p/near/libb.so"});
}

TEST(RealSearch, FartherRpathComesAfterTheNearest) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .rpath = "$ORIGIN/far"});
  world.link({.path = "p/far/liba.so", .needed = {"libb.so"}, .soname = "liba.so", .rpath = "$ORIGIN/../near"});
  world.link(with_needed(library("p/far/libb.so"), {"libc1.so"}));
  world.link(library("p/far/libc1.so"));
  world.text("p/near/readme.txt", "nothing here");
  expect_loads(world, "p/x.so", {"p/far/liba.so", "p/far/libb.so", "p/far/libc1.so"});
}

TEST(RealSearch, OriginHasTwoSpellings) {
  for (const char* path : {"$ORIGIN/lib", "${ORIGIN}/lib", "/ghost:${ORIGIN}/./lib//", "$ORIGIN/../p/lib"}) {
    World world;
    world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = path});
    world.link(library("p/lib/liba.so"));
    expect_loads(world, "p/x.so", {"p/lib/liba.so"});
  }
}

TEST(RealSearch, OriginIsAWordOfItsOwn) {
  World glued;
  glued.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "${ORIGIN}.libs"});
  glued.link(library("p.libs/liba.so"));
  expect_loads(glued, "p/x.so", {"p.libs/liba.so"});
  for (const char* path : {"$ORIGINAL", "${ORIGIN", "$origin"}) {
    World world;
    world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = path});
    world.link(library("p/liba.so"));
    expect_fails(world, "p/x.so", "liba.so");
  }
}

TEST(RealSearch, EmptyAndRelativeElementsMeanTheWorkingDirectory) {
  for (const char* path : {":", "lib", "./lib", "/ghost::", "p/lib:."}) {
    World world;
    world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = path});
    world.link(library("p/lib/liba.so"));
    world.link(library("p/liba.so"));
    expect_fails(world, "p/x.so", "liba.so");
  }
}

TEST(RealSearch, MissingDirectoryBeforeDotDotEndsThePath) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/ghost/../lib"});
  world.link(library("p/lib/liba.so"));
  expect_fails(world, "p/x.so", "liba.so");
  world.text("p/ghost/readme.txt", "now the directory exists");
  expect_loads(world, "p/x.so", {"p/lib/liba.so"});
}

// On this machine a token has one meaning; resolve must use only what all meanings have.
void expect_token(const std::string& token, const std::vector<std::string>& meanings) {
  int loads_here = 0;
  for (const std::string& meaning : meanings) {
    World world;
    world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/" + token});
    world.link(library("p/" + meaning + "/liba.so"));
    loads_here += world.real("p/x.so").loads ? 1 : 0;
    EXPECT_FALSE(world.predicted("p/x.so").loads) << meaning;
  }
  EXPECT_EQ(loads_here, 1) << token << " has no known meaning on this machine";
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/" + token});
  for (const std::string& meaning : meanings) world.link(library("p/" + meaning + "/liba.so"));
  EXPECT_TRUE(world.real("p/x.so").loads);
  EXPECT_TRUE(world.predicted("p/x.so").loads);
}

#ifdef __x86_64__
TEST(RealSearch, LibMeansOneThingADistribution) {
  expect_token("$LIB", {"lib64", "lib", "lib/x86_64-linux-gnu"});
  expect_token("${LIB}", {"lib64", "lib", "lib/x86_64-linux-gnu"});
}

TEST(RealSearch, PlatformMeansOneThingAProcessor) {
  expect_token("$PLATFORM", {"x86_64", "haswell", "xeon_phi"});
  expect_token("${PLATFORM}", {"x86_64", "haswell", "xeon_phi"});
}

TEST(RealSearch, LibraryForSomeProcessorsIsNotFoundOnTheOthers) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN"});
  world.link(library("p/glibc-hwcaps/x86-64-v3/liba.so"));
  EXPECT_FALSE(world.real("p/x.so", "none").loads);
  EXPECT_FALSE(world.predicted("p/x.so").loads);
  world.link(library("p/liba.so"));
  EXPECT_EQ(world.real("p/x.so", "none").loaded, world.predicted("p/x.so").loaded);
  EXPECT_TRUE(world.real("p/x.so").loads);
}
#endif

TEST(RealSearch, NameWithASlashIsAPath) {
  World world;
  world.link({.path = "p/x.so", .needed = {"$ORIGIN/lib/liba.so"}});
  world.link({.path = "p/y.so", .needed = {"/ghost/liba.so"}});
  world.link({.path = "p/z.so", .needed = {"lib/liba.so"}, .runpath = "$ORIGIN"});
  world.link(library("p/lib/liba.so"));
  expect_loads(world, "p/x.so", {"p/lib/liba.so"});
  expect_fails(world, "p/y.so", "/ghost/liba.so");
  expect_fails(world, "p/z.so", "lib/liba.so");
}

TEST(RealSearch, FileOfAnotherMachineOrClassIsPassedOver) {
  for (const auto& [offset, bytes] :
       {std::pair<std::size_t, std::string>{offsetof(Elf64_Ehdr, e_machine), {'\xf3', '\0'}},
        {EI_CLASS, {ELFCLASS32}}}) {
    World world;
    world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/1:$ORIGIN/2"});
    world.link(library("p/1/liba.so"));
    world.link(library("p/2/liba.so"));
    world.patch("p/1/liba.so", offset, bytes);
    expect_loads(world, "p/x.so", {"p/2/liba.so"});
  }
}

TEST(RealSearch, OtherUnfitFileEndsTheSearch) {
  for (const auto& [offset, bytes] : {std::pair<std::size_t, std::string>{EI_DATA, {ELFDATA2MSB}},
                                      {EI_OSABI, {51}},
                                      {offsetof(Elf64_Ehdr, e_type), {ET_REL, 0}}}) {
    World world;
    world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/1:$ORIGIN/2"});
    world.link(library("p/1/liba.so"));
    world.link(library("p/2/liba.so"));
    world.patch("p/1/liba.so", offset, bytes);
    expect_fails(world, "p/x.so", "liba.so");
  }
}

TEST(RealSearch, SymbolicLinkPackedAsTextEndsTheSearch) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN/1:$ORIGIN/2"});
  world.text("p/1/liba.so", "liba.so.1");
  world.link(library("p/2/liba.so"));
  expect_fails(world, "p/x.so", "liba.so");
}

TEST(RealSearch, ProgramIsNoLibrary) {
  World world;
  world.link({.path = "p/x.so", .needed = {"tool"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/tool", .program = true});
  expect_fails(world, "p/x.so", "tool");
}

}  // namespace
}  // namespace wheelcheck::oracle
