#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/analysed.h"
#include "tests/support/facts.h"

namespace wheelcheck::test::cxx_abi_test {
namespace {

constexpr const char* new_string = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

CxxAbi of(const ElfBuilder& elf) {
  static std::vector<ElfMember> kept;  // the views of the result point into the facts
  kept.reserve(1000);
  kept.push_back(elf.build(MemberIndex{0}));
  return cxx_abi_of(kept.back());
}
ElfBuilder cxx() { return ElfBuilder("foo/libx.so").needed("libstdc++.so.6"); }

TEST(CxxAbi, CountsTheStringsOfBothSides) {
  const CxxAbi abi = of(cxx()
                            .exports("_ZN3foo3getERKSs")
                            .exports(std::string("_ZN3foo3putERK") + new_string)
                            .exports("_ZNSt6vectorISsSaISsEE9push_backERKSs", SymbolKind::Function, Binding::Weak)
                            .import("_ZNSs6appendERKSs", "libstdc++.so.6", "GLIBCXX_3.4"));
  EXPECT_EQ(abi.defined_old, 2U);
  EXPECT_EQ(abi.defined_new, 1U);
  EXPECT_EQ(abi.own_old, 1U);
  EXPECT_EQ(abi.own_new, 1U);
  EXPECT_EQ(abi.imported_old, 1U);
  EXPECT_EQ(abi.defined, StringAbi::Both);
  EXPECT_EQ(abi.imported, StringAbi::Old);
  EXPECT_THAT(abi.examples_old, testing::ElementsAre("_ZN3foo3getERKSs", "_ZNSs6appendERKSs"));
}

TEST(CxxAbi, KeepsFiveExamplesTheDefinedOnesFirst) {
  ElfBuilder elf = cxx();
  for (const char c : {'a', 'b', 'c'}) elf.import(std::string("_ZN3foo1") + c + "ESs");
  for (const char c : {'u', 'v', 'w'}) elf.exports(std::string("_ZN3foo1") + c + "ESs");
  EXPECT_THAT(of(elf).examples_old,
              testing::ElementsAre("_ZN3foo1uESs", "_ZN3foo1vESs", "_ZN3foo1wESs", "_ZN3foo1aESs", "_ZN3foo1bESs"));
}

TEST(CxxAbi, TakesTheRuntimeFromTheNeededLibraries) {
  EXPECT_EQ(of(cxx()).runtime, CxxRuntime::Libstdcxx);
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").needed("libstdc++-1a2b3c4d.so.6.0.28")).runtime, CxxRuntime::Libstdcxx);
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").needed("libc++.so.1")).runtime, CxxRuntime::Libcxx);
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").needed("libc++_shared.so")).runtime, CxxRuntime::Libcxx);
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").needed("libc++abi.so.1")).runtime, CxxRuntime::Libcxx);
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").needed("libc++utils.so.1")).runtime, CxxRuntime::None);
  EXPECT_THAT(of(cxx()).runtime_evidence, testing::ElementsAre("libstdc++.so.6"));
}

TEST(CxxAbi, AHybridDefinesCodeOfTheLibraryThatItNeeds) {
  const CxxAbi abi = of(cxx().exports("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateEEPFvvE"));
  EXPECT_EQ(abi.runtime, CxxRuntime::Hybrid);
  ASSERT_EQ(abi.runtime_evidence.size(), 2U);
  EXPECT_TRUE(abi.runtime_evidence[1].starts_with("_ZNSt6thread15"));
  // Inline functions of a header are weak in every file that uses them, and a specialisation for a user's type is a
  // template.
  EXPECT_EQ(of(cxx().exports("_ZNSt13runtime_errorC1EOS_", SymbolKind::Function, Binding::Weak)).runtime,
            CxxRuntime::Libstdcxx);
  EXPECT_EQ(of(cxx().exports("_ZNKSt4hashIN3foo4ItemEEclERKS1_")).runtime, CxxRuntime::Libstdcxx);
}

TEST(CxxAbi, AHiddenHybridLacksTheBaseOfItsThreads) {
  const ElfBuilder threads = cxx().exports("_ZTINSt6thread11_State_implINS_8_InvokerISt5tupleIJPFvvEEEEEEE",
                                           SymbolKind::Object, Binding::Weak);
  EXPECT_EQ(of(threads).runtime, CxxRuntime::Hybrid);
  EXPECT_EQ(of(ElfBuilder(threads).import("_ZTINSt6thread6_StateE", "libstdc++.so.6", "GLIBCXX_3.4.22")).runtime,
            CxxRuntime::Libstdcxx);
}

TEST(CxxAbi, OldStringsThatNobodyDestroysAreOfHiddenParts) {
  const ElfBuilder hybrid = cxx()
                                .exports(std::string("_ZN3foo3putERK") + new_string)
                                .import("_ZNSsC1EPKcRKSaIcE", "libstdc++.so.6", "GLIBCXX_3.4");
  EXPECT_EQ(of(hybrid).runtime, CxxRuntime::Hybrid);
  EXPECT_EQ(of(hybrid).imported_old, 1U);
  EXPECT_EQ(of(hybrid).imported, StringAbi::None);
  const ElfBuilder own = ElfBuilder(hybrid).import("_ZNSs4_Rep10_M_destroyERKSaIcE", "libstdc++.so.6", "GLIBCXX_3.4");
  EXPECT_EQ(of(own).runtime, CxxRuntime::Libstdcxx);
  EXPECT_EQ(of(own).imported, StringAbi::Old) << "code of the file destroys what it makes";
}

TEST(CxxAbi, FewOldImportsOfVisiblePartsAreNotTheFilesOwn) {
  const ElfBuilder parts = cxx()
                               .exports("_ZNSt13runtime_errorC1EOS_")
                               .import("_ZNSsC1ERKSs", "libstdc++.so.6", "GLIBCXX_3.4")
                               .import("_ZNSs4_Rep10_M_destroyERKSaIcE", "libstdc++.so.6", "GLIBCXX_3.4");
  EXPECT_EQ(of(parts).imported, StringAbi::Old) << "there is nothing else in the file";
  EXPECT_EQ(of(ElfBuilder(parts).exports(std::string("_ZN3foo3putERK") + new_string)).imported, StringAbi::None);
  EXPECT_EQ(of(ElfBuilder(parts).exports("_ZN3foo3putERKSs")).imported, StringAbi::Old);
}

TEST(CxxAbi, ALinkedInRuntimeShowsByItsCode) {
  const ElfBuilder file("foo/libx.so");
  EXPECT_EQ(of(ElfBuilder(file).exports("__cxa_throw")).runtime, CxxRuntime::StaticLibstdcxx);
  EXPECT_EQ(of(ElfBuilder(file).exports("__cxa_throw").exports("_ZNSt3__15mutex4lockEv")).runtime,
            CxxRuntime::StaticLibcxx);
  EXPECT_EQ(of(ElfBuilder(file).exports("_ZNSt8ios_base4InitC1Ev")).runtime, CxxRuntime::StaticLibstdcxx);
  EXPECT_EQ(of(ElfBuilder(file).exports("_Znwm")).runtime, CxxRuntime::Undecided) << "an allocator of one's own";
}

TEST(CxxAbi, AHiddenRuntimeShowsByWhatItAsksOfTheCLibrary) {
  ElfBuilder gnu("foo/libx.so"), llvm("foo/libx.so");
  for (const char* name : {"__wcsftime_l", "__nl_langinfo_l", "__iswctype_l", "__uselocale", "__newlocale"}) {
    EXPECT_EQ(of(gnu).runtime, CxxRuntime::None);
    gnu.import(name, "libc.so.6", "GLIBC_2.2.5");
  }
  EXPECT_EQ(of(gnu).runtime, CxxRuntime::StaticLibstdcxx);
  for (const char* name : {"catopen", "catgets", "iswblank_l", "strtoll_l", "wcsxfrm_l"})
    llvm.import(name, "libc.so.6", "GLIBC_2.2.5");
  EXPECT_EQ(of(llvm).runtime, CxxRuntime::StaticLibcxx);
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").import("_Unwind_Resume_or_Rethrow", "libgcc_s.so.1", "GCC_3.3")).runtime,
            CxxRuntime::StaticLibstdcxx);
}

TEST(CxxAbi, WithoutATellingSymbolItIsUndecidedOrNoCxx) {
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").import("_ZN3bar3runEv")).runtime, CxxRuntime::Undecided);
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").import("PyLong_AsSsize_t")).runtime, CxxRuntime::None);
  EXPECT_EQ(of(ElfBuilder("foo/libx.so").exports("_ZN4core3fmt17h0123456789abcdefE")).runtime, CxxRuntime::None);
  EXPECT_EQ(of(ElfBuilder("foo/tool").no_dynamic()).runtime, CxxRuntime::None);
}

TEST(CxxAbi, ReadsWhoCompiledIt) {
  const CxxAbi abi = of(cxx()
                            .comment("GCC: (GNU) 4.8.5 20150623 (Red Hat 4.8.5-44)")
                            .comment("GCC: (GNU) 10.2.1 20210130 (Red Hat 10.2.1-11)")
                            .comment("GCC: (Debian 12.2.0-14+deb12u1) 12.2.0")
                            .comment("GCC: (crosstool-NG (x) 1.25) 9.5.0")
                            .comment("Debian clang version 19.1.7 (3~deb12u1)")
                            .comment("Linker: LLD 18.1.8 (https://example.com 3b5b5c1ec4a3)")
                            .comment("rustc version 1.80.0 (051478957 2024-07-21)")
                            .comment("something else"));
  std::vector<std::string> seen;
  for (const Compiler& compiler : abi.compilers) seen.push_back(compiler.name + ' ' + compiler.version);
  EXPECT_THAT(seen, testing::ElementsAre("GCC 10.2.1", "GCC 12.2.0", "GCC 4.8.5", "GCC 9.5.0", "LLD 18.1.8",
                                         "clang 19.1.7", "other ", "rustc 1.80.0"));
  EXPECT_EQ(abi.compilers[0].text, "GCC: (GNU) 10.2.1 20210130 (Red Hat 10.2.1-11)");
}

TEST(CxxAbi, KnowsCxx11OfAGccThatHadNotFinishedIt) {
  const ElfBuilder old = cxx()
                             .comment("GCC: (GNU) 4.8.2 20140120 (Red Hat 4.8.2-15)")
                             .exports("_ZN3foo3runESt10unique_ptrINS_4ItemESt14default_deleteIS1_EE");
  EXPECT_TRUE(of(old).early_cxx11);
  EXPECT_FALSE(of(ElfBuilder(old).comment("GCC: (GNU) 8.3.1 20190311 (Red Hat 8.3.1-3)")).early_cxx11);
  EXPECT_FALSE(of(cxx().comment("GCC: (GNU) 4.8.2 20140120").exports("_ZN3foo3runEv")).early_cxx11);
}

}  // namespace
}  // namespace wheelcheck::test::cxx_abi_test
