#include "mangling/mangled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"

namespace wheelcheck::test::mangled_test {
namespace {

using Made = Mangled::Made;
using Scheme = Mangled::Scheme;

std::string scopes(std::string_view symbol) {
  const Mangled read = read_mangled(symbol);
  std::vector<std::string> parts;
  for (const std::string_view scope : read.scopes()) parts.emplace_back(scope);
  return read.scheme == Scheme::None ? "not mangled" : join(parts, "::");
}

struct Case {
  std::string_view symbol, scopes;
};

TEST(Mangled, ReadsTheScopesOfNestedNames) {
  for (const Case& c : {Case{"_ZN4llvm19raw_svector_ostream10write_implEPKcm", "llvm::raw_svector_ostream"},
                        {"_ZN4llvm4errsEv", "llvm"},
                        {"_ZNK4llvm5Value7getNameEv", "llvm::Value"},
                        {"_ZNVK4llvm5Value7getNameEv", "llvm::Value"},
                        {"_ZNKR4llvm8OptionalIiE5valueEv", "llvm"},
                        {"_ZNO4llvm5Error4takeEv", "llvm::Error"},
                        {"_ZNH3Foo3barEv", "Foo"},
                        {"_ZN1a1b1c1d1e1fEv", "a::b::c::d"},
                        {"_ZN3FooC1Ev", "Foo"},
                        {"_ZN3FooD0Ev", "Foo"},
                        {"_ZN3FoocvbEv", "Foo"},
                        {"_ZN4absllsERSoi", "absl"},
                        {"_ZN4absl12lts_2025012711string_viewC2Ev", "absl::lts_20250127::string_view"},
                        {"_ZN4absl12lts_202501276StrCatB5cxx11Ev", "absl::lts_20250127"},
                        {"_ZN3fmtB2v93v113putEv", "fmt::v11"},
                        {"_ZN1xDC1a1bEE", "x"},
                        {"_ZN3fooL3barEv", "foo"},
                        {"_ZN3fooF3barEv", "foo"},
                        {"_ZN3fooUt_3barEv", "foo"},
                        {"_ZNK3fooMUlvE_clEv", "foo"},
                        {"_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)"},
                        {"_ZN4llvm12_GLOBAL__N_13fooEv", "llvm::(anonymous namespace)"}})
    EXPECT_EQ(scopes(c.symbol), c.scopes) << c.symbol;
}

TEST(Mangled, HasNoScopeForNamesAtGlobalScope) {
  for (const std::string_view symbol :
       {"_Z3foov", "_ZL3foov", "_Z3fooIN4llvm1XEEvT_", "_Z3fooB5cxx11v", "_Znwm", "_ZdlPv", "_ZlsRSoi", "_ZaSv",
        "_Zv23foov", "_ZDC1a1bE", "_ZNKUlvE_clEv", "_ZNUt_3fooEv", "_ZGV3foo", "_ZTW3foo", "_ZZ3foovE1x",
        "_ZTIZ3foovE1X", "_ZTSZ3foovEUlvE_", "_ZW3FooW3Bar3bazv"})
    EXPECT_EQ(scopes(symbol), "") << symbol;
}

TEST(Mangled, StopsAtTemplateArguments) {
  EXPECT_EQ(scopes("_ZN3FooIN4llvm1XEE3barEv"), "Foo");
  EXPECT_EQ(scopes("_ZNK5Eigen6MatrixIdLi3ELi3EE4rowsEv"), "Eigen");
  EXPECT_EQ(scopes("_ZN5Eigen8internal3fooIZN4llvm3barEvEUlvE_EEvT_"), "Eigen::internal");
  EXPECT_EQ(scopes("_ZTVN5Eigen6MatrixIdLi3EEE"), "Eigen::Matrix");
}

TEST(Mangled, KnowsTheAbbreviationsOfTheStandardLibrary) {
  for (const Case& c : {Case{"_ZSt4cout", "std"},
                        {"_ZStL8__ioinit", "std"},
                        {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "std"},
                        {"_ZNSt6vectorIN4llvm5ValueESaIS1_EE9push_backERKS1_", "std"},
                        {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc", "std::__cxx11"},
                        {"_ZNKSs4sizeEv", "std::basic_string"},
                        {"_ZNSa3fooEv", "std::allocator"},
                        {"_ZNSbIwSt11char_traitsIwESaIwEE4swapERS2_", "std::basic_string"},
                        {"_ZNSi3getEv", "std::basic_istream"},
                        {"_ZNSo3putEc", "std::basic_ostream"},
                        {"_ZNSdC1Ev", "std::basic_iostream"},
                        {"_ZTISt9exception", "std::exception"},
                        {"_ZTVNSt8ios_base7failureE", "std::ios_base::failure"},
                        {"_ZTISs", "std::basic_string"}})
    EXPECT_EQ(scopes(c.symbol), c.scopes) << c.symbol;
}

TEST(Mangled, SaysWhatTheCompilerMadeASymbolFor) {
  struct Special {
    std::string_view symbol;
    Made made;
    std::string_view scopes;
    bool rtti;
  };
  for (const Special& c : {Special{"_ZTVN4llvm5ValueE", Made::Vtable, "llvm::Value", true},
                           {"_ZTV3Foo", Made::Vtable, "Foo", true},
                           {"_ZTT3Foo", Made::Vtt, "Foo", true},
                           {"_ZTCN4llvm3FooE16_NS_3BarE", Made::ConstructionVtable, "llvm::Foo", true},
                           {"_ZTIN4llvm5ValueE", Made::Typeinfo, "llvm::Value", true},
                           {"_ZTSPKN4llvm5ValueE", Made::TypeinfoName, "llvm::Value", true},
                           {"_ZTIA5_N4llvm5ValueE", Made::Typeinfo, "llvm::Value", true},
                           {"_ZTIU8__vectorTs3foo", Made::Typeinfo, "foo", true},
                           {"_ZTIPKc", Made::Typeinfo, "", true},
                           {"_ZTIFvRN4llvm3FooEE", Made::Typeinfo, "", true},
                           {"_ZTIM3FooFvvE", Made::Typeinfo, "", true},
                           {"_ZTIDn", Made::Typeinfo, "", true},
                           {"_ZTIZN4llvm3fooEvE1X", Made::Typeinfo, "llvm", true},
                           {"_ZGVN4llvm3fooE", Made::Guard, "llvm", true},
                           {"_ZGVZN4llvm3fooEvE1x", Made::Guard, "llvm", true},
                           {"_ZThn16_N4llvm3Foo3barEv", Made::Thunk, "llvm::Foo", false},
                           {"_ZTv0_n24_N4llvm3Foo3barEv", Made::Thunk, "llvm::Foo", false},
                           {"_ZTch0_v0_n24_N4llvm3Foo3barEv", Made::Thunk, "llvm::Foo", false},
                           {"_ZTWN4llvm3fooE", Made::TlsWrapper, "llvm", false},
                           {"_ZTHN4llvm3fooE", Made::TlsInit, "llvm", false},
                           {"_ZGRN4llvm3fooE_", Made::ReferenceTemporary, "llvm", false},
                           {"_ZGTtN4llvm3fooEv", Made::TransactionClone, "llvm", false},
                           {"_ZTAXtl3FooEE", Made::TemplateObject, "", false},
                           {"_ZGIW3Foo", Made::ModuleInit, "", false}}) {
    const Mangled read = read_mangled(c.symbol);
    EXPECT_EQ(read.scheme, Scheme::Itanium) << c.symbol;
    EXPECT_EQ(read.made, c.made) << c.symbol;
    EXPECT_EQ(is_rtti(read.made), c.rtti) << c.symbol;
    EXPECT_EQ(scopes(c.symbol), c.scopes) << c.symbol;
  }
}

TEST(Mangled, GivesLocalNamesTheScopesOfTheirFunction) {
  EXPECT_EQ(scopes("_ZZN4llvm3Foo3barEvE1x"), "llvm::Foo");
  EXPECT_EQ(scopes("_ZZZN4llvm3fooEvENKUlvE_clEvE1x"), "llvm");
  EXPECT_EQ(scopes("_ZZNSt6vectorIiSaIiEE3fooEvE1x"), "std");
}

TEST(Mangled, DoesNotMindWhatAnOptimiserAppends) {
  EXPECT_EQ(scopes("_ZN4llvm3fooEv.isra.0"), "llvm");
  EXPECT_EQ(scopes("_ZN4llvm3fooEv.cold"), "llvm");
  EXPECT_EQ(scopes("_Z3foov.llvm.1234"), "");
}

TEST(Mangled, TakesAModuleNameForNoScope) {
  EXPECT_EQ(scopes("_ZNW3Foo3bar3bazEv"), "bar");
  EXPECT_EQ(scopes("_ZN3barW3Foo3bazEv"), "bar");
}

TEST(Mangled, KnowsRustByItsCrate) {
  const auto scheme = [](std::string_view symbol) { return read_mangled(symbol).scheme; };
  EXPECT_EQ(scheme("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"), Scheme::RustLegacy);
  EXPECT_EQ(scopes("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"), "core");
  EXPECT_EQ(scopes("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE.llvm.42"), "core");
  EXPECT_EQ(scopes("_ZN4_$LT$3foo17h0123456789abcdefE"), "");
  EXPECT_EQ(scheme("_ZN4core3fmt17h0123456789abcdeFE"), Scheme::Itanium);  // upper-case: not a hash
  EXPECT_EQ(scheme("_RNvC7mycrate3foo"), Scheme::RustV0);
  EXPECT_EQ(scopes("_RNvNtCs1234_7mycrate3foo3bar"), "mycrate");
  EXPECT_EQ(scopes("_RINvCs9_7mycrate3fooiE"), "mycrate");
  EXPECT_EQ(scopes("_RNvMs0_NtCsx_5alloc3vecNtB5_3Vec3foo"), "alloc");
  EXPECT_EQ(scopes("_RNvYiNtC4core5Clone5clone"), "");
}

TEST(Mangled, LeavesOtherNamesAlone) {
  for (const std::string_view symbol :
       {"",           "_",         "_Z",       "_ZN",      "main",          "_Zlib_open",   "_ZLIB", "ZSTD_compress",
        "_RNG_init",  "_RECURSE",  "__Z3foov", "_ZTX3Foo", "_ZGX3Foo",      "_ZTh16N3FooE", "_ZT",   "_ZTV",
        "_ZNS_3fooE", "_ZS0_3foo", "_ZSt",     "_R",       "_R0NvC3foo3bar"})
    EXPECT_EQ(scopes(symbol), "not mangled") << symbol;
}

TEST(Mangled, ChecksEveryLength) {
  EXPECT_EQ(scopes("_ZN4llv"), "not mangled");
  EXPECT_EQ(scopes("_ZN4llvm"), "not mangled");
  EXPECT_EQ(scopes("_ZN0E"), "not mangled");
  EXPECT_EQ(scopes("_ZN99999999999999999999fooE"), "not mangled");
  EXPECT_EQ(scopes("_ZN4294967300llvm3fooE"), "not mangled");
  EXPECT_EQ(scopes("_ZN3fooB9tagE"), "not mangled");
  EXPECT_EQ(scopes("_ZTIU9fooE"), "not mangled");
  EXPECT_EQ(scopes("_ZN3foo17h0123456789abcdefE"), "foo");
  EXPECT_EQ(scopes("_ZN9foo17h0123456789abcdefE"), "foo17h012");
  EXPECT_EQ(scopes("_ZN99foo17h0123456789abcdefE"), "not mangled");
}

TEST(Mangled, StaysInsideTheTextWhateverItIsGiven) {
  const std::vector<std::string> seeds = {"_ZTCN4llvm3FooE16_NS_3BarE",      "_ZTch0_v0_n24_N4llvmB5cxx113Foo3barEv",
                                          "_ZGVZN12_GLOBAL__N_13fooEvE1x",   "_ZTIPKA5_U8__vectorTs3foo",
                                          "_ZNW3FooWP3Bar3bazIiE3fooEv",     "_RNvMs0_NtCsx_5alloc3vecNtB5_3Vec3foo",
                                          "_ZN4core3fmt17h0123456789abcdefE"};
  const std::string_view letters = "_ZNSTGVKIEB0919tadsLFWPMUDrRO.$\xff";
  for (const std::string& seed : seeds) {
    for (std::size_t i = 0; i <= seed.size(); ++i) {
      // A heap block of exactly that size, so that the sanitizer detects a read beyond its end.
      const std::vector<char> cut(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(i));
      read_mangled({cut.data(), cut.size()});
      for (const char letter : letters) {
        std::vector<char> changed(seed.begin(), seed.end());
        if (i < changed.size()) changed[i] = letter;
        const std::string_view text(changed.data(), changed.size());
        const Mangled read = read_mangled(text);
        for (const std::string_view scope : read.scopes()) {
          EXPECT_FALSE(scope.empty()) << text;
          EXPECT_LE(scope.size(), std::max(text.size(), anonymous_namespace.size())) << text;
        }
      }
    }
  }
  for (const char letter : letters) {
    const std::string many(100'000, letter);
    read_mangled("_Z" + many);
    read_mangled("_ZTI" + many);
    read_mangled("_R" + many);
  }
}

}  // namespace
}  // namespace wheelcheck::test::mangled_test
