// Tests the derivation of a level from several systems, and the list of what some of them lack.
#include "wheelcheck/derive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "policy/builtin.h"
#include "policy/load.h"

namespace wheelcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

OfferedLibrary offered(const std::string& soname, std::vector<std::string> versions,
                       std::vector<OfferedSymbol> symbols = {}) {
  std::ranges::sort(versions);
  std::ranges::sort(symbols);
  return {soname, "usr/lib/" + soname, std::move(versions), std::move(symbols)};
}
Root root(std::string label, std::vector<OfferedLibrary> libraries, Arch arch = Arch::x86_64) {
  Root out{std::move(label), {}};
  for (OfferedLibrary& one : libraries) {
    const std::string soname = one.soname;
    out.libraries[arch].emplace(soname, std::move(one));
  }
  return out;
}

// A level with libc and libz for x86-64 that judges GLIBC and ZLIB.
policy::Level base() {
  auto read = policy::levels_of_text("base.json", R"({"name": "manylinux_2_17", "libc": {"family": "glibc",
    "version": "2.17"}, "libraries": ["libc.so.6", "libz.so.1"], "denied_symbols": {"libz.so.1": ["inner", "old"]},
    "architectures": {"x86_64": {"versions": {"GLIBC": ["2.2.5"], "ZLIB": ["1.2.0"]}}}})");
  EXPECT_TRUE(read) << read.error().message;
  return read->front();
}
DeriveInput input(std::string name) { return {.name = std::move(name), .base = base()}; }

const OfferedLibrary libc = offered("libc.so.6", {"GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.36", "GLIBC_PRIVATE"});

TEST(Derive, PromisesWhatEveryRootOffers) {
  const std::vector<Root> roots = {
      root("old", {libc, offered("libz.so.1", {"ZLIB_1.2.0", "ZLIB_1.2.9"}, {{"old", ""}})}),
      root("new", {offered("libc.so.6", {"GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.36", "GLIBC_2.41"}),
                   offered("libz.so.1", {"ZLIB_1.2.0", "ZLIB_1.2.12"}, {{"old", ""}})})};
  const auto derived = derive_level(input("manylinux_2_36"), roots);
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_EQ(derived->level.libc, (Version{{2, 36}}));
  const Policy& policy = derived->level.policies.at(Arch::x86_64);
  EXPECT_EQ(policy.versions.at("GLIBC"), (StringSet{"2.2.5", "2.17", "2.36"}));
  EXPECT_EQ(policy.versions.at("ZLIB"), (StringSet{"1.2.0"}));
  EXPECT_EQ(policy.libraries, (StringSet{"libc.so.6", "libz.so.1"}));
  EXPECT_EQ(policy.denied_symbols.at("libz.so.1"), (StringSet{"inner"})) << "every root has `old` by now";
  ASSERT_THAT(derived->lacks, SizeIs(4));
  EXPECT_THAT(derived->lacks[0].names, ElementsAre("GLIBC_2.41"));
  EXPECT_THAT(derived->lacks[0].has_it, ElementsAre("new"));
  EXPECT_THAT(derived->lacks[0].lacks, ElementsAre("old"));
  EXPECT_THAT(derived->lacks[3].names, ElementsAre("inner"));
  EXPECT_THAT(derived->lacks[3].has_it, IsEmpty());
}

TEST(Derive, DeniesSymbolsThatARootLacks) {
  const std::vector<Root> roots = {
      root("a", {libc, offered("libz.so.1", {"ZLIB_1.2.9"},
                               {{"both", ""}, {"inner", ""}, {"old", ""}, {"only_a", ""}, {"fresh", "ZLIB_1.2.9"}})}),
      root("b", {libc, offered("libz.so.1", {}, {{"both", ""}, {"inner", ""}, {"old", ""}, {"_end", ""}})})};
  const auto derived = derive_level(input("manylinux_2_36"), roots);
  ASSERT_TRUE(derived) << derived.error().message;
  // Symbols of a node that is not allowed are not denied. Symbols of the linker are in any file.
  EXPECT_EQ(derived->level.policies.at(Arch::x86_64).denied_symbols.at("libz.so.1"), (StringSet{"only_a"}));
}

TEST(Derive, LeavesOutALibraryThatARootHasNot) {
  const std::vector<Root> roots = {root("a", {libc, offered("libz.so.1", {})}), root("b", {libc})};
  const auto derived = derive_level(input("manylinux_2_36"), roots);
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_EQ(derived->level.policies.at(Arch::x86_64).libraries, (StringSet{"libc.so.6"}));
  ASSERT_THAT(derived->lacks, SizeIs(1));
  EXPECT_EQ(derived->lacks[0].kind, Lack::Kind::Library);
  EXPECT_EQ(derived->lacks[0].library, "libz.so.1");
  EXPECT_THAT(derived->lacks[0].lacks, ElementsAre("b"));
}

TEST(Derive, AsksForLibrariesOfTheUserAndForNodesOfTheLoader) {
  DeriveInput more = input("manylinux_2_36");
  more.more_libraries = {"libnew.so.1"};
  const std::vector<Root> roots = {
      root("a", {offered("libc.so.6", {"GLIBC_2.2.5"}), offered("libz.so.1", {}),
                 offered("libnew.so.1", {"NEW_1", "GLIBC_2.9"}), offered("ld-linux-x86-64.so.2", {"GLIBC_2.35"})})};
  const auto derived = derive_level(more, roots);
  ASSERT_TRUE(derived) << derived.error().message;
  const Policy& policy = derived->level.policies.at(Arch::x86_64);
  EXPECT_EQ(policy.libraries, (StringSet{"libc.so.6", "libnew.so.1", "libz.so.1"}));
  EXPECT_EQ(policy.versions.at("GLIBC"), (StringSet{"2.2.5", "2.9", "2.35"}));
  EXPECT_FALSE(policy.versions.contains("NEW"));
  EXPECT_THAT(derived->unjudged.at("libnew.so.1"), ElementsAre("NEW"));
}

TEST(Derive, AnArchitectureIsJudgedByTheRootsThatHaveIt) {
  const std::vector<Root> roots = {root("a", {libc, offered("libz.so.1", {})}),
                                   root("b", {libc, offered("libz.so.1", {})}, Arch::riscv64)};
  const auto derived = derive_level(input("manylinux_2_36"), roots);
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_THAT(derived->level.policies, SizeIs(2));
  // The base has no riscv64, so the libraries of all its architectures are considered.
  EXPECT_EQ(derived->level.policies.at(Arch::riscv64).libraries, (StringSet{"libc.so.6", "libz.so.1"}));
  ASSERT_FALSE(derived->lacks.empty());
  EXPECT_EQ(derived->lacks[0].kind, Lack::Kind::Architecture);
  EXPECT_THAT(derived->lacks[0].lacks, ElementsAre("b"));
}

TEST(Derive, ANameOfOnesOwnIsPlacedByTheNodesOrByHand) {
  const std::vector<Root> roots = {root("a", {libc, offered("libz.so.1", {})})};
  const auto derived = derive_level(input("mylinux_1"), roots);
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_EQ(derived->level.libc, (Version{{2, 36}}));
  DeriveInput by_hand = input("mylinux_1");
  by_hand.libc = Version{{2, 37}};
  EXPECT_EQ(derive_level(by_hand, roots)->level.libc, (Version{{2, 37}}));
}

TEST(Derive, RefusesWhatMakesNoLevel) {
  const std::vector<Root> roots = {root("a", {libc})};
  DeriveInput other_libc = input("manylinux_2_36");
  other_libc.libc = Version{{2, 35}};
  EXPECT_EQ(derive_level(other_libc, roots).error().code, ErrorCode::Usage);
  EXPECT_EQ(derive_level(input("musllinux_1_2"), roots).error().code, ErrorCode::Usage);
  EXPECT_EQ(derive_level(input("my linux"), roots).error().code, ErrorCode::Usage);
  EXPECT_EQ(derive_level(input("mylinux_1"), std::vector{root("a", {offered("libfoo.so", {})})}).error().code,
            ErrorCode::NotFound);
}

TEST(Derive, AnArchitectureThatNoRootHasIsAnError) {
  DeriveInput other = input("manylinux_2_36");
  other.arches = {Arch::riscv64};
  const auto derived = derive_level(other, std::vector{root("a", {libc})});
  ASSERT_FALSE(derived);
  EXPECT_EQ(derived.error().code, ErrorCode::NotFound);
  EXPECT_THAT(derived.error().message, HasSubstr("riscv64"));
}

TEST(Derive, MuslTakesTheNamesOfItsPartsForItself) {
  auto musl = policy::levels_of_text("musl.json", R"({"name": "musllinux_1_2", "libc": {"family": "musl",
    "version": "1.2"}, "libraries": ["libc.musl-x86_64.so.1", "libc.so", "libm.so", "libz.so.1"],
    "architectures": {"x86_64": {}}})");
  ASSERT_TRUE(musl) << musl.error().message;
  const std::vector<Root> roots = {
      root("alpine", {offered("libc.musl-x86_64.so.1", {}, {{"printf", ""}}), offered("libz.so.1", {})})};
  const auto derived = derive_level({.name = "musllinux_1_2", .base = musl->front()}, roots);
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_EQ(derived->level.policies.at(Arch::x86_64).libraries,
            (StringSet{"libc.musl-x86_64.so.1", "libc.so", "libm.so", "libz.so.1"}));
}

TEST(Derive, TheDocumentLoadsAgainAndSaysItsRoots) {
  const std::vector<Root> roots = {root("a", {libc, offered("libz.so.1", {"ZLIB_1.2.0"})}),
                                   root("b", {libc, offered("libz.so.1", {"ZLIB_1.2.0"})})};
  const auto derived = derive_level(input("manylinux_2_36"), roots);
  ASSERT_TRUE(derived) << derived.error().message;
  const std::string text = derived_document(*derived);
  EXPECT_THAT(text, HasSubstr(R"("basis": "Derived from a, b")"));
  const auto again = policy::levels_of_text("derived.json", text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_THAT(compare_levels(derived->level, again->front()).architectures, IsEmpty());
}

}  // namespace
}  // namespace wheelcheck
