// Tests the requirements of generated wheels, and what versions of a provider lack.
#include "wheelcheck/interfaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/facts.h"

namespace wheelcheck::test {
namespace {

using Group = InterfaceEntry::Group;

// foo/x.abi3.so imports f1 and f2 of libbar.so.1, of the distribution bar.
WheelReport user_wheel() {
  WheelReport report;
  report.facts =
      WheelBuilder("foo-1.0-cp38-abi3-manylinux_2_17_x86_64.whl")
          .elf(ElfBuilder("foo/x.abi3.so").exports("PyInit_x").import("f1").import("f2").import("PyCMethod_New"))
          .build();
  ElfMember& elf = report.facts.elfs.front();
  elf.role = ExtensionModule{"foo.x", 3, true};
  elf.facts.dynamic->needed = {"libbar.so.1"};
  for (Import& import : elf.facts.dynamic->imports) import.bound = Bound::AtLoad;
  elf.facts.interfaces.pybind11_ids = {"v4_gcc_libstdcpp_cxxabi1011"};
  report.resolution.needed.assign(1, {});
  report.resolution.needed[0].push_back({.name = "libbar.so.1"});
  report.analysis.elfs.resize(1);
  return report;
}

WheelFacts provider(const std::string& version, const std::vector<std::string>& symbols,
                    std::vector<VersionDefinition> nodes = {}) {
  ElfBuilder library("bar/libbar.so.1");
  for (const std::string& symbol : symbols) library.exports(symbol);
  WheelFacts facts = WheelBuilder("bar-" + version + "-py3-none-manylinux_2_17_x86_64.whl").elf(library).build();
  facts.elfs.front().facts.dynamic->soname = "libbar.so.1";
  facts.elfs.front().facts.dynamic->provides = std::move(nodes);
  return facts;
}

std::vector<ProviderAnswer> answers(const std::vector<WheelFacts>& providers, const WheelReport& wheel = user_wheel()) {
  return interfaces_of(wheel, {}, providers).providers;
}

TEST(Interfaces, NameWhatFilesRequire) {
  Knowledge knowledge;
  knowledge.stable_abi = {{.name = "PyCMethod_New", .minor = 9}};
  const WheelReport wheel = user_wheel();
  const std::vector<InterfaceEntry> entries = interfaces_of(wheel, knowledge, {}).entries;
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].group, Group::Python);
  EXPECT_EQ(entries[0].minimum, "3.9");
  EXPECT_EQ(entries[0].evidence, "PyCMethod_New");
  EXPECT_EQ(entries[1].detail, "v4_gcc_libstdcpp_cxxabi1011");
  EXPECT_EQ(entries[2].name, "libbar.so.1");
}

TEST(Interfaces, KnowNamesThatWereExportedBeforeTheyWereStable) {
  WheelReport wheel = user_wheel();
  wheel.facts.elfs.front().facts.dynamic->imports.back().name = "PyBuffer_GetPointer";
  Knowledge knowledge;
  knowledge.stable_abi = {{.name = "PyBuffer_GetPointer", .minor = 11}};
  EXPECT_EQ(interfaces_of(wheel, knowledge, {}).entries[0].minimum, "");
}

TEST(Interfaces, CompareTheVersionsOfAProvider) {
  std::vector<WheelFacts> providers;
  providers.push_back(provider("10.0", {"f1", "f2"}));
  providers.push_back(provider("9.0", {"f1"}));
  const auto found = answers(providers);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].version, "9.0");
  ASSERT_EQ(found[0].missing.size(), 1U);
  EXPECT_EQ(found[0].missing[0].name, "f2");
  EXPECT_TRUE(found[1].missing.empty());
}

TEST(Interfaces, AreSilentOnASymbolThatNoVersionHas) {
  std::vector<WheelFacts> providers;
  providers.push_back(provider("9.0", {"f1"}));
  EXPECT_TRUE(answers(providers)[0].missing.empty());
}

TEST(Interfaces, AreSilentOnNamesOfTheCxxRuntimeWithoutAVersion) {
  const std::vector<std::string> own = {"_ZN3foo3barEv", "_ZN9St_myname3barEv"};
  const std::vector<std::string> runtime = {"_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEC1Ev",
                                            "_ZNKRSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv",
                                            "_ZSt28__throw_bad_array_new_lengthv",
                                            "_ZTISt9exception",
                                            "_ZNSs4_Rep20_S_empty_rep_storageE",
                                            "_ZnwmSt11align_val_t"};
  WheelReport wheel = user_wheel();
  std::vector<std::string> all = own;
  all.insert(all.end(), runtime.begin(), runtime.end());
  for (const std::string& name : all) {
    Import import = wheel.facts.elfs.front().facts.dynamic->imports.front();
    import.name = name;
    wheel.facts.elfs.front().facts.dynamic->imports.push_back(import);
  }
  std::vector<WheelFacts> providers;
  providers.push_back(provider("1.0", {"f1"}));
  providers.push_back(provider("2.0", all));
  const auto found = answers(providers, wheel);
  std::vector<std::string> missing;
  for (const auto& one : found[0].missing) missing.push_back(one.name);
  EXPECT_EQ(missing, own);
}

TEST(Interfaces, FindAMissingVersionNode) {
  WheelReport wheel = user_wheel();
  wheel.facts.elfs.front().facts.dynamic->needs = {{.library = "libbar.so.1", .version = "BAR_2", .index = 2}};
  std::vector<WheelFacts> providers;
  providers.push_back(provider("1.0", {"f1", "f2"}, {{.version = "BAR_1", .index = 2}}));
  providers.push_back(provider("2.0", {"f1", "f2"}, {{.version = "BAR_2", .index = 2}}));
  providers.push_back(provider("3.0", {"f1", "f2"}));
  const auto found = answers(providers, wheel);
  ASSERT_EQ(found[0].missing.size(), 1U);
  EXPECT_EQ(found[0].missing[0].name, "BAR_2");
  EXPECT_EQ(found[0].missing[0].library, "libbar.so.1");
  EXPECT_TRUE(found[1].missing.empty());
  // The loader accepts a library without version definitions.
  EXPECT_TRUE(found[2].missing.empty());
}

// foo/x.abi3.so needs a library of CUDA and imports f1, f2 and a function of it.
std::vector<InterfaceEntry> cuda_entries(std::string_view soname, std::string_view version, std::string_view major,
                                         const std::string& function, Found found = Found::Outside) {
  WheelReport wheel = user_wheel();
  wheel.facts.elfs.front().facts.dynamic->imports.front().name = function;
  wheel.resolution.needed[0] = {{.name = soname, .found = found}};
  GpuReference reference;
  reference.name = soname;
  reference.vendor = "cuda";
  reference.use = GpuUse::Needed;
  reference.version = version;
  reference.major = major;
  reference.member = wheel.facts.elfs.front().member;
  wheel.analysis.gpu = {reference};
  std::vector<InterfaceEntry> entries = interfaces_of(wheel, {}, {}).entries;
  std::erase_if(entries, [](const InterfaceEntry& entry) {
    return entry.name != "CUDA toolkit" && entry.name != "NVIDIA driver";
  });
  return entries;
}

TEST(Interfaces, NameTheProcessorThatAnImportNeeds) {
  const auto processors = [](Arch arch, std::vector<StartupInstruction> instructions) {
    WheelReport report;
    report.facts = WheelBuilder("foo-1.0-cp311-cp311-linux_x86_64.whl")
                       .elf(ElfBuilder("foo/core.so").edit([&](ElfMember& member) {
                         member.facts.arch = arch;
                         member.facts.startup = instructions;
                         member.role = ExtensionModule{"foo.core", 3, false};
                       }))
                       .build();
    report.resolution.needed.resize(1);
    report.analysis.elfs.resize(1);
    std::vector<std::string> found;
    for (const InterfaceEntry& entry : interfaces_of(report, {}, {}).entries)
      if (entry.name.starts_with("CPU")) found.push_back(entry.name + " " + entry.minimum + " " + entry.evidence);
    return found;
  };
  const auto one = [](unsigned level, const char* instruction, const char* feature, bool certain) {
    return StartupInstruction{.x86_level = level, .instruction = instruction, .feature = feature, .certain = certain};
  };
  EXPECT_THAT(processors(Arch::x86_64, {one(2, "pshufb", "SSSE3", true), one(3, "shrx", "BMI2", true),
                                        one(4, "vpandd", "AVX-512", false)}),
              testing::ElementsAre("CPU x86-64-v3 shrx"));
  EXPECT_THAT(processors(Arch::aarch64, {one(0, "ldaddal", "LSE", true)}),
              testing::ElementsAre("CPU with LSE  ldaddal"));
}

TEST(Interfaces, KnowTheToolkitOfAFunction) {
  const auto entries = cuda_entries("libcudart.so.12", "12", "12", "cudaGraphAddNode_v2");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].minimum, "12.3");
  EXPECT_EQ(entries[0].below, "13");
  EXPECT_EQ(entries[0].evidence, "cudaGraphAddNode_v2");
  EXPECT_EQ(entries[1].minimum, "525.60.13");
  EXPECT_THAT(entries[1].detail, testing::HasSubstr("the driver of CUDA 12.3 is 545.23.06"));
  EXPECT_EQ(cuda_entries("libcudart.so.12", "12", "12", "cudaMalloc")[0].minimum, "12");
  EXPECT_EQ(cuda_entries("libcudart.so.12", "12", "12", "cudaMalloc", Found::InWheel).size(), 1U);
}

TEST(Interfaces, KnowTheToolkitOfAnOldSoname) {
  const auto entries = cuda_entries("libcudart.so.10.1", "10.1", "10", "cudaMalloc");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].minimum, "10.1");
  EXPECT_EQ(entries[0].below, "");
  EXPECT_EQ(entries[1].minimum, "418.39");
}

TEST(Interfaces, ListTheFunctionsOfCythonsModules) {
  WheelReport wheel = user_wheel();
  wheel.facts.elfs.front().facts.interfaces = {
      .cython_messages = {"C %.8s %.200s.%.200s has wrong signature (expected %.500s)"},
      .cython_exports = {{"f", "int (int)"}},
      .cython_imports = {{"g", "void (void)"}, {"h", "void (int)"}}};
  std::vector<InterfaceEntry> entries = interfaces_of(wheel, {}, {}).entries;
  std::erase_if(entries, [](const InterfaceEntry& entry) { return entry.group != Group::Cython; });
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].detail, "exports at least f: int (int)");
  EXPECT_EQ(entries[1].detail, "imports at least g: void (void); h: void (int)");
}

TEST(Interfaces, SayThatAModuleOfCythonImports) {
  WheelReport wheel = user_wheel();
  wheel.facts.elfs.front().facts.interfaces.cython_messages = {
      "C %.8s %.200s.%.200s has wrong signature (expected %.500s)"};
  std::vector<InterfaceEntry> entries = interfaces_of(wheel, {}, {}).entries;
  std::erase_if(entries, [](const InterfaceEntry& entry) { return entry.group != Group::Cython; });
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].detail, "imports C functions or variables; their names cannot be read from the file");
}

TEST(Interfaces, CompareVersionsOfNumpy) {
  WheelReport wheel = user_wheel();
  wheel.facts.elfs.front().facts.interfaces.numpy_messages = {
      "module compiled against ABI version 0x%x",
      "module was compiled against NumPy C-API version 0x%x (NumPy 1.23) but the running NumPy has"};
  std::vector<WheelFacts> numpys;
  for (const char* const version : {"1.22.4", "1.23.0", "2.0.1"})
    numpys.push_back(WheelBuilder("numpy-" + std::string(version) + "-cp39-cp39-manylinux_2_17_x86_64.whl").build());
  const auto found = answers(numpys, wheel);
  ASSERT_EQ(found.size(), 3U);
  ASSERT_EQ(found[0].missing.size(), 1U);
  EXPECT_EQ(found[0].missing[0].name, "NumPy >= 1.23");
  EXPECT_TRUE(found[1].missing.empty());
  ASSERT_EQ(found[2].missing.size(), 1U);
  EXPECT_EQ(found[2].missing[0].name, "NumPy < 2");
}

TEST(Interfaces, KnowTheMuslOfAName) {
  const auto musl = [](const std::string& name, bool defined) {
    WheelReport wheel = user_wheel();
    wheel.facts.elfs.front().libc = Libc::Musl;
    wheel.facts.elfs.front().facts.dynamic->imports.front().name = name;
    if (defined) wheel.facts.elfs.front().facts.dynamic->exports.front().name = name;
    std::vector<InterfaceEntry> entries = interfaces_of(wheel, {}, {}).entries;
    std::erase_if(entries, [](const InterfaceEntry& entry) { return entry.name != "musl"; });
    return entries.at(0).minimum;
  };
  EXPECT_EQ(musl("qsort_r", false), "1.2.3");
  EXPECT_EQ(musl("qsort_r", true), "");
  EXPECT_EQ(musl("malloc", false), "");
  EXPECT_EQ(musl("no_such_name", false), "");
}

TEST(Interfaces, ShowWhatIsOfMusl) {
  const auto evidence = [](std::vector<std::string> needed) {
    WheelReport wheel = user_wheel();
    wheel.facts.elfs.front().libc = Libc::Musl;
    wheel.facts.elfs.front().facts.dynamic->needed.assign(needed.begin(), needed.end());
    std::vector<InterfaceEntry> entries = interfaces_of(wheel, {}, {}).entries;
    std::erase_if(entries, [](const InterfaceEntry& entry) { return entry.name != "musl"; });
    return std::string(entries.at(0).evidence);
  };
  EXPECT_EQ(evidence({"libz.so.1", "libc.musl-x86_64.so.1"}), "libc.musl-x86_64.so.1");
  EXPECT_EQ(evidence({"libc.so"}), "libc.so");
  EXPECT_EQ(evidence({}).front(), '.');
}

// "minimum-below" of each entry for the name.
std::vector<std::string> in_all(const std::vector<InterfaceEntry>& entries, std::string_view name) {
  std::vector<std::string> out;
  for (const InterfaceEntry& entry : required_in_all(entries))
    if (entry.name == name) out.push_back(entry.minimum + "-" + entry.below);
  return out;
}
InterfaceEntry limits(Group group, std::string name, std::string minimum, std::string below) {
  return {group, std::move(name), std::move(minimum), std::move(below), "", 1, {}, ""};
}

TEST(Interfaces, OfTheWholeWheelAreTheStrictest) {
  const std::vector<InterfaceEntry> entries = {
      limits(Group::Gpu, "CUDA toolkit", "12", "13"), limits(Group::Gpu, "CUDA toolkit", "12.3", "13"),
      limits(Group::Gpu, "NVIDIA driver", "525.60.13", ""), limits(Group::Gpu, "NVIDIA driver", "580", ""),
      limits(Group::Gpu, "PTX", "", "")};
  EXPECT_EQ(in_all(entries, "CUDA toolkit"), std::vector<std::string>{"12.3-13"});
  EXPECT_EQ(in_all(entries, "NVIDIA driver"), std::vector<std::string>{"580-"});
  EXPECT_EQ(in_all(entries, "PTX"), std::vector<std::string>{});
}

// bitsandbytes has a library for each CUDA, and loads one of them.
TEST(Interfaces, OfTheWholeWheelCanBeAlternatives) {
  const std::vector<InterfaceEntry> entries = {
      limits(Group::Gpu, "CUDA toolkit", "13", "14"),       limits(Group::Gpu, "CUDA toolkit", "11", "12"),
      limits(Group::Gpu, "CUDA toolkit", "12", "13"),       limits(Group::Gpu, "NVIDIA driver", "580", ""),
      limits(Group::Gpu, "NVIDIA driver", "450.80.02", ""), limits(Group::Gpu, "NVIDIA driver", "525.60.13", "")};
  EXPECT_EQ(in_all(entries, "CUDA toolkit"), (std::vector<std::string>{"11-12", "12-13", "13-14"}));
  EXPECT_EQ(in_all(entries, "NVIDIA driver"), std::vector<std::string>{"450.80.02-"});
}

// h5py imports its module for NumPy 2 only with NumPy 2; most modules of scikit-learn require 1.23, and some 1.22.
TEST(Interfaces, OfTheWholeWheelAreWhatMostModulesRequireOfNumpy) {
  std::vector<InterfaceEntry> most = {limits(Group::Numpy, "NumPy", "1.22", ""),
                                      limits(Group::Numpy, "NumPy", "1.23", "")};
  most[0].files = 3;
  most[1].files = 15;
  EXPECT_EQ(in_all(most, "NumPy"), std::vector<std::string>{"1.23-"});
  most[1].files = 3;
  EXPECT_EQ(in_all(most, "NumPy"), std::vector<std::string>{"1.22-"});
  EXPECT_EQ(in_all({limits(Group::Numpy, "NumPy", "1.23", ""), limits(Group::Numpy, "NumPy", "2.0", "")}, "NumPy"),
            std::vector<std::string>{"1.23-"});
  EXPECT_EQ(in_all({limits(Group::Numpy, "NumPy", "1.20", "2"), limits(Group::Numpy, "NumPy", "1.23", "2")}, "NumPy"),
            std::vector<std::string>{"1.20-2"});
  EXPECT_EQ(in_all({limits(Group::Numpy, "NumPy", "1.20", "2"), limits(Group::Numpy, "NumPy", "", "")}, "NumPy"),
            std::vector<std::string>{});
}

TEST(Interfaces, KnowTheDriverOfAToolkit) {
  EXPECT_EQ(minimum_cuda_driver("12"), "525.60.13");
  EXPECT_EQ(minimum_cuda_driver("99"), "");
}

}  // namespace
}  // namespace wheelcheck::test
