#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/kept.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::attribute_test {
namespace {

using Form = Attribution::Form;

Knowledge known() {
  Knowledge knowledge;
  const auto add = [&](std::string_view id, const std::vector<std::string>& namespaces,
                       const std::vector<std::string>& symbols, const std::vector<std::string>& not_symbols = {}) {
    KnownLibrary library;
    library.id = library.name = id;
    library.namespaces = test::kept_list(namespaces);
    library.symbols = test::kept_list(symbols);
    library.not_symbols = test::kept_list(not_symbols);
    knowledge.libraries.push_back(library);
  };
  add("absl", {"absl::lts_{version}", "absl::debian*"}, {"Absl*"});
  add("google", {"google"}, {});
  add("icu", {"icu_{version}"}, {"u_*", "ucnv_*"}, {"u_mine*"});
  add("llvm", {"llvm"}, {"LLVM*"});
  add("lz4", {}, {"LZ4_*", "LZ4F_*"});
  add("protobuf", {"google::protobuf"}, {});
  add("qt", {}, {"_ZN7QString*"});
  add("ssl", {}, {"SSL_*", "SSL_CTX_?et_*", "*_ssl_hook"});
  add("zlib", {}, {"inflate", "inflateInit*", "crc32"});
  return knowledge;
}

std::string library_of(std::string_view symbol) {
  static const Knowledge knowledge = known();
  static const Attributor attributor(knowledge);
  return std::string(attributor(symbol).library);
}

TEST(Attribute, FindsALibraryByItsOutermostScope) {
  EXPECT_EQ(library_of("_ZN4llvm19raw_svector_ostream10write_implEPKcm"), "llvm");
  EXPECT_EQ(library_of("_ZTVN4llvm5ValueE"), "llvm");
  EXPECT_EQ(library_of("_ZN5llvm23fooEv"), "");
  EXPECT_EQ(library_of("_ZN3lld3fooEv"), "");
  EXPECT_EQ(library_of("_Z3fooN4llvm5ValueE"), "");  // has it only as a parameter
}

TEST(Attribute, PrefersTheNamespaceWithTheMostParts) {
  EXPECT_EQ(library_of("_ZN6google8protobuf7Message5ClearEv"), "protobuf");
  EXPECT_EQ(library_of("_ZN6google10LogMessageC1EPKci"), "google");
  EXPECT_EQ(library_of("_ZN6google8protobufEv"), "google");  // a function of that name
}

TEST(Attribute, ReadsVersionsInNamespaces) {
  EXPECT_EQ(library_of("_ZN4absl12lts_202501276StrCatEv"), "absl");
  EXPECT_EQ(library_of("_ZN4absl9debian_126StrCatEv"), "absl");
  EXPECT_EQ(library_of("_ZN4absl4lts_6StrCatEv"), "");
  EXPECT_EQ(library_of("_ZN4absl6StrCatEv"), "");  // not in the table in this form
  EXPECT_EQ(library_of("_ZN6icu_7413UnicodeStringC1Ev"), "icu");
  EXPECT_EQ(library_of("_ZN5icu_x3fooEv"), "");
}

TEST(Attribute, FindsACLibraryByItsSymbols) {
  EXPECT_EQ(library_of("LZ4_compress"), "lz4");
  EXPECT_EQ(library_of("LZ4F_compress"), "lz4");
  EXPECT_EQ(library_of("LZ4"), "");
  EXPECT_EQ(library_of("inflate"), "zlib");
  EXPECT_EQ(library_of("inflateInit2_"), "zlib");
  EXPECT_EQ(library_of("inflated"), "");
  EXPECT_EQ(library_of("SSL_new"), "ssl");
  EXPECT_EQ(library_of("SSL_CTX_set_mode"), "ssl");
  EXPECT_EQ(library_of("my_ssl_hook"), "ssl");
  EXPECT_EQ(library_of("u_strlen"), "icu");
  EXPECT_EQ(library_of("u_mine_own"), "");
  EXPECT_EQ(library_of("_ZN7QString6numberEi"), "qt");
  EXPECT_EQ(library_of(""), "");
}

TEST(Attribute, CountsTheStandardLibraryApartWhateverItIsInstantiatedFor) {
  const Knowledge knowledge = known();
  for (const std::string_view symbol :
       {"_ZNSt6vectorIN4llvm5ValueESaIS1_EE9push_backERKS1_", "_ZSt4cout",
        "_ZN9__gnu_cxx13new_allocatorIN4llvm5ValueEE8allocateEm", "_ZTVN10__cxxabiv120__si_class_type_infoE"}) {
    const Attribution what = attribute(symbol, knowledge);
    EXPECT_TRUE(what.standard) << symbol;
    EXPECT_EQ(what.library, "") << symbol;
  }
  EXPECT_FALSE(attribute("_ZN4llvm5ValueC1Ev", knowledge).standard);
}

TEST(Attribute, TellsTheFormOfAName) {
  const Knowledge knowledge = known();
  EXPECT_EQ(attribute("main", knowledge).form, Form::C);
  EXPECT_EQ(attribute("_Zlib", knowledge).form, Form::C);
  EXPECT_EQ(attribute("_Z3foov", knowledge).form, Form::Cxx);
  EXPECT_EQ(attribute("_RNvC7mycrate3foo", knowledge).form, Form::Rust);
  EXPECT_EQ(attribute("_ZN4llvm3foo17h0123456789abcdefE", knowledge).form, Form::Rust);
  EXPECT_EQ(attribute("_ZN4llvm3foo17h0123456789abcdefE", knowledge).library, "");  // a crate of that name
  EXPECT_TRUE(attribute("_ZTI3Foo", knowledge).rtti);
  EXPECT_EQ(attribute("_ZTI3Foo", knowledge).scope, "Foo");
  EXPECT_FALSE(attribute("_ZThn8_N3Foo3barEv", knowledge).rtti);
}

TEST(Attribute, NeedsNoTables) {
  const Attribution what = attribute("_ZN4llvm5ValueC1Ev", Knowledge{});
  EXPECT_EQ(what.scope, "llvm");
  EXPECT_EQ(what.library, "");
}

}  // namespace
}  // namespace wheelcheck::test::attribute_test
