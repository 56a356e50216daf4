// Compares the order of loading, names, filters, programs and versions between ld.so and resolve.
#include <elf.h>
#include <gtest/gtest.h>

#include "tests/loader_oracle/world.h"

namespace wheelcheck::oracle {
namespace {

Object library(const std::string& path, std::vector<std::string> needed = {}) {
  return {.path = path, .needed = std::move(needed), .soname = path.substr(path.rfind('/') + 1)};
}

TEST(RealWalk, SiblingThatLoadedTheNameFirstHelps) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liby.so", "libz.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liby.so", .needed = {"liba.so"}, .soname = "liby.so", .runpath = "$ORIGIN/lib"});
  world.link(library("p/libz.so", {"liba.so"}));
  world.link(library("p/lib/liba.so"));
  expect_loads(world, "p/x.so", {"p/liby.so", "p/libz.so", "p/lib/liba.so"});
}

TEST(RealWalk, SiblingThatComesLaterDoesNotHelp) {
  World world;
  world.link({.path = "p/x.so", .needed = {"libz.so", "liby.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liby.so", .needed = {"liba.so"}, .soname = "liby.so", .runpath = "$ORIGIN/lib"});
  world.link(library("p/libz.so", {"liba.so"}));
  world.link(library("p/lib/liba.so"));
  expect_fails(world, "p/x.so", "liba.so");
}

// Depth first, y's dependency would be loaded before z, and would load what z cannot find itself.
TEST(RealWalk, IsNotDepthFirst) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liby.so", "libz.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liby.so", .needed = {"libmid.so"}, .soname = "liby.so", .runpath = "$ORIGIN"});
  world.link({.path = "p/libmid.so", .needed = {"liba.so"}, .soname = "libmid.so", .runpath = "$ORIGIN/lib"});
  world.link(library("p/libz.so", {"liba.so"}));
  world.link(library("p/lib/liba.so"));
  expect_fails(world, "p/x.so", "liba.so");
}

// Breadth first, the root's second need loads the name before the first need's dependency requires it.
TEST(RealWalk, IsBreadthFirst) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liby.so", "liba.so"}, .runpath = "$ORIGIN:$ORIGIN/lib"});
  world.link(library("p/liby.so", {"liba.so"}));
  world.link(library("p/lib/liba.so"));
  expect_fails(world, "p/liby.so", "liba.so");
  world.link({.path = "p/w.so", .needed = {"libmid.so", "liba.so"}, .runpath = "$ORIGIN:$ORIGIN/lib"});
  world.link({.path = "p/libmid.so", .needed = {"liby.so"}, .soname = "libmid.so", .runpath = "$ORIGIN"});
  expect_loads(world, "p/w.so", {"p/libmid.so", "p/liby.so", "p/lib/liba.so"});
}

TEST(RealWalk, RenamedFileAnswersToItsSoname) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba-1f2e.so", "liby.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liba-1f2e.so", .soname = "liba.so"});
  world.link(library("p/liby.so", {"liba.so"}));
  expect_loads(world, "p/x.so", {"p/liba-1f2e.so", "p/liby.so"});
}

TEST(RealWalk, RenamedFileAndOriginalAreTwoFiles) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liby.so", "liba-1f2e.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liba-1f2e.so", .soname = "liba-1f2e.so"});
  world.link({.path = "p/liby.so", .needed = {"liba.so"}, .soname = "liby.so", .runpath = "$ORIGIN"});
  world.link(library("p/liba.so"));
  expect_loads(world, "p/x.so", {"p/liba-1f2e.so", "p/liby.so", "p/liba.so"});
}

TEST(RealWalk, FileWithoutSonameAnswersToTheNameThatFoundIt) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so", "liby.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liba.so"});
  world.link(library("p/liby.so", {"liba.so"}));
  expect_loads(world, "p/x.so", {"p/liba.so", "p/liby.so"});
}

TEST(RealWalk, FileWithoutSonameFoundByPathDoesNotAnswerToItsName) {
  World world;
  world.link({.path = "p/x.so", .needed = {"$ORIGIN/liba.so", "liby.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liba.so"});
  world.link(library("p/liby.so", {"liba.so"}));
  expect_fails(world, "p/x.so", "liba.so");
}

TEST(RealWalk, SecondNameOfALoadedFileIsRemembered) {
  World world;
  world.link({.path = "p/x.so", .needed = {"$ORIGIN/liba.so", "liba.so", "liby.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/liba.so"});
  world.link(library("p/liby.so", {"liba.so"}));
  expect_loads(world, "p/x.so", {"p/liba.so", "p/liby.so"});
}

TEST(RealWalk, TwoFilesOfOneNameAreToldApart) {
  World world;
  world.link({.path = "p/x.so", .needed = {"libdup.so"}, .runpath = "$ORIGIN/1"});
  world.link({.path = "p/y.so", .needed = {"libdup.so"}, .runpath = "$ORIGIN/2"});
  world.link({.path = "p/1/libdup.so"});
  world.link({.path = "p/2/libdup.so", .needed = {"libghost.so"}});
  expect_loads(world, "p/x.so", {"p/1/libdup.so"});
  expect_fails(world, "p/y.so", "libghost.so");
}

TEST(RealWalk, CycleEnds) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .soname = "x.so", .rpath = "$ORIGIN"});
  world.link(library("p/liba.so", {"libb.so"}));
  world.link(library("p/libb.so", {"liba.so", "x.so"}));
  expect_loads(world, "p/x.so", {"p/liba.so", "p/libb.so"});
}

TEST(RealWalk, CycleBackToARootWithoutSonameFindsTheSameFile) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .rpath = "$ORIGIN"});
  world.link(library("p/liba.so", {"x.so"}));
  expect_loads(world, "p/x.so", {"p/liba.so"});
}

TEST(RealWalk, ProcessKeepsItsOwnLibc) {
  World world;
  world.link({.path = "p/x.so", .needed = {"libc.so.6"}, .rpath = "$ORIGIN"});
  world.link(library("p/libc.so.6"));
  expect_loads(world, "p/x.so", {});
}

TEST(RealWalk, ProgramHandsItsRpathDown) {
  World world;
  world.link({.path = "p/tool", .needed = {"liba.so"}, .rpath = "$ORIGIN/lib", .program = true});
  world.link(library("p/lib/liba.so", {"libb.so"}));
  world.link(library("p/lib/libb.so"));
  expect_loads(world, "p/tool", {"p/lib/liba.so", "p/lib/libb.so"});
}

TEST(RealWalk, ProgramKeepsItsRunpathToItself) {
  World world;
  world.link({.path = "p/tool", .needed = {"liba.so"}, .runpath = "$ORIGIN/lib", .program = true});
  world.link(library("p/lib/liba.so", {"libb.so"}));
  world.link(library("p/lib/libb.so"));
  expect_fails(world, "p/tool", "libb.so");
}

TEST(RealWalk, FilteeIsLoadedAndMustExist) {
  World world;
  world.link({.path = "p/x.so", .needed = {"libf.so"}, .rpath = "$ORIGIN"});
  world.link({.path = "p/libf.so", .soname = "libf.so", .filter = "libreal.so"});
  expect_fails(world, "p/x.so", "libreal.so");
  world.link(library("p/libreal.so"));
  expect_loads(world, "p/x.so", {"p/libf.so", "p/libreal.so"});
}

TEST(RealWalk, MissingAuxiliaryIsNoHarm) {
  World world;
  world.link({.path = "p/x.so", .needed = {"libf.so"}, .rpath = "$ORIGIN"});
  world.link({.path = "p/libf.so", .soname = "libf.so", .auxiliary = "libreal.so"});
  expect_loads(world, "p/x.so", {"p/libf.so"});
  world.link(library("p/libreal.so"));
  expect_loads(world, "p/x.so", {"p/libf.so", "p/libreal.so"});
}

// The filtee's needs are processed at once, before those of the filter's later siblings.
TEST(RealWalk, FilteeComesBeforeTheFiltersSiblings) {
  World world;
  world.link({.path = "p/x.so", .needed = {"libf.so", "libz.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/libf.so", .soname = "libf.so", .runpath = "$ORIGIN", .filter = "libreal.so"});
  world.link({.path = "p/libreal.so", .needed = {"liba.so"}, .soname = "libreal.so", .runpath = "$ORIGIN/lib"});
  world.link(library("p/libz.so", {"liba.so"}));
  world.link(library("p/lib/liba.so"));
  expect_loads(world, "p/x.so", {"p/libf.so", "p/libz.so", "p/libreal.so", "p/lib/liba.so"});
}

// Two files have the same soname. The filtee is loaded later, but is inserted before its filter.
TEST(RealWalk, FilteeTakesOverASonameFromALaterFile) {
  World world;
  world.link({.path = "p/x.so", .needed = {"libf.so", "libfirst.so", "liby.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/libf.so", .soname = "libf.so", .runpath = "$ORIGIN", .filter = "libreal.so"});
  world.link({.path = "p/libfirst.so", .soname = "libname.so"});
  world.link({.path = "p/liby.so", .needed = {"libname.so"}, .soname = "liby.so", .wants = {{"libname.so", "V_2"}}});
  world.link({.path = "p/libreal.so", .soname = "libname.so", .defines = {"V_1"}});
  expect_fails(world, "p/x.so", "version `V_2' not found");
}

TEST(RealVersions, MissingDefinitionFails) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN", .wants = {{"liba.so", "QV_2"}}});
  world.link({.path = "p/liba.so", .soname = "liba.so", .defines = {"QV_1"}});
  expect_fails(world, "p/x.so", "version `QV_2' not found");
  world.link({.path = "p/liba.so", .soname = "liba.so", .defines = {"QV_1", "QV_2"}});
  expect_loads(world, "p/x.so", {"p/liba.so"});
}

TEST(RealVersions, WeakNeedMayBeMissing) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN", .wants = {{"liba.so", "QV_2"}}});
  // The function exists without a version, which is sufficient for the relocation.
  world.link({.path = "p/liba.so", .soname = "liba.so", .defines = {"QV_1"}, .exports = {"QV_2"}});
  expect_fails(world, "p/x.so", "version `QV_2' not found");
  world.weaken_version_needs("p/x.so");
  expect_loads(world, "p/x.so", {"p/liba.so"});
}

// Up to glibc 2.40 only if it has version tables for its own needs; otherwise an assertion in elf/dl-lookup.c fails.
TEST(RealVersions, ProviderWithoutDefinitionsIsAccepted) {
  World world;
  world.link({.path = "p/x.so", .needed = {"liba.so"}, .runpath = "$ORIGIN", .wants = {{"liba.so", "QV_2"}}});
  world.link({.path = "p/liba.so",
              .needed = {"libb.so"},
              .soname = "liba.so",
              .runpath = "$ORIGIN",
              .exports = {"QV_2"},
              .wants = {{"libb.so", "BV_1"}}});
  world.link({.path = "p/libb.so", .soname = "libb.so", .defines = {"BV_1"}});
  expect_loads(world, "p/x.so", {"p/liba.so", "p/libb.so"});
}

TEST(RealVersions, AreAskedOfTheFileThatAnswersToTheName) {
  World world;
  world.link({.path = "p/x.so", .needed = {"libold.so", "liby.so"}, .runpath = "$ORIGIN"});
  world.link({.path = "p/libold.so", .soname = "liba.so", .defines = {"QV_1"}});
  world.link({.path = "p/liby.so",
              .needed = {"liba.so"},
              .soname = "liby.so",
              .runpath = "$ORIGIN/lib",
              .wants = {{"liba.so", "QV_2"}}});
  world.link({.path = "p/lib/liba.so", .soname = "liba.so", .defines = {"QV_2"}});
  expect_fails(world, "p/x.so", "version `QV_2' not found");
}

}  // namespace
}  // namespace wheelcheck::oracle
