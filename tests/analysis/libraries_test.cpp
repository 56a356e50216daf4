// Tests the identification of libraries in a file, with facts written in C++ and the built-in table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "analysis/attribute.h"
#include "analysis/internal.h"
#include "tests/support/facts.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::libraries_test {
namespace {

using testing::Contains;
using testing::IsEmpty;

const Knowledge& knowledge() {
  static const Knowledge tables = load_knowledge({}).value();
  return tables;
}

using Found = std::map<std::string, IdentifiedLibrary>;
Found find(const ElfBuilder& elf) {
  const WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl").elf(elf).build();
  const ElfMember& file = wheel.elfs.at(0);
  const analysis::Index index(knowledge());
  const analysis::SymbolReading symbols = analysis::read_symbols(file, wheel, index);
  Found result;
  std::string last;
  for (IdentifiedLibrary& one : analysis::libraries(file, wheel, symbols, index)) {
    EXPECT_LT(last, one.library);
    EXPECT_FALSE(one.evidence.empty()) << one.library;
    EXPECT_LE(one.evidence.size(), 5U) << one.library;
    last = one.library;
    result.emplace(last, std::move(one));
  }
  return result;
}
ElfBuilder file(const std::string& path = "foo/x.cpython-311-x86_64-linux-gnu.so") { return ElfBuilder(path); }
// Exports prefix0, prefix1, ...
ElfBuilder& with_symbols(ElfBuilder& elf, const std::string& prefix, int count) {
  for (int i = 0; i < count; ++i) elf.exports(prefix + std::to_string(i));
  return elf;
}
std::string version(const Found& found, const std::string& library) {
  const auto at = found.find(library);
  return at == found.end() ? "not found" : at->second.version.value_or("unknown");
}
std::string evidence(const IdentifiedLibrary& library, std::string_view what) {
  for (const LibraryEvidence& one : library.evidence)
    if (one.what == what) return one.text;
  return "";
}

TEST(Libraries, AreKnownByTheirStrings) {
  const Found found = find(file()
                               .says(" deflate 1.3.1 Copyright 1995-2024 Jean-loup Gailly and Mark Adler ")
                               .says(" inflate 1.3.1 Copyright 1995-2024 Mark Adler ")
                               .says("OpenSSL 3.5.8 25 Aug 2026")
                               .says("libcurl/8.11.0")
                               .says("nobody knows 1.2.3"));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(version(found, "zlib"), "1.3.1");
  EXPECT_EQ(version(found, "openssl"), "3.5.8");
  EXPECT_EQ(version(found, "curl"), "8.11.0");
  EXPECT_EQ(found.at("openssl").confidence, Confidence::High);
  EXPECT_EQ(found.at("openssl").family, "tls");
  EXPECT_FALSE(found.at("openssl").itself);
  EXPECT_EQ(evidence(found.at("openssl"), "string"), "OpenSSL 3.5.8 25 Aug 2026");
}

TEST(Libraries, WithoutAFamilyStandBesideEachOther) {
  ElfBuilder elf = file().says("libcurl/8.11.0");
  const Found found = find(with_symbols(elf, "uv_", 50));
  EXPECT_TRUE(found.contains("curl"));
  EXPECT_TRUE(found.contains("libuv")) << "known by its symbols alone";
}

TEST(Libraries, AreNotKnownByTalkOfThem) {
  EXPECT_THAT(find(file()
                       .says("OpenSSL 1.1.1 or newer is needed")
                       .says("requires zlib 1.2.11")
                       .says("see libcurl 7.0 documentation")
                       .says("1.2.3")),
              IsEmpty());
}

TEST(Libraries, AreNeverKnownByTheCompilersComment) {
  EXPECT_THAT(find(file().comment("clang version 18.1.8").comment("LLD 18.1.8").comment("GCC: (GNU) 13.2.0")),
              IsEmpty());
}

TEST(Libraries, AreKnownByTheirFileName) {
  const Found found = find(file("foo.libs/libcrypto-5409cd36.so.1.1.1k").soname("libcrypto-5409cd36.so.1.1.1k"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(version(found, "openssl"), "1.1.1k");
  EXPECT_TRUE(found.at("openssl").itself);
  EXPECT_EQ(evidence(found.at("openssl"), "soname"), "libcrypto.so.1.1.1k");
  EXPECT_EQ(version(find(file("foo.libs/libopenblas64_p-r0-0cf96a72.3.23.dev.so")), "openblas"), "0.3.23.dev");
  EXPECT_EQ(version(find(file("foo/lib/renamed.so").soname("libz.so.1")), "zlib"), "1");
}

TEST(Libraries, TakeNoNumberOfASonameThatIsNotTheirVersion) {
  EXPECT_EQ(version(find(file("foo.libs/libpng16-529cb57a.so.16.58.0")), "libpng"), "unknown");
  EXPECT_EQ(version(find(file("foo.libs/libgomp-6a29c32d.so.1.0.0")), "libgomp"), "unknown");
}

TEST(Libraries, BelieveAStringMoreThanANode) {
  const ElfBuilder node = file("foo.libs/libssl-8bd944e8.so.3").defines("OPENSSL_3.0.0").defines("OPENSSL_3.5.0");
  const Found found = find(ElfBuilder(node).says("OpenSSL 3.6.5 29 Sep 2026"));
  EXPECT_EQ(version(found, "openssl"), "3.6.5");
  EXPECT_EQ(evidence(found.at("openssl"), "version node"), "OPENSSL_3.5.0");
  EXPECT_EQ(version(find(node), "openssl"), "3");
}

TEST(Libraries, OnWhichTheFileOnlyDependsAreNotInside) {
  const Found found = find(file()
                               .needed("libcrypto-5409cd36.so.3")
                               .says("OpenSSL 3.0.2 15 Mar 2022")
                               .import("SSL_new", "libcrypto-5409cd36.so.3", "OPENSSL_3.0.0"));
  EXPECT_THAT(found, IsEmpty());
}

TEST(Libraries, AreKnownByAHandfulOfSymbolsAtLeast) {
  ElfBuilder few = file(), some = file(), many = file();
  EXPECT_THAT(find(with_symbols(few, "ZSTD_x", 4)), IsEmpty());
  const Found found = find(with_symbols(some, "ZSTD_x", 5));
  ASSERT_EQ(found.count("zstd"), 1U);
  EXPECT_EQ(found.at("zstd").confidence, Confidence::Low);
  EXPECT_EQ(evidence(found.at("zstd"), "symbols"), "ZSTD_x0, ZSTD_x1, ZSTD_x2 and 2 more");
  EXPECT_EQ(find(with_symbols(many, "ZSTD_x", 20)).at("zstd").confidence, Confidence::Medium);
}

TEST(Libraries, OfOneFamilyAreToldApartByWhatOneOfThemHasAlone) {
  ElfBuilder open = file(), boring = file(), blas = file();
  with_symbols(open, "SSL_x", 30);
  EXPECT_EQ(find(open).count("openssl"), 1U);
  with_symbols(with_symbols(boring, "SSL_x", 300), "BORINGSSL_x", 9);
  const Found found = find(boring);
  EXPECT_EQ(found.count("boringssl"), 1U);
  EXPECT_EQ(found.count("openssl"), 0U);
  with_symbols(with_symbols(blas, "cblas_x", 90), "LAPACKE_x", 90);
  EXPECT_EQ(find(blas).count("blas"), 1U);
  EXPECT_EQ(find(blas.says("OpenBLAS 0.3.30 DYNAMIC_ARCH NO_AFFINITY Haswell MAX_THREADS=64")).count("blas"), 0U);
}

TEST(Libraries, SayWhichReleaseAnInlineNamespaceTells) {
  ElfBuilder elf = file();
  for (int i = 0; i < 20; ++i)
    elf.exports("_ZN4absl12lts_202508145Mutex4Lo" + std::to_string(i % 10) + "kEv" +
                std::string(static_cast<std::size_t>(i), 'i'));
  const Found found = find(elf);
  EXPECT_EQ(version(found, "abseil"), "20250814");
  EXPECT_EQ(found.at("abseil").confidence, Confidence::High);
  EXPECT_EQ(evidence(found.at("abseil"), "namespace"), "absl::lts_20250814");
}

ElfBuilder with_llvm() {
  ElfBuilder elf = file();
  for (int i = 0; i < 30; ++i)
    elf.exports("_ZN4llvm19raw_svector_ostream10write_implEPKc" + std::string(static_cast<std::size_t>(i) + 1, 'm'));
  return elf;
}

TEST(Libraries, BelieveABareVersionOnlyOfWhatTheSymbolsName) {
  EXPECT_THAT(find(file().says("23.0.0git")), IsEmpty());
  const Found found = find(with_llvm().says("23.0.0git").says("1.8.2").says("3.50.3"));
  EXPECT_EQ(version(found, "llvm"), "23.0.0git");
  EXPECT_NE(found.at("llvm").confidence, Confidence::High);
  EXPECT_EQ(evidence(found.at("llvm"), "string"), "23.0.0git");
}

TEST(Libraries, GiveABareVersionToTheLargestOfThoseThatWriteOne) {
  ElfBuilder elf = with_llvm();
  with_symbols(elf, "sqlite3_x", 12);
  const Found found = find(elf.says("23.0.0git"));
  EXPECT_EQ(version(found, "llvm"), "23.0.0git");
  EXPECT_EQ(version(found, "sqlite"), "unknown");
  EXPECT_EQ(version(find(file("foo.libs/libsqlite3-1a2b3c4d.so.0").says("3.50.3")), "sqlite"), "3.50.3");
}

TEST(Libraries, SaySoWhereSeveralVersionsAreThere) {
  const Found bare = find(with_llvm().says("22.1.0").says("1.8.2"));
  EXPECT_EQ(version(bare, "llvm"), "unknown");
  std::vector<std::string> shown;
  for (const LibraryEvidence& one : bare.at("llvm").evidence) shown.push_back(one.text);
  EXPECT_THAT(shown, Contains("22.1.0"));
  EXPECT_THAT(shown, Contains("1.8.2"));
  const Found two = find(file()
                             .says(" deflate 1.2.11 Copyright 1995-2017 Jean-loup Gailly and Mark Adler ")
                             .says(" inflate 1.3.1 Copyright 1995-2024 Mark Adler "));
  EXPECT_EQ(version(two, "zlib"), "1.3.1");
  EXPECT_EQ(two.at("zlib").confidence, Confidence::Medium);
  EXPECT_EQ(two.at("zlib").evidence.size(), 2U);
}

TEST(Libraries, AreKnownInProgramsWithoutADynamicTable) {
  EXPECT_EQ(version(find(file("foo-1.0.data/scripts/tool").says("libcurl/8.11.0").no_dynamic()), "curl"), "8.11.0");
}

TEST(Libraries, AreNotLookedForInDeviceCode) {
  EXPECT_THAT(find(file().says("libcurl/8.11.0").use(MachineUse::Device)), IsEmpty());
}

// 4,000 texts of 1,000 bytes that all start like a known one: the work is limited.
TEST(Libraries, AreFoundInAFileMadeToKeepUsBusy) {
  ElfBuilder elf = file().says(" deflate 1.3.1 Copyright 1995-2024 Jean-loup Gailly and Mark Adler ");
  elf.facts([](ElfFacts& facts, StringPool& pool) {
    for (int i = 0; i < 4000; ++i)
      facts.texts.versions.push_back(pool.add("OpenSSL 1." + std::to_string(10'000 + i) + std::string(1000, '1')));
  });
  EXPECT_EQ(version(find(elf), "zlib"), "1.3.1");
}

}  // namespace
}  // namespace wheelcheck::test::libraries_test
