// Tests texts in the data: which are kept, where they may be, and that malicious data costs no more than its size.
#include <gmock/gmock.h>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

using namespace std::string_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

ElfRecipe with_rodata(std::string bytes) {
  ElfRecipe recipe = rich_recipe();
  recipe.sections = {{.name = ".rodata", .bytes = std::move(bytes)}};
  return recipe;
}
// Owns the texts that the facts point into.
struct Kept {
  explicit Kept(ElfFacts all) : facts(std::move(all)) {}
  ElfFacts facts;
  const TextFacts* operator->() const { return &facts.texts; }
};
Kept texts(std::string bytes) { return Kept(facts_of(with_rodata(std::move(bytes)))); }

class TextsOnEveryMachine : public testing::TestWithParam<NamedMachine> {};
INSTANTIATE_TEST_SUITE_P(Machines, TextsOnEveryMachine, testing::ValuesIn(machines()),
                         [](const auto& machine) { return machine.param.name; });

TEST_P(TextsOnEveryMachine, AreFoundWithAndWithoutSectionHeaders) {
  ElfRecipe recipe = on(GetParam(), with_rodata("\0libcuda.so.1\0 deflate 1.3.1 by x\0/home/me/src/a.c\0"s));
  for (const bool stripped : {false, true}) {
    recipe.strip_sections = stripped;
    const ElfFacts facts = facts_of(recipe);
    EXPECT_THAT(facts.texts.libraries, ElementsAre("libcuda.so.1")) << stripped;
    EXPECT_THAT(facts.texts.versions, ElementsAre(" deflate 1.3.1 by x")) << stripped;
    EXPECT_THAT(facts.texts.build_paths, ElementsAre("/home/me/src/a.c")) << stripped;
    EXPECT_FALSE(facts.texts.cut);
  }
}

TEST(Texts, AreFilesOfCertificateAuthorities) {
  const Kept found = texts(
      "\0/etc/pki/tls/certs/ca-bundle.crt\0/usr/local/ssl/cert.pem\0/etc/passwd\0see /etc/ssl/cert.pem\0"
      "/etc/ssl/cert.pem.bak\0/home/me/cert.pem\0etc/ssl/cert.pem\0"s);
  EXPECT_THAT(found->certificate_files,
              ElementsAre("/etc/pki/tls/certs/ca-bundle.crt", "/home/me/cert.pem", "/usr/local/ssl/cert.pem"));
}

TEST_P(TextsOnEveryMachine, NameWhatAModuleChecksWhenItIsImported) {
  const std::string message =
      "module was compiled against NumPy C-API version 0x%x (NumPy 1.23) but the running NumPy has C-API version "
      "0x%x. " +
      std::string(200, 'x');
  ElfRecipe recipe = on(GetParam(), with_rodata("\0numpy._core._multiarray_umath\0"s + message +
                                                "\0__pybind11_internals_v4_gcc_libstdcpp_cxxabi1011__\0"
                                                "v15_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1\0"
                                                "C %.8s %.200s.%.200s has wrong signature (expected %.500s)\0"s));
  for (const bool stripped : {false, true}) {
    recipe.strip_sections = stripped;
    const ElfFacts read = facts_of(recipe);
    const InterfaceFacts& facts = read.interfaces;
    EXPECT_THAT(facts.cython_messages, ElementsAre("C %.8s %.200s.%.200s has wrong signature (expected %.500s)"))
        << stripped;
    EXPECT_THAT(facts.pybind11_ids, ElementsAre("v4_gcc_libstdcpp_cxxabi1011")) << stripped;
    EXPECT_THAT(facts.nanobind_ids, ElementsAre("v15_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1")) << stripped;
    EXPECT_THAT(facts.numpy_messages, ElementsAre(message)) << stripped;
    EXPECT_THAT(facts.numpy_modules, ElementsAre("numpy._core._multiarray_umath")) << stripped;
  }
}

TEST(Texts, NameTheModuleThatPybind11ImportedBefore212) {
  EXPECT_THAT(texts("\0numpy.core.multiarray\0numpy.core.multi\0"s).facts.interfaces.numpy_modules,
              ElementsAre("numpy.core.multiarray"));
}

TEST(Texts, OfOtherModulesNameNoInterface) {
  EXPECT_EQ(texts("\0numpy._core._methods\0v1\0v2 of libfoo\0module version 0x%x\0my_internals_v1\0"
                  "%.200s is 3.5\0"s)
                .facts.interfaces,
            InterfaceFacts{});
  // Longer than the limit of these texts.
  EXPECT_EQ(texts("\0__pybind11_internals_v"s + std::string(600, '4') + "\0"s).facts.interfaces, InterfaceFacts{});
}

TEST(Texts, NameTheIdsOfSharedState) {
  const Kept read = texts(
      "\0__nb_internals_v14_x__\0v15_system_libstdcpp_gxx_abi_1xxx\0__pybind11_internals_v12_x__\0"
      "__pybind11_internals_v12_x___call_once_storage__\0pybind11_abseil.status\0"
      "nanobind_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1_ft_a1_v22\0"s);
  const InterfaceFacts& facts = read.facts.interfaces;
  EXPECT_THAT(facts.pybind11_ids, ElementsAre("v12_x"));
  EXPECT_THAT(facts.nanobind_ids, ElementsAre("nanobind_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1_ft_a1_v22",
                                              "v14_x", "v15_system_libstdcpp_gxx_abi_1xxx"));
  EXPECT_TRUE(facts.pybind11_status);
}

TEST(Texts, CountArgumentsThatAreMatricesOfEigen) {
  const auto matrices = [](const std::string& signature) {
    return texts("\0"s + signature + "\0"s).facts.interfaces.eigen_matrices;
  };
  EXPECT_EQ(matrices("({%}, {numpy.ndarray[numpy.float64[3, 3]]}, {numpy.ndarray[numpy.uint32[m, 2]]}) -> None"), 2U);
  EXPECT_EQ(matrices("({numpy.ndarray[numpy.float64[m, n]]})" + std::string(600, ' ')), 1U);
  // Results, vectors, which may be references, references to matrices, and arrays.
  EXPECT_EQ(matrices("({int}) -> numpy.ndarray[numpy.float64[3, 3]]"), 0U);
  EXPECT_EQ(matrices("({numpy.ndarray[numpy.float64[m, 1]]}, {numpy.ndarray[numpy.float64[1, n]]}) -> %"), 0U);
  EXPECT_EQ(matrices("({numpy.ndarray[numpy.float64[m, n], flags.f_contiguous]}) -> %"), 0U);
  EXPECT_EQ(matrices("({numpy.ndarray[numpy.float64]}, {numpy.ndarray[numpy.float64[m, n"), 0U);
}

TEST(Texts, ShortNamesLikeThoseOfTypeInfoAreNoTypes) {
  ElfRecipe recipe = with_rodata("\0__pybind11_internals_v4_gcc_libstdcpp_cxxabi1011__\0"s);
  for (const char* const name : {"_ZT", "_ZTI", "_ZTS", "PyInit_m"}) recipe.exports.push_back({.name = name});
  EXPECT_EQ(facts_of(recipe).interfaces, (InterfaceFacts{.pybind11_ids = {"v4_gcc_libstdcpp_cxxabi1011"}}));
}

TEST(Texts, OfTheDynamicStringTableAreNoTexts) {
  ElfRecipe recipe = rich_recipe();
  recipe.needed = {"libz-1.2.so.1"};
  recipe.runpath = "/home/me/lib";
  for (const bool stripped : {false, true}) {
    recipe.strip_sections = stripped;
    const ElfFacts facts = facts_of(recipe);
    EXPECT_THAT(facts.texts.libraries, IsEmpty());
    EXPECT_THAT(facts.texts.versions, IsEmpty());
    EXPECT_THAT(facts.texts.build_paths, IsEmpty());
  }
}

TEST(Texts, NameALibraryWhereSoStandsAsInAFileName) {
  EXPECT_THAT(texts("lib%s.so.%d\0libfoo.so\0%s/x.so.1\0lib*.so\0cannot open libbar.so.2: \0"s)->libraries,
              ElementsAre("%s/x.so.1", "cannot open libbar.so.2: ", "lib%s.so.%d", "lib*.so", "libfoo.so"));
  EXPECT_THAT(texts("foo.socket\0.so\0end. so on\0x.so_path\0x.sonar\0"s)->libraries, IsEmpty());
}

TEST(Texts, HoldAVersionWhereANumberHasADotOrADateIsWritten) {
  EXPECT_THAT(texts("22.1.0git\0zlib 1.2.11\0built 2023-08-18\0libfoo-1.2.so\0"s)->versions,
              ElementsAre("22.1.0git", "built 2023-08-18", "libfoo-1.2.so", "zlib 1.2.11"));
  EXPECT_THAT(texts("%5.2f\0%-10.3s\0a.b\0v.1\0version 7\0"
                    "12023-08-18\0"
                    "1.2\0"s)
                  ->versions,
              IsEmpty())
      << "a width, letters, a long number, and what is shorter than strings(1) shows";
}

TEST(Texts, EndAtALineFeed) {
  EXPECT_THAT(texts("usage: x\n libpng version 1.6.37 - April 14\nmore\0"s)->versions,
              ElementsAre(" libpng version 1.6.37 - April 14"));
}

TEST(Texts, WithoutAnEndAreNoTexts) {
  EXPECT_THAT(texts("zlib 1.2.11\x01\0"s)->versions, IsEmpty());
  EXPECT_THAT(texts("\0zlib 1.2.11"s)->versions, IsEmpty()) << "the range ends";
  EXPECT_THAT(texts("\x01zlib 1.2.11\0"s)->versions, ElementsAre("zlib 1.2.11"));
}

TEST(Texts, MustNotBeTooLong) {
  const auto version = [](std::size_t size) { return "1.2" + std::string(size - 3, 'x') + '\0'; };
  EXPECT_EQ(texts(version(200))->versions.size(), 1U);
  EXPECT_THAT(texts(version(201))->versions, IsEmpty());
  const auto library = [](std::size_t size) { return std::string(size - 3, 'x') + ".so\0"s; };
  EXPECT_EQ(texts(library(256))->libraries.size(), 1U);
  EXPECT_THAT(texts(library(257))->libraries, IsEmpty());
}

TEST(Texts, OfBuildMachinesStartBelowTheirDirectories) {
  const Kept facts = texts("/root/.cargo/x.rs\0/__w/a/b.c\0/tmp/\0see /home/x/y.c\0/homes/x\0"s);
  EXPECT_THAT(facts->build_paths, ElementsAre("/__w/a/b.c", "/root/.cargo/x.rs"));
}

TEST(Texts, AreKeptOnceAndSorted) { EXPECT_THAT(texts("v2.0\0v1.0\0v2.0\0"s)->versions, ElementsAre("v1.0", "v2.0")); }

TEST(Texts, RunOverTheBordersOfWhatIsLookedAtAtOnce) {
  // The pieces are 32 KiB; the text is moved across the border byte by byte.
  for (std::size_t before = 32 * 1024 - 20; before < 32 * 1024 + 3; ++before)
    EXPECT_THAT(texts(std::string(before, '\0') + "libcuda-12.4.so.1\0"s)->libraries, ElementsAre("libcuda-12.4.so.1"))
        << before;
}

TEST(Texts, AreCutAtTheLimitAndSaySo) {
  Limits limits;
  limits.texts = 2;
  const ElfFacts two = facts_of(with_rodata("v1.0\0v2.0\0v1.0\0"s), limits);
  EXPECT_EQ(two.texts.versions.size(), 2U);
  EXPECT_FALSE(two.texts.cut);
  const ElfFacts three = facts_of(with_rodata("v1.0\0v2.0\0v3.0\0"s), limits);
  EXPECT_THAT(three.texts.versions, ElementsAre("v1.0", "v2.0"));
  EXPECT_TRUE(three.texts.cut);
}

TEST(Texts, AreNotLookedForInCodeUnlessConstantsLieThere) {
  ElfRecipe recipe = rich_recipe();
  recipe.sections = {{.name = ".rodata", .bytes = "libcuda.so.1\0"s}};
  recipe.strip_sections = true;
  // One PT_LOAD for tables, constants and code, as older linkers create it: the flags of the first become R+X.
  recipe.patches = {{.at = "phdr:PT_LOAD", .plus = 4, .bytes = test::encoded(recipe, 5, 4)}};
  EXPECT_THAT(facts_of(recipe).texts.libraries, ElementsAre("libcuda.so.1"));
  recipe.strip_sections = false;
  recipe.sections[0].flags = 6;  // SHF_EXECINSTR
  EXPECT_THAT(facts_of(recipe).texts.libraries, IsEmpty());
}

TEST(Texts, OfADeviceAreLeftToIt) {
  ElfRecipe recipe = rich_recipe();
  recipe.sections = {{.name = ".nv_fatbin", .bytes = "libcuda.so.1\0"s}};
  EXPECT_THAT(facts_of(recipe).texts.libraries, IsEmpty());
}

TEST(Sections, ThatLieOverEachOtherAreReadOnce) {
  // 900 headers that all name the same 512 KiB. The total size shows that they were read once.
  ElfRecipe recipe = rich_recipe();
  recipe.sections = {{.name = ".nv_fatbin", .bytes = std::string(1 << 19, '\0')}};
  recipe.sections.insert(recipe.sections.end(), 900, {.name = ".nv_fatbin", .bytes = "x"});
  std::string bytes = test::make_elf(recipe);
  const test::ElfImage image = test::build_elf(recipe);
  for (std::size_t at = bytes.size() - 64 * 700; at < bytes.size() - 64; at += 64) {
    bytes.replace(at + 24, 8, test::encoded(recipe, image.offsets.at(".got"), 8));  // sh_offset
    bytes.replace(at + 32, 8, test::encoded(recipe, 1 << 19, 8));                   // sh_size
  }
  std::uint64_t sum = 0;
  for (const SectionSize& size : facts_of_bytes(bytes).sections.sizes) sum += size.bytes;
  EXPECT_LE(sum, bytes.size());
  EXPECT_LE(facts_of_bytes(bytes).device.bytes, bytes.size());
  EXPECT_GT(facts_of_bytes(bytes).device.bytes, std::size_t{1} << 19);
}

TEST(Sections, TellCompilersDebugBytesAndTheSymbolTable) {
  ElfRecipe recipe = rich_recipe();
  recipe.sections = {{.name = ".comment", .bytes = "GCC: (GNU) 10.2.1\0\0clang 17\0GCC: (GNU) 10.2.1"s, .flags = 0},
                     {.name = ".debug_info", .bytes = std::string(100, 'x'), .flags = 0},
                     {.name = ".zdebug_line", .bytes = std::string(11, 'x'), .flags = 0},
                     {.name = ".debug_str", .bytes = std::string(50, 'x'), .flags = 0, .type = 8},  // SHT_NOBITS
                     {.name = ".symtab", .bytes = std::string(24, '\0'), .flags = 0, .type = 2},
                     {.name = ".strtab", .bytes = std::string(9, '\0'), .flags = 0, .type = 3}};
  const ElfFacts facts = facts_of(recipe);
  EXPECT_THAT(facts.sections.comments, ElementsAre("GCC: (GNU) 10.2.1", "clang 17"));
  EXPECT_EQ(facts.sections.debug_bytes, 111U);
  EXPECT_EQ(facts.sections.symbol_bytes, 24U + 9U);
  EXPECT_THAT(facts.sections.sizes, testing::IsSupersetOf({SectionSize{".debug_info", 100}, SectionSize{".symtab", 24},
                                                           SectionSize{".zdebug_line", 11}}));
  EXPECT_THAT(facts.sections.sizes, testing::Not(testing::Contains(testing::Field(&SectionSize::name, ".debug_str"))));
  recipe.strip_sections = true;
  const ElfFacts stripped = facts_of(recipe);
  EXPECT_THAT(stripped.sections.comments, IsEmpty());
  EXPECT_EQ(stripped.sections.debug_bytes, 0U);
  EXPECT_EQ(stripped.sections.symbol_bytes, 0U);
}

TEST_P(TextsOnEveryMachine, SectionsAreKnownByTheirNames) {
  ElfRecipe recipe = on(GetParam(), rich_recipe());
  recipe.sections = {{.name = ".comment", .bytes = "GCC: (GNU) 4.8.2"s, .flags = 0}};
  EXPECT_THAT(facts_of(recipe).sections.comments, ElementsAre("GCC: (GNU) 4.8.2"));
}

}  // namespace
}  // namespace wheelcheck::elf
