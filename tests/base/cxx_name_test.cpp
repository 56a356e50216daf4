#include "mangling/cxx_name.h"

#include <gtest/gtest.h>

#include <string>

#include "mangling/name_walk.h"

namespace wheelcheck::test::cxx_name_test {
namespace {

std::string abi(std::string_view symbol) {
  const StringNames names = string_names(symbol);
  return names.old_abi ? names.new_abi ? "both" : "old" : names.new_abi ? "new" : "none";
}

TEST(StringNames, OldIsTheAbbreviationOfGccBefore5) {
  EXPECT_EQ(abi("_ZNSs4_Rep20_S_empty_rep_storageE"), "old");
  EXPECT_EQ(abi("_ZNKSs4findEPKcm"), "old");
  EXPECT_EQ(abi("_ZN3c106detail14torchCheckFailEPKcS2_jRKSs"), "old");
  EXPECT_EQ(abi("_ZNSbIwSt11char_traitsIwESaIwEED1Ev"), "old");
  EXPECT_EQ(abi("_ZTISs"), "old");
  EXPECT_EQ(abi("_ZN3own5itemsERKSt4listIiSaIiEE"), "old");
  EXPECT_EQ(abi("_ZNSt19basic_ostringstreamIcSt11char_traitsIcESaIcEED1Ev"), "old");
}

TEST(StringNames, NewIsTheInlineNamespaceOrTheTag) {
  EXPECT_EQ(abi("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4findEPKcm"), "new");
  EXPECT_EQ(abi("_Z3getB5cxx11v"), "new");
  EXPECT_EQ(abi("_ZN3own5itemsERKNSt7__cxx114listIiSaIiEEE"), "new");
  EXPECT_EQ(abi("_Z4bothRKSsNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"), "both");
}

TEST(StringNames, LettersOfIdentifiersAreNoAbbreviation) {
  EXPECT_EQ(abi("_ZN1a6Ssfoo_Ev"), "none");
  EXPECT_EQ(abi("_ZN9SsAndCo115cxx11Ev"), "none");  // a namespace called cxx11 is not an ABI tag
  EXPECT_EQ(abi("_Z9LLVMPassSSs"), "old");          // the identifier ends before Ss
  EXPECT_EQ(abi("_Z20LLVMPY_GetBufferSsizPv"), "none");
  EXPECT_EQ(abi("LLVMPY_AddStripSymbolsPass"), "none");  // not mangled
  EXPECT_EQ(abi("_ZN3own4list3addEv"), "none");          // a list of the user's own namespace
}

TEST(StringNames, OperatorsAndTypesAreToldApart) {
  EXPECT_EQ(abi("_ZN3FoopLERKSs"), "old");  // operator+=
  EXPECT_EQ(abi("_ZN3FooaSEi"), "none");    // operator=
  EXPECT_EQ(abi("_Z1flSs"), "old");         // f(long, std::string), not operator<<=
  EXPECT_EQ(abi("_ZlSR3FooS0_s"), "none");  // operator<<=(Foo&, Foo, short)
  EXPECT_EQ(abi("_ZN3FoocvSsEv"), "old");   // operator std::string
}

TEST(StringNames, NumbersThatAreNoLengthsAreSteppedOver) {
  EXPECT_EQ(abi("_ZN3FooILi12EE3barERKSs"), "old");
  EXPECT_EQ(abi("_ZN3FooIL5Shape3EE3barERKSs"), "old");  // an enumerator as a value
  EXPECT_EQ(abi("_ZN3FooILN1a5ShapeE3EE3barERKSs"), "old");
  EXPECT_EQ(abi("_ZN3FooILPKc0EE3barERKSs"), "old");
  EXPECT_EQ(abi("_Z3barRA16_KcSs"), "old");
  EXPECT_EQ(abi("_ZThn16_N3foo3barESs"), "old");
  EXPECT_EQ(abi("_ZTCN3foo3barE16_NS_3bazISsEE"), "old");
  EXPECT_EQ(abi("_ZN3FooD2Ev"), "none");
  EXPECT_EQ(abi("_ZZN3Foo3barEvENKUlRKSsE0_clES1_"), "old");  // a closure with a number
  EXPECT_EQ(abi("_ZN3barIT10_SsEvv"), "old");
}

TEST(StringNames, HostileNamesEnd) {
  for (const char* name : {"_Z", "_ZN", "_Z99999999999999999999999Ss", "_ZN0Ss", "_ZTC", "_ZTv0_n24", "_ZUl", "_ZL",
                           "_ZNStL", "_ZNSDv", "_ZTh", "_ZGT", "_ZDv", "_ZNI"})
    EXPECT_NE(abi(name), "both") << name;
  const std::string deep = "_Z1f" + std::string(100'000, 'N') + "Ss";
  EXPECT_EQ(abi(deep), "none");  // deeper than any compiler output
  EXPECT_EQ(abi("_Z1f" + std::string(100'000, 'P') + "Ss"), "old");
  EXPECT_EQ(abi("_ZN" + std::string(100'000, 'K') + "1aESs"), "old");
}

TEST(CxxScope, TellsTheRuntimesFromTheRest) {
  EXPECT_EQ(cxx_scope("_ZSt4cout"), CxxScope::Libstdcxx);
  EXPECT_EQ(cxx_scope("_ZNKSs4findEPKcm"), CxxScope::Libstdcxx);
  EXPECT_EQ(cxx_scope("_ZTVN10__cxxabiv117__class_type_infoE"), CxxScope::Libstdcxx);
  EXPECT_EQ(cxx_scope("_ZN9__gnu_cxx27__verbose_terminate_handlerEv"), CxxScope::Libstdcxx);
  EXPECT_EQ(cxx_scope("_ZNSt6vectorIN3own4ItemESaIS1_EED1Ev"), CxxScope::Libstdcxx);
  EXPECT_EQ(cxx_scope("_ZThn16_NSdD1Ev"), CxxScope::Libstdcxx);
  EXPECT_EQ(cxx_scope("_ZGVZNSt3__16localeE1x"), CxxScope::Libcxx);
  EXPECT_EQ(cxx_scope("_ZNSt6__ndk15mutex4lockEv"), CxxScope::Libcxx);
  EXPECT_EQ(cxx_scope("_ZN3own3runESt6vectorIiSaIiEE"), CxxScope::User);
  EXPECT_EQ(cxx_scope("_ZlsRSoRKN3own4ItemE"), CxxScope::User);
  EXPECT_EQ(cxx_scope("_ZN4core3fmt5write17h0123456789abcdefE"), CxxScope::User);
  EXPECT_EQ(cxx_scope("memcpy"), CxxScope::User);
}

TEST(CxxName, RustsOldManglingIsNoCxx) {
  EXPECT_FALSE(is_cxx_name("_ZN4core3fmt5write17h0123456789abcdefE"));
  EXPECT_FALSE(is_cxx_name("_RNvC4core3foo"));
  EXPECT_TRUE(is_cxx_name("_ZN4core3fmt5writeE"));
}

TEST(RuntimeCode, IsWhatOnlyTheLibraryItselfDefines) {
  EXPECT_TRUE(is_runtime_code("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"));
  EXPECT_TRUE(is_runtime_code("_ZGTtNSt11logic_errorC1EPKc"));
  EXPECT_TRUE(is_runtime_code("_ZTVNSt6thread6_StateE"));
  EXPECT_TRUE(is_runtime_code("_ZNKSt10filesystem7__cxx114path8filenameEv"));
  EXPECT_FALSE(is_runtime_code("_ZNSt6vectorIiSaIiEE4pushEi"));
  EXPECT_FALSE(is_runtime_code("_ZNKSt4hashIN3own4ItemEEclERKS1_"));  // a specialisation of the user
  EXPECT_FALSE(is_runtime_code("_ZNSs4_Rep20_S_empty_rep_storageE"));
  EXPECT_FALSE(is_runtime_code("_ZN3own3runEv"));
}

TEST(QualifiedPart, LeavesTheParametersOut) {
  EXPECT_EQ(qualified_part("_ZN3c106detail14torchCheckFailEPKcS2_jRKSs"), "_ZN3c106detail14torchCheckFailE");
  EXPECT_EQ(qualified_part("_ZNK1a1bIiE1cERKSs"), "_ZNK1a1bIiE1cE");
  EXPECT_EQ(qualified_part("_Z3runSs"), "_Z3run");
  EXPECT_EQ(qualified_part("memcpy"), "");
}

}  // namespace
}  // namespace wheelcheck::test::cxx_name_test
