// Tests how a wheel uses GPU libraries, with facts written in C++ and the built-in tables.
#include <gmock/gmock.h>

#include <string>

#include "analysis/internal.h"
#include "tests/support/facts.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::gpu_test {
namespace {

using analysis::read_gpu_name;

const Knowledge& knowledge() {
  static const Result<Knowledge> result = load_knowledge({});
  return *result;
}
const std::string wheel_name = "foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl";

std::vector<GpuReference> of(const WheelBuilder& builder) { return analysis::gpu(builder.build(), knowledge()); }
// "libcudart.so.12 linked; libcuda.so.1 named for dlopen"
std::string words(const std::vector<GpuReference>& references) {
  std::string result;
  for (const GpuReference& one : references) {
    if (!result.empty()) result += "; ";
    result += one.name + ' ' + std::string(name_of(one.use));
  }
  return result;
}
WheelBuilder::Step requires_dist(std::vector<std::string> lines) {
  return [=](WheelFacts& wheel) { wheel.metadata->requires_dist = lines; };
}
WheelBuilder::Step python(std::string path, PythonFile file) {
  return [=](WheelFacts& wheel) {
    PythonFile copy = file;
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
      if (wheel.members[i].path.text() == path) copy.member = MemberIndex{i};
    wheel.python.push_back(copy);
  };
}

TEST(GpuName, ReadsNamesPathsAndForms) {
  const auto said = [](std::string_view text) {
    const auto name = read_gpu_name(text, knowledge().gpu);
    return name ? std::string(name->library->stem) + '|' + name->version + '|' + name->major : std::string("nothing");
  };
  EXPECT_EQ(said("libcudart.so.12"), "libcudart|12|12");
  EXPECT_EQ(said("libcudart.so.11.0"), "libcudart|11.0|11");
  EXPECT_EQ(said("libcudart.so"), "libcudart||");
  EXPECT_EQ(said("libcudart.so.%d"), "libcudart|%d|");
  EXPECT_EQ(said("libcudart.so%s"), "libcudart|%s|");
  EXPECT_EQ(said("libcublasLt.so.*[0-9]"), "libcublasLt|*[0-9]|");
  EXPECT_EQ(said("/usr/local/cuda/lib64/libnvrtc.so"), "libnvrtc||");
  EXPECT_EQ(said("%s/libnvrtc.so.12"), "libnvrtc|12|12");
  EXPECT_EQ(said("%slibcuda.so.1"), "libcuda|1|");
  EXPECT_EQ(said("libcudart-9335f6a2.so.12.4.127"), "libcudart|12.4.127|12");
  EXPECT_EQ(said("libnvjpeg.4a0b5c81.so.13"), "libnvjpeg|13|13");
  EXPECT_EQ(said("libnvrtc-builtins.so.12.4"), "libnvrtc-builtins|12.4|12");
  EXPECT_EQ(said("libcufft.so.11"), "libcufft|11|12");      // cuFFT 11 is part of CUDA 12
  EXPECT_EQ(said("libcusparse.so.12"), "libcusparse|12|");  // part of CUDA 12 and of CUDA 13
  EXPECT_EQ(said("libcudnn.so.9"), "libcudnn|9|");
}

TEST(GpuName, IsSilentAboutSentencesAndOtherLibraries) {
  for (const char* text : {"", "libz.so.1", "cannot open libcuda.so.1", "libcuda.so!", "libcuda.sox", "libcuda",
                           "libcudart_static.a", "mylibcudart.so", "libcurl.so.4", "lib%s.so", ".so", "libcuda.so.1:x",
                           "libcudart-xyz.so.12", "libcudart-9335f6a.so"})
    EXPECT_FALSE(read_gpu_name(text, knowledge().gpu)) << text;
  EXPECT_FALSE(read_gpu_name(std::string(100'000, 'a') + "/libcuda.so", knowledge().gpu));
}

TEST(Gpu, TellsLinkedBundledAndNamedApart) {
  const auto found = of(WheelBuilder(wheel_name)
                            .elf(ElfBuilder("foo/_x.so")
                                     .needed("libcudart-9335f6a2.so.12.4.127")
                                     .names_library("libcudart-9335f6a2.so.12.4.127")
                                     .names_library("libcuda.so.1")
                                     .names_library("libz.so.1")
                                     .import("dlopen", "libc.so.6", "GLIBC_2.34"))
                            .elf(ElfBuilder("foo/_y.so").names_library("libnvrtc.so.12"))
                            .elf(ElfBuilder("foo.libs/libcudart-9335f6a2.so.12.4.127")
                                     .soname("libcudart-9335f6a2.so.12.4.127")
                                     .names_library("libcudart-9335f6a2.so.12.4.127")));
  EXPECT_EQ(words(found),
            "libcuda.so.1 named for dlopen; libcudart-9335f6a2.so.12.4.127 linked; "
            "libcudart-9335f6a2.so.12.4.127 bundled; libnvrtc.so.12 named");
  EXPECT_TRUE(found[0].driver);
  EXPECT_EQ(found[0].version, "1");
  EXPECT_EQ(found[0].major, "");
  EXPECT_EQ(found[1].major, "12");
  EXPECT_EQ(found[1].vendor, "cuda");
  EXPECT_EQ(found[1].component, "CUDA runtime");
}

TEST(Gpu, KnowsALibraryByItsSonameWhateverItsFileIsCalled) {
  const auto found = of(WheelBuilder(wheel_name).elf(ElfBuilder("foo/liba.so").soname("libcudnn.so.9")));
  EXPECT_EQ(words(found), "libcudnn.so.9 bundled");
}

TEST(Gpu, SeesAnOpenerBehindALibraryOfTheWheel) {
  const ElfBuilder helper = ElfBuilder("foo/libhelp.so.2").soname("libhelp.so.2").import("dlopen");
  const ElfBuilder user = ElfBuilder("foo/_x.so")
                              .needed("libhelp.so.2")
                              .import("_ZN3tsl8internal18LoadDynamicLibraryEPKcPPv")
                              .names_library("libcuda.so.1");
  EXPECT_EQ(words(of(WheelBuilder(wheel_name).elf(user).elf(helper))), "libcuda.so.1 named for dlopen");
  EXPECT_EQ(words(of(WheelBuilder(wheel_name).elf(user))), "libcuda.so.1 named");
}

TEST(Gpu, DoesNotJudgeDeviceCode) {
  EXPECT_TRUE(
      of(WheelBuilder(wheel_name).elf(ElfBuilder("foo/k.cubin").use(MachineUse::Device).names_library("libcuda.so.1")))
          .empty());
}

TEST(Gpu, ReadsPythonCallsAndNames) {
  PythonFile file;
  file.calls = {{.call = LoadCall::Cdll, .line = 3, .library = "libcudart.so.*", .flags = {}, .text = {}},
                {.call = LoadCall::FindLibrary, .line = 5, .library = "nvrtc", .flags = {}, .text = {}},
                {.call = LoadCall::Cdll, .line = 7, .library = std::nullopt, .flags = {}, .text = {}},
                {.call = LoadCall::Cdll, .line = 8, .library = "nvrtc", .flags = {}, .text = {}}};
  file.names = {{"libcudart.so.*", 3}, {"libcublas.so.12", 9}, {"libcublas.so.12", 11}};
  const auto found = of(WheelBuilder(wheel_name).member("foo/__init__.py").edit(python("foo/__init__.py", file)));
  EXPECT_EQ(words(found), "libcublas.so.12 named; libcudart.so.* loaded by Python code; nvrtc loaded by Python code");
  EXPECT_EQ(found[0].line, 9U);
  EXPECT_EQ(found[1].line, 3U);
  EXPECT_EQ(found[2].stem, "libnvrtc");
}

TEST(Gpu, NamesTheProviderThatTheWheelRequiresFirst) {
  const WheelBuilder base = WheelBuilder(wheel_name).elf(ElfBuilder("foo/_x.so").needed("libcublas.so.12"));
  const auto without = of(base);
  ASSERT_EQ(without.size(), 1U);
  EXPECT_THAT(without[0].provided_by, testing::ElementsAre("nvidia-cublas-cu12"));
  EXPECT_FALSE(without[0].required);
  EXPECT_TRUE(
      of(WheelBuilder(base).edit(requires_dist({"Nvidia_cublas.CU12>=12.5; extra == 'and-cuda'"})))[0].required);
  EXPECT_FALSE(of(WheelBuilder(base).edit(requires_dist({"nvidia-cublas>=13"})))[0].required);
  EXPECT_FALSE(of(WheelBuilder(base).edit(requires_dist({"nvidia-cublas-cu12; sys_platform == 'win32'"})))[0].required);
  // torch requires the nvidia-* wheels itself.
  EXPECT_TRUE(of(WheelBuilder(base).edit(requires_dist({"torch (>=2.0)"})))[0].required);
}

TEST(Gpu, TakesTheMajorOfTheRestWhereANameTellsNone) {
  const auto found =
      of(WheelBuilder(wheel_name).elf(ElfBuilder("foo/_x.so").needed("libcudart.so.13").needed("libcudnn.so.9")));
  ASSERT_EQ(words(found), "libcudart.so.13 linked; libcudnn.so.9 linked");
  EXPECT_THAT(found[1].provided_by, testing::ElementsAre("nvidia-cudnn-cu13"));
  const auto alone = of(WheelBuilder(wheel_name).elf(ElfBuilder("foo/_x.so").needed("libcudnn.so.9")));
  EXPECT_THAT(alone[0].provided_by,
              testing::ElementsAre("nvidia-cudnn-cu11", "nvidia-cudnn-cu12", "nvidia-cudnn-cu13"));
  // The table has no provider for an unknown major version.
  const auto old = of(WheelBuilder(wheel_name).elf(ElfBuilder("foo/_x.so").needed("libcudart.so.9.0")));
  EXPECT_TRUE(old[0].provided_by.empty());
}

TEST(Gpu, AddsWhatIsOnlyDeclared) {
  const auto found = of(WheelBuilder(wheel_name)
                            .elf(ElfBuilder("foo/_x.so").import("dlopen").names_library("libcuda.so.1"))
                            .edit(requires_dist({"nvidia-cuda-runtime-cu12; extra == 'gpu'", "nvidia-cufft-cu12"})));
  EXPECT_EQ(words(found),
            "libcuda.so.1 named for dlopen; libcudart.so.12 declared; libcufft.so.* declared; libcufftw.so.* declared");
  EXPECT_EQ(found[2].major, "12");
  EXPECT_TRUE(found[1].required);
}

TEST(Gpu, KnowsOtherVendors) {
  const auto found = of(
      WheelBuilder(wheel_name)
          .elf(
              ElfBuilder("foo/_x.so").needed("libamdhip64.so.6").needed("libOpenCL.so.1").needed("libze_loader.so.1")));
  ASSERT_EQ(words(found), "libOpenCL.so.1 linked; libamdhip64.so.6 linked; libze_loader.so.1 linked");
  EXPECT_EQ(found[0].vendor, "opencl");
  EXPECT_EQ(found[1].vendor, "rocm");
  EXPECT_EQ(found[1].major, "6");
  EXPECT_EQ(found[2].vendor, "oneapi");
}

}  // namespace
}  // namespace wheelcheck::test::gpu_test
