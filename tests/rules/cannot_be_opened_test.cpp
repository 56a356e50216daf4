#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"
#include "tests/rules/set_scene.h"

namespace wheelcheck::test::cannot_be_opened_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// ext uses a name of tensorlib's library.
Together together(const std::string& version, bool has_old, const std::string& requirement) {
  ElfBuilder library("tensorlib/libtl.so");
  library.soname("libtl.so").role(PlainLibrary{}).exports("tl_new");
  if (has_old) library.exports("tl_old");
  return Together({wheel_of("tensorlib", version).elf(library),
                   wheel_of("ext")
                       .edit([=](WheelFacts& w) { w.metadata->requires_dist = {requirement}; })
                       .elf(ElfBuilder(module_file("ext/_ext"))
                                .needed("libtl.so")
                                .runpath("$ORIGIN/../tensorlib")
                                .import("tl_old"))});
}

TEST(CannotBeOpened, NamesTheSymbolTheProviderAndTheViolatedRequirement) {
  const auto findings = played(together("2.0", false, "tensorlib<2"), "cannot-be-opened");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(
      findings[0].message,
      "import of ext._ext fails: ext/_ext.cpython-311-x86_64-linux-gnu.so requires tl_old, which tensorlib/libtl.so of "
      "tensorlib 2.0 does not define");
  EXPECT_EQ(findings[0].evidence[1].value, "ext has `tensorlib<2`, which does not allow 2.0");
  EXPECT_EQ(findings[0].fix, "pip install 'tensorlib<2'");
}

// sherpa-onnx 1.13.0 and PySide6-Essentials 6.6.0, each installed with --no-deps.
TEST(CannotBeOpened, NamesWhatAnEnvironmentLacks) {
  const auto findings = [](const std::string& requirement, bool environment, const std::string& optional = "") {
    Together together({wheel_of("ext", "1.13.0")
                           .edit([=](WheelFacts& w) { w.metadata->requires_dist = {requirement}; })
                           .elf(ElfBuilder(module_file("ext/_ext")).needed("libcore.so"))});
    if (environment) together.environment();
    if (!optional.empty()) together.maybe(optional);
    return played(together, "cannot-be-opened");
  };
  const auto found = findings("ext-core==1.13.0", true);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(
      found[0].message,
      "import of ext._ext fails: ext/_ext.cpython-311-x86_64-linux-gnu.so requires libcore.so, which is not found");
  EXPECT_EQ(found[0].fix, "pip install ext==1.13.0, which installs what it requires and is not here: ext-core");
  EXPECT_THAT(findings("ext-core==1.13.0", false), IsEmpty());
  EXPECT_THAT(findings("ext-core==1.13.0; extra == 'core'", true), IsEmpty());
  EXPECT_THAT(findings("ext-core==1.13.0; python_version < '3.9'", true), IsEmpty());
  EXPECT_THAT(findings("ext-core==1.13.0", true, module_file("ext/_ext")), IsEmpty());
}

// torchcodec 0.9.1 with torch 2.10.0, both without FFmpeg: a wheel of libraries alone; torchvision 0.20.1 tries its
// only library.
TEST(CannotBeOpened, NamesTheMissingNameOfALibraryThatPythonCodeOpens) {
  const auto found = [](const std::vector<std::string>& versions, bool tried) {
    ElfBuilder c10 = ElfBuilder("torch/lib/libc10.so").soname("libc10.so").role(PlainLibrary{});
    for (char one = 'a'; one <= 'z'; ++one) c10.exports(std::string("_ZN3c102f") + one + "Ev");
    WheelBuilder codec = wheel_of("codec").edit([](WheelFacts& w) { w.metadata->requires_dist = {"torch==2.5.1"}; });
    for (const std::string& version : versions)
      codec.elf(ElfBuilder("codec/libcodec" + version + ".so")
                    .soname("libcodec" + version + ".so")
                    .role(PlainLibrary{})
                    .runpath("$ORIGIN/../torch/lib")
                    .needed("libc10.so")
                    .needed("libavutil.so." + version)
                    .import("_ZN3c1013MessageLoggerEPKc"));
    Together together({wheel_of("torch", "2.10.0").elf(c10), codec});
    for (const std::string& version : versions) {
      const std::string path = "codec/libcodec" + version + ".so";
      if (tried)
        together.tried(path);
      else
        together.opened(path, process::OpenBy::Ctypes);
    }
    return played(together, "cannot-be-opened");
  };
  for (const auto& findings : {found({"8", "7"}, false), found({"8"}, true)}) {
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].severity, Severity::Error);
    EXPECT_THAT(findings[0].message, HasSubstr("requires c10::MessageLogger(char const*), which torch/lib/libc10.so of "
                                               "torch 2.10.0 does not define"));
    EXPECT_EQ(findings[0].fix, "pip install torch==2.5.1");
  }
}

// torch 2.15.0 after `pip uninstall nvidia-cudnn-cu12`, which had the files of nvidia-cudnn-cu13; torchvision needs
// torch's libraries, which torch loads.
TEST(CannotBeOpened, NamesTheDistributionWhoseLibraryIsGone) {
  const auto findings = [](bool environment, const std::string& optional = "") {
    Together together({wheel_of("nvidia_cudnn", "9.26.0.51").edit([](WheelFacts& w) {
                         w.flaws.push_back({.area = WheelArea::Absent, .subject = "nvidia/cudnn/lib/libcudnn.so.9"});
                       }),
                       wheel_of("torch", "2.15.0")
                           .edit([](WheelFacts& w) { w.metadata->requires_dist = {"nvidia-cudnn"}; })
                           .elf(ElfBuilder("torch/lib/libc10.so").soname("libc10.so").role(PlainLibrary{}))
                           .elf(ElfBuilder(module_file("torch/_C")).needed("libcudnn.so.9").needed("libc10.so")),
                       wheel_of("vision")
                           .edit([](WheelFacts& w) { w.metadata->requires_dist = {"torch"}; })
                           .elf(ElfBuilder(module_file("vision/_C")).needed("libc10.so"))});
    if (environment) together.environment();
    if (!optional.empty()) together.maybe(optional);
    return played(together, "cannot-be-opened");
  };
  const auto found = findings(true);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(found[0].message,
            "import of torch._C fails: torch/_C.cpython-311-x86_64-linux-gnu.so requires libcudnn.so.9, which RECORD "
            "of nvidia_cudnn 9.26.0.51 lists, but the file is gone");
  EXPECT_EQ(found[0].fix, "pip install --force-reinstall --no-deps nvidia_cudnn==9.26.0.51");
  EXPECT_THAT(findings(true, module_file("torch/_C")), SizeIs(2));  // torch works without it
  EXPECT_THAT(findings(false), SizeIs(1));                          // wheels: who has the library is not known
  EXPECT_EQ(findings(false)[0].fix.substr(0, 8), "patchelf");
}

TEST(CannotBeOpened, AsksForAnotherReleaseWhereTheRequirementAllowsThisOne) {
  const auto findings = played(together("2.0", false, "tensorlib"), "cannot-be-opened");
  EXPECT_THAT(findings.at(0).fix, HasSubstr("pip install 'tensorlib!=2.0'"));
  EXPECT_EQ(
      played(together("2.0", false, "other"), "cannot-be-opened").at(0).fix,
      "pip install --upgrade ext tensorlib, or install releases of the two that were built for each other; ext should "
      "require the releases of tensorlib that it works with");
}

// PyQt6 6.6.0 with PyQt6-Qt6 6.6.1, whose QtCore lacks a private symbol.
TEST(CannotBeOpened, AsksForAReleaseOfTheSameTimeFromTheSameProject) {
  const auto fix = [](const std::string& used, const std::string& installed, const std::string& provider = "ext_qt") {
    return played(
               Together({wheel_of(provider, installed)
                             .elf(ElfBuilder("extlib/libtl.so").soname("libtl.so").role(PlainLibrary{}).exports("tl")),
                         wheel_of("ext", used)
                             .edit([=](WheelFacts& w) {
                               w.metadata->requires_dist = {(provider == "ext_qt" ? "ext-qt" : provider) + ">=6.6.0"};
                             })
                             .elf(ElfBuilder(module_file("ext/_ext"))
                                      .needed("libtl.so")
                                      .runpath("$ORIGIN/../extlib")
                                      .import("tl_private"))}),
               "cannot-be-opened")
        .at(0)
        .fix;
  };
  EXPECT_THAT(fix("6.6.0", "6.6.1"), HasSubstr("an earlier release of ext_qt: pip install 'ext_qt>=6.6.0,<6.6.1'"));
  EXPECT_THAT(fix("6.7.0", "6.6.1"), HasSubstr("a later release of ext_qt: pip install 'ext_qt>=6.6.0,>6.6.1'"));
  EXPECT_THAT(fix("6.6.0", "6.6.1", "other"),
              HasSubstr("another release of other: pip install 'other>=6.6.0,!=6.6.1'"));
}

TEST(CannotBeOpened, NamesTheWheelOfALibraryThatNoSearchPathReaches) {
  const auto findings = played(
      Together({wheel_of("dnn").elf(ElfBuilder("dnn/lib/libdnn.so.9").soname("libdnn.so.9").role(PlainLibrary{})),
                wheel_of("rt").elf(ElfBuilder(module_file("rt/_rt")).needed("libdnn.so.9"))}),
      "cannot-be-opened");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("libdnn.so.9 is in dnn 1.0, but no search path of"));
  EXPECT_EQ(findings[0].fix, "patchelf --add-rpath '$ORIGIN/../dnn/lib' rt/_rt.cpython-311-x86_64-linux-gnu.so");
}

TEST(CannotBeOpened, FilesThatFailForOneReasonAreOneFinding) {
  const auto user = [](const std::string& name, const std::string& symbol) {
    return ElfBuilder(module_file(name)).needed("libtl.so").runpath("$ORIGIN/../tensorlib").import(symbol);
  };
  const auto findings = played(
      Together({wheel_of("tensorlib", "2.0")
                    .elf(ElfBuilder("tensorlib/libtl.so").soname("libtl.so").role(PlainLibrary{}).exports("tl_new")),
                wheel_of("ext").elf(user("ext/_a", "_ZN2tl3oldEv")).elf(user("ext/_b", "tl_other"))}),
      "cannot-be-opened");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("requires tl::old(), which tensorlib/libtl.so of tensorlib 2.0"));
  EXPECT_THAT(findings[0].message, HasSubstr("1 more file fail the same way"));
}

// PyQt5.QtChart of PyQtChart 5.11.2 works after PyQt5.QtCore alone, whose libQt5Core.so.5 no search path of it finds.
TEST(CannotBeOpened, NamesTheModuleThatHasToBeImportedBefore) {
  SetScene scene;
  ImportFailure& failure = scene.failure("undefined symbol: f");
  failure.alone = failure.maybe = true;
  failure.import_first = DistributionIndex{0};
  failure.missing = process::Missing{
      .what = process::Missing::What::Symbol, .from = SetScene::beta, .name = "f", .library = SetScene::alpha};
  const auto findings = scene.run("cannot-be-opened");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message,
            "import of beta._b fails where alpha was not imported before: beta/_b.so requires f of alpha/_a.so");
  EXPECT_EQ(findings[0].fix, "import alpha before beta._b");
}

// bodo 2024.12.1 with pyarrow 19.0.0: a module that is imported, and one that is not.
TEST(CannotBeOpened, WhatFailsForCertainComesFirst) {
  const auto user = [](const std::string& name) {
    return ElfBuilder(module_file(name)).needed("libtl.so.1").runpath("$ORIGIN/../tensorlib");
  };
  const auto findings =
      played(Together({wheel_of("tensorlib", "2.0")
                           .elf(ElfBuilder("tensorlib/libtl.so.2").soname("libtl.so.2").role(PlainLibrary{})),
                       wheel_of("ext").elf(user("ext/_a")).elf(user("ext/_b")).edit([](WheelFacts& w) {
                         w.metadata->requires_dist = {"tensorlib"};
                       })})
                 .maybe(module_file("ext/_a")),
             "cannot-be-opened");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("import of ext._b fails"));
  EXPECT_THAT(findings[0].message, HasSubstr("1 more file fail the same way"));
}

// eigenpy, hpp-fcl and pin require cmeel-boost ~=1.83.0, and another one is here.
TEST(CannotBeOpened, DistributionsThatRequireTheSameReleaseAreOneFinding) {
  const auto user = [](const std::string& name, const std::string& line) {
    return wheel_of(name)
        .edit([=](WheelFacts& w) { w.metadata->requires_dist = {line}; })
        .elf(ElfBuilder(module_file(name + "/_m")).needed("libtl.so.1").runpath("$ORIGIN/../tensorlib"));
  };
  const auto count = [&](const std::string& first, const std::string& second) {
    return played(Together({wheel_of("tensorlib", "2.0")
                                .elf(ElfBuilder("tensorlib/libtl.so.2").soname("libtl.so.2").role(PlainLibrary{})),
                            user("one", first), user("two", second)}),
                  "cannot-be-opened")
        .size();
  };
  EXPECT_EQ(count("tensorlib<2", "tensorlib<2"), 1U);
  EXPECT_EQ(count("tensorlib<2", "tensorlib<1.5"), 2U);
  EXPECT_EQ(count("tensorlib", "tensorlib"), 2U);
}

// tensorflow-addons 0.14.0 opens its libraries at the first use, and none can be opened with TensorFlow 2.9.
TEST(CannotBeOpened, IsAnErrorWhereNoFileOfTheDistributionCanBeOpened) {
  const auto severity = [](const std::string& other) {
    const auto user = [](const std::string& name) {
      return ElfBuilder(module_file(name)).needed("libtl.so").runpath("$ORIGIN/../tensorlib").import("tl_old");
    };
    auto ext = wheel_of("ext").elf(user("ext/_a")).elf(user("ext/_b"));
    if (!other.empty()) ext.elf(ElfBuilder(module_file(other)));
    return played(Together({wheel_of("tensorlib", "2.0")
                                .elf(ElfBuilder("tensorlib/libtl.so").soname("libtl.so").role(PlainLibrary{})),
                            ext})
                      .maybe(module_file("ext/_a"))
                      .maybe(module_file("ext/_b")),
                  "cannot-be-opened")
        .at(0)
        .severity;
  };
  EXPECT_EQ(severity(""), Severity::Error);
  EXPECT_EQ(severity("_foo"), Severity::Error);
  EXPECT_EQ(severity("ext/_c"), Severity::Warning);
}

TEST(CannotBeOpened, NamesTheLibraryOfTheSymbolsVersion) {
  const auto library = [](const std::string& file, const std::string& version) {
    return ElfBuilder("lib/" + file).soname(file).role(PlainLibrary{}).defines(version);
  };
  const auto findings = played(Together({wheel_of("jit").elf(library("libjit.so.1", "JIT_1")),
                                         wheel_of("blas").elf(library("libblas.so.1", "BLAS_1")),
                                         wheel_of("solver").elf(ElfBuilder(module_file("solver/_s"))
                                                                    .needed("libjit.so.1")
                                                                    .needed("libblas.so.1")
                                                                    .runpath("$ORIGIN/../lib")
                                                                    .import("blas_mode", "libblas.so.1", "BLAS_1"))}),
                               "cannot-be-opened");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("blas_mode@BLAS_1, which lib/libblas.so.1 of blas 1.0 does not define"));
}

TEST(CannotBeOpened, AssertionOfTheLoaderIsAnError) {
  const auto findings =
      played(Together({wheel_of("one").elf(ElfBuilder(module_file("one/_m")).need("libfoo.so.1", "FOO_1"))}),
             "cannot-be-opened");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("requires FOO_1 of libfoo.so.1, which no DT_NEEDED loads"));
}

TEST(CannotBeOpened, IsSilentWhereTheReleasesFitAndWhereALibraryWasNotGiven) {
  EXPECT_THAT(played(together("1.0", true, "tensorlib"), "cannot-be-opened"), IsEmpty());
  EXPECT_THAT(played(Together({wheel_of("one").elf(ElfBuilder(module_file("one/_m")).needed("libabsent.so.3"))}),
                     "cannot-be-opened"),
              IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::cannot_be_opened_test
