#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/facts.h"
#include "tests/support/kept.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::exports_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

const std::string so = "foo/x.cpython-311-x86_64-linux-gnu.so";

std::string foo_wheel(const std::string& distribution) {
  return distribution + "-1.0-cp311-cp311-manylinux_2_17_x86_64.whl";
}

KnownLibrary library(const std::string& id, const std::vector<std::string>& namespaces,
                     const std::vector<std::string>& symbols = {}) {
  KnownLibrary result;
  result.id = test::kept(id);
  result.name = test::kept("The " + id);
  result.namespaces = test::kept_list(namespaces);
  result.symbols = test::kept_list(symbols);
  return result;
}

Knowledge known() {
  Knowledge knowledge;
  KnownLibrary llvm = library("llvm", {"llvm", "mlir"});
  llvm.owners = test::kept_list({"llvmlite"});
  KnownLibrary opencv = library("opencv", {"cv"});
  opencv.owners = test::kept_list({"opencv-python*"});
  llvm.symbols = test::kept_list({"LLVM*"});
  KnownLibrary ssl = library("openssl", {}, {"SSL_*"});
  ssl.sonames = test::kept_list({"libssl.so.{version}"});
  knowledge.libraries = {llvm, opencv, ssl};
  return knowledge;
}

struct Analysed : Analysis {
  WheelFacts wheel;  // owns the texts of the examples

  Analysed(WheelFacts facts, const RuleOptions& options)
      : Analysis(analyse(facts, resolve_by_name(facts), known(), options)), wheel(std::move(facts)) {}
};
Analysed analysed(const WheelBuilder& builder, const RuleOptions& options = {}) { return {builder.build(), options}; }

TEST(Exports, AreCountedByFormAndByScope) {
  const Analysed analysis = analysed(WheelBuilder(foo_wheel("foo"))
                                         .elf(ElfBuilder(so)
                                                  .exports("PyInit_x")
                                                  .exports("_ZN3foo3barEv")
                                                  .exports("_ZN3foo3bazEv")
                                                  .exports("_ZTVN3foo1XE", SymbolKind::Object)
                                                  .exports("_ZN3abc1fEv")
                                                  .exports("_Z6globalv")
                                                  .exports("_ZNSt6vectorIiSaIiEE1fEv")
                                                  .exports("_ZN3foo1uE", SymbolKind::Object, Binding::Unique)
                                                  .exports("_RNvC5crate3foo")));
  const ExportSummary& exports = analysis.elfs[0].exports;
  EXPECT_EQ(exports.all, 9U);
  EXPECT_EQ(exports.c, 1U);
  EXPECT_EQ(exports.cxx, 7U);
  EXPECT_EQ(exports.rust, 1U);
  EXPECT_EQ(exports.standard, 1U);
  EXPECT_EQ(exports.rtti, 1U);
  EXPECT_EQ(exports.unique, 1U);
  ASSERT_EQ(exports.scopes.size(), 4U);
  EXPECT_EQ(exports.scopes[0].scope, "foo");
  EXPECT_EQ(exports.scopes[0].exports, 4U);
  EXPECT_EQ(exports.scopes[0].rtti, 1U);
  EXPECT_TRUE(exports.scopes[0].own);
  EXPECT_EQ(exports.scopes[1].scope, "");
  EXPECT_EQ(exports.scopes[2].scope, "abc");
  EXPECT_FALSE(exports.scopes[2].own);
  EXPECT_EQ(exports.scopes[3].scope, "std");
  EXPECT_FALSE(exports.scopes[3].own);
  EXPECT_TRUE(exports.libraries.empty());
}

TEST(Exports, AreCountedByLibraryWithExamplesThatDoNotDependOnTheirOrder) {
  ElfBuilder elf(so);
  elf.exports("_ZTVN4llvm1AE", SymbolKind::Object);
  for (const char* name :
       {"_ZN4llvm1gEv", "_ZN4mlir1bEv", "_ZN4llvm1fEv", "_ZN4llvm1eEv", "_ZN4llvm1dEv", "_ZN4llvm1cEv"})
    elf.exports(name);
  const Analysed analysis = analysed(WheelBuilder(foo_wheel("foo")).elf(elf.exports("SSL_new")));
  const auto& libraries = analysis.elfs[0].exports.libraries;
  ASSERT_EQ(libraries.size(), 2U);
  EXPECT_EQ(libraries[0].library, "llvm");
  EXPECT_EQ(libraries[0].name, "The llvm");
  EXPECT_EQ(libraries[0].exports, 7U);
  EXPECT_EQ(libraries[0].rtti, 1U);
  EXPECT_FALSE(libraries[0].own);
  EXPECT_FALSE(libraries[0].itself);
  EXPECT_THAT(libraries[0].examples,
              ElementsAre("_ZN4llvm1cEv", "_ZN4llvm1dEv", "_ZN4llvm1eEv", "_ZN4llvm1fEv", "_ZN4llvm1gEv"));
  EXPECT_EQ(libraries[1].library, "openssl");
}

TEST(Exports, ShowExamplesOfBothKindsOfNames) {
  ElfBuilder elf(so);
  for (const char* name : {"LLVMc", "LLVMb", "LLVMa", "_ZN4llvm1dEv", "_ZN4llvm1cEv", "_ZN4llvm1bEv", "_ZN4llvm1aEv"})
    elf.exports(name);
  const Analysed analysis = analysed(WheelBuilder(foo_wheel("foo")).elf(elf));
  const LibraryCount& llvm = analysis.elfs[0].exports.libraries.at(0);
  EXPECT_EQ(llvm.exports, 7U);
  EXPECT_EQ(llvm.cxx, 4U);
  EXPECT_THAT(llvm.examples, ElementsAre("_ZN4llvm1aEv", "_ZN4llvm1bEv", "_ZN4llvm1cEv", "LLVMa", "LLVMb"));
}

TEST(Exports, KnowAFileThatIsTheLibraryItself) {
  const auto itself = [](const ElfBuilder& elf) {
    const WheelFacts wheel = WheelBuilder(foo_wheel("foo")).elf(ElfBuilder(elf).exports("SSL_new")).build();
    return analyse(wheel, resolve_by_name(wheel), known(), {}).elfs[0].exports.libraries.at(0).itself;
  };
  EXPECT_TRUE(itself(ElfBuilder("foo/libssl.so.3")));
  EXPECT_TRUE(itself(ElfBuilder("foo/x.so").soname("libssl.so.3")));
  EXPECT_TRUE(itself(ElfBuilder("foo.libs/libssl-3c6aa9f0-0352e75f.so.3")));
  EXPECT_TRUE(itself(ElfBuilder("foo.libs/libssl-3c6aa9f0.so.3").soname("libssl-3c6aa9f0.so.3")));
  EXPECT_FALSE(itself(ElfBuilder("foo.libs/libssl-tests.so.3")));
  EXPECT_FALSE(itself(ElfBuilder("foo/libpq.so.5").soname("libpq.so.5")));
}

TEST(Exports, OfAFileWithoutADynamicTableAreNone) {
  const Analysed analysis = analysed(WheelBuilder(foo_wheel("foo")).elf(ElfBuilder(so).no_dynamic()));
  EXPECT_EQ(analysis.elfs.at(0).exports.all, 0U);
}

// --- own product --------------------------------------------------------------------------------------------------
std::vector<std::string> own(const std::string& distribution, const ElfBuilder& elf, const RuleOptions& options = {}) {
  return analysed(WheelBuilder(foo_wheel(distribution)).elf(elf), options).own_scopes;
}

TEST(OwnScopes, AreWhatTheDistributionIsCalled) {
  EXPECT_THAT(own("light_gbm", ElfBuilder("lib/x.so").exports("_ZN8LightGBM1fEv")), Contains("LightGBM"));
  const ElfBuilder two =
      ElfBuilder("p/x.so").exports("_ZN5arrow1fEv").exports("_ZN5other1fEv").exports("_ZN5other1gEv");
  EXPECT_THAT(own("pyarrow", two), Contains("arrow"));
  EXPECT_THAT(own("arrow_cpu", two), Contains("arrow"));
  EXPECT_THAT(own("bow", two), Not(Contains("arrow")));
}

TEST(OwnScopes, AreWhatThePackagesAreCalled) {
  const auto scopes =
      own("bar", ElfBuilder("tsl/_x.so").exports("_ZN3tsl1fEv").exports("_ZN2xy1fEv").exports("_ZN2xy1gEv"));
  EXPECT_THAT(scopes, ElementsAre("tsl", "xy"));
}

// A library that is given without a wheel: its distribution is the name of the file.
TEST(OwnScopes, OfAFileAloneAreWhatItIsCalled) {
  const auto own_of_file = [](const char* file) {
    WheelFacts facts = WheelBuilder("foo-1.0-py3-none-any.whl")
                           .elf(ElfBuilder(file).exports("_ZN5arrow1fEv").exports("_ZN2ab1fEv").exports("_ZN2ab1gEv"))
                           .build();
    facts.file = facts.name.distribution = file;
    return analyse(facts, {}, {}, {}).own_scopes;
  };
  EXPECT_THAT(own_of_file("libarrow_acero.so.2600"), ElementsAre("arrow"));
  EXPECT_THAT(own_of_file("libarrow.so"), ElementsAre("arrow"));
  EXPECT_THAT(own_of_file("libother.so"), ElementsAre("ab"));
}

TEST(OwnScopes, HoldTheMostCommonScopeOfNoKnownLibrary) {
  ElfBuilder elf(so);
  for (const char* name :
       {"_ZN4llvm1aEv", "_ZN4llvm1bEv", "_ZN4llvm1cEv", "_ZNSt1aEv", "_ZNSt1bEv", "_ZNSt1cEv", "_ZN12_GLOBAL__N_11aEv",
        "_ZN12_GLOBAL__N_11bEv", "_Z1av", "_Z1bv", "_ZN1x1aEv", "_ZN1x1bEv"})
    elf.exports(name);
  EXPECT_THAT(own("bar", elf.exports("_ZN1y1aEv")), ElementsAre("x"));
}

TEST(OwnScopes, HoldKnownLibrariesWhoseOwnerTheDistributionIs) {
  const ElfBuilder cv = ElfBuilder("cv2/x.so").exports("_ZN2cv1fEv");
  EXPECT_THAT(own("opencv_python_headless", cv), ElementsAre("cv", "opencv"));
  EXPECT_THAT(own("opencv_contrib", cv), ElementsAre("cv", "opencv"));
  EXPECT_THAT(own("foo", cv), testing::IsEmpty());
  EXPECT_THAT(own("LLVMLite", ElfBuilder("llvmlite/x.so")), ElementsAre("llvm", "mlir"));
}

TEST(OwnScopes, HoldWhatTheUserSays) {
  const ElfBuilder elf = ElfBuilder(so).exports("_ZN4mlir1fEv");
  RuleOptions options;
  options.own_namespaces = {"mlir"};
  EXPECT_THAT(own("bar", elf, options), ElementsAre("llvm", "mlir"));
  const Analysed analysis = analysed(WheelBuilder(foo_wheel("bar")).elf(elf), options);
  EXPECT_TRUE(analysis.elfs[0].exports.libraries.at(0).own);
}

}  // namespace
}  // namespace wheelcheck::test::exports_test
