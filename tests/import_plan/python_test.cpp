// Tests what Python code opens: the order of imports, libraries by ctypes, flags, and their source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/import_plan/plan_support.h"
#include "tests/import_plan/support.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::install;
using test::Source;
using test::told;
using test::WheelBuilder;
using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

ElfBuilder extension(const std::string& path) {
  std::string module = path.substr(0, path.find('.'));
  std::ranges::replace(module, '/', '.');
  return ElfBuilder(path).role(ExtensionModule{module, 3});
}
WheelBuilder wheel(const std::string& name, const std::vector<std::string>& files, const std::vector<Source>& sources,
                   bool all = true) {
  WheelBuilder builder(name + "-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  for (const std::string& file : files) {
    const std::string base = file.substr(file.rfind('/') + 1);
    builder.elf(base.starts_with("lib") ? ElfBuilder(file).soname(base) : extension(file));
  }
  return test::with_python(builder, sources, all);
}
Texts tell_all(const Installation& in, LoadPlanOptions options = {}) {
  options.stdlib = false;
  const auto load_plans = plan_imports(in, options);
  if (!load_plans) return {load_plans.error().message};
  Texts out;
  for (const LoadPlan& load_plan : *load_plans) out.push_back(told(in, load_plan) + load_plan.cut);
  return out;
}
WheelBuilder tensorflow(bool all) {
  return wheel("pkg", {"pkg/_internal.so", "pkg/_after.so", "pkg/_aside.so"}, {test::setter, test::caller}, all);
}

TEST(Imports, SayThatTheWalkWasCut) {
  EXPECT_THAT(tell_all(install({wheel("alpha", {"alpha/x.abi3.so"},
                                      {{"alpha/__init__.py", test::calls_without_end("import alpha.x")}})}))
                  .front(),
              HasSubstr("ended at its limit of 1000000 steps"));
}

// torchvision 0.20.1: the code goes on without its operators.
TEST(TellPython, ALibraryOfOperatorsMayBeTried) {
  const auto planned = [](const std::string& before, const std::string& after) {
    const auto in = install({wheel("pkg", {"pkg/libops.so"},
                                   {{"pkg/__init__.py", "import os, torch\n" + before +
                                                            "torch.ops.load_library(os.path.join(os.path.dirname("
                                                            "__file__), 'libops.so'))\n" +
                                                            after}})});
    const auto load_plans = plan_imports(in, {.stdlib = false});
    EXPECT_EQ(load_plans->front().plan.steps[0].opens[0].by, process::OpenBy::Ctypes);
    return load_plans->front().opens[0][0].tried;
  };
  EXPECT_TRUE(planned("try:\n  ", "except OSError:\n  pass\n"));
  EXPECT_FALSE(planned("", ""));
}

TEST(TellPython, ImportsAreFollowedAndTheRestMayBeImported) {
  const auto in =
      install({wheel("pkg", {"pkg/_a.so", "pkg/_b.so", "pkg/sub/_c.so", "pkg/libplugin.so"},
                     {{"pkg/__init__.py", "from . import _b\n"}, {"pkg/sub/__init__.py", "from . import _c\n"}})});
  EXPECT_EQ(tell_all(in), (Texts{"pkg/_b.so | pkg/_a.so? pkg/sub/_c.so?"}));
}

TEST(TellPython, APackageOfTheDistributionsNameIsWhatUsersImport) {
  EXPECT_EQ(tell_all(install(
                {wheel("pkg", {"aaa/_a.so", "pkg/_b.so"},
                       {{"aaa/__init__.py", "from . import _a\n"}, {"pkg/__init__.py", "from . import _b\n"}})})),
            (Texts{"pkg/_b.so | aaa/_a.so?"}));
  EXPECT_EQ(tell_all(install({wheel(
                "other", {"aaa/_a.so", "shared/pkg/_b.so"},
                {{"aaa/__init__.py", "from . import _a\n"}, {"shared/pkg/__init__.py", "from . import _b\n"}})})),
            (Texts{"aaa/_a.so shared/pkg/_b.so"}))
      << "a directory without __init__ is shared";
}

TEST(TellPython, ASetterOfAnotherFileMakesModulesGlobal) {
  for (const bool all : {true, false}) {
    const auto in = install({tensorflow(all)});
    const auto load_plans = plan_imports(in, {.imports = all ? Texts{"pkg.load"} : Texts{}, .stdlib = false});
    ASSERT_TRUE(load_plans);
    EXPECT_EQ(told(in, (*load_plans)[0]),
              all ? "pkg/_internal.so! pkg/_after.so" : "pkg/_internal.so! pkg/_after.so pkg/_aside.so");
    const auto& source = (*load_plans)[0].opens[0][0].flags;
    ASSERT_TRUE(source);
    EXPECT_EQ(source->by, FlagSource::By::Python);
    EXPECT_EQ(in.distributions[0].facts.members[source->file->value].path.text(), "pkg/load.py");
    EXPECT_EQ(source->line, 14U);
    EXPECT_EQ(source->reach, Reach::Likely);
    EXPECT_EQ(source->text, "sys.setdlopenflags(_default_dlopen_flags | ctypes.RTLD_GLOBAL)");
    EXPECT_FALSE((*load_plans)[0].opens[0][1].flags);
  }
}

TEST(TellPython, WhatAnotherPartyImportsIsOpenedThere) {
  const auto in =
      install({wheel("alpha", {"alpha/_a.so"}, {{"alpha/__init__.py", "from . import _a\nimport beta.sub\n"}}),
               wheel("beta", {"beta/_b.so", "beta/_c.so"},
                     {{"beta/__init__.py", "from . import _c\n"}, {"beta/sub.py", "from . import _b\n"}})});
  EXPECT_EQ(tell_all(in), (Texts{"alpha/_a.so beta/_c.so beta/_b.so | ", "beta/_c.so | alpha/_a.so beta/_b.so"}));
}

TEST(TellPython, ADistributionOfWhichNothingIsReachedIsOpenedInItsPlace) {
  const auto in =
      install({wheel("alpha", {"alpha/_a.so", "alpha/_x.so"}, {{"alpha/__init__.py", "from . import _a\n"}}),
               wheel("beta", {"beta/_b.so"}, {{"beta/__init__.py", ""}})});
  EXPECT_EQ(tell_all(in, {.order = ImportOrder::Given}), (Texts{"alpha/_a.so | beta/_b.so? | alpha/_x.so?"}));
}

TEST(TellPython, AnUncertainModuleComesAfterItsPackagesAndWhatTheyImport) {
  const auto in = install({wheel("alpha", {"alpha/_a.so", "alpha/cluster/_c.so", "alpha/linalg/_l.so"},
                                 {{"alpha/__init__.py", "from . import _a\n"},
                                  {"alpha/cluster/__init__.py", "from ..linalg import _l\nfrom . import _c\n"},
                                  {"alpha/linalg/__init__.py", ""}})});
  EXPECT_EQ(tell_all(in), (Texts{"alpha/_a.so | alpha/linalg/_l.so? alpha/cluster/_c.so?"}));
}

TEST(TellPython, ALibraryWithTheNameInAnArgumentIsOneThatModulesNeed) {
  const auto in = install({wheel("pkg", {"pkg/_m.so", "pkg/lib/libother.so"},
                                 {{"pkg/__init__.py",
                                   "import ctypes, os\n"
                                   "def load(name):\n"
                                   "  ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', f'{name}.so'))\n"
                                   "load(unknown)\n"
                                   "from . import _m\n"}})});
  EXPECT_EQ(tell_all(in), (Texts{"pkg/_m.so"}));
}

TEST(TellPython, OnlyWhatTheUserImportsIsReached) {
  const auto in =
      install({wheel("alpha", {"alpha/_a.so", "alpha/_x.so"}, {{"alpha/__init__.py", "from . import _a\n"}}),
               wheel("beta", {"beta/_b.so", "beta/sub/_c.so"},
                     {{"beta/__init__.py", ""}, {"beta/sub/__init__.py", "from . import _c\n"}})},
              {"_ssl"});
  EXPECT_EQ(tell_all(in, {.imports = {"beta.sub", "alpha", "beta._b"}}),
            (Texts{"beta/sub/_c.so | alpha/_a.so | beta/_b.so"}));
  EXPECT_EQ(tell_all(in, {.order = ImportOrder::Both, .imports = {"beta.sub", "alpha"}}),
            (Texts{"beta/sub/_c.so | alpha/_a.so", "alpha/_a.so | beta/sub/_c.so"}));
  EXPECT_EQ(tell_all(in, {.imports = {"_ssl", "alpha"}}), (Texts{"_ssl | alpha/_a.so"}));
  const auto plans = plan_imports(in, {.imports = {"beta.sub", "beta._b", "alpha"}, .stdlib = false});
  ASSERT_TRUE(plans);
  EXPECT_EQ((*plans)[0].order, (std::vector{DistributionIndex{1}, DistributionIndex{0}}));
  const auto load_plans = plan_imports(in, {.imports = {"beta.sub", "alpha"}});
  EXPECT_EQ((*load_plans)[0].order, (std::vector{DistributionIndex{1}, DistributionIndex{0}}));
  EXPECT_THAT(tell_all(in, {.imports = {"beta.sud"}})[0], HasSubstr("did you mean beta.sub"));
  EXPECT_EQ(plan_imports(in, {.imports = {"gamma"}}).error().code, ErrorCode::Usage);
}

constexpr const char* torch = R"(import ctypes, os, sys
def _load_global_deps():
    lib_ext = ".so"
    lib_name = f"libpkg_global_deps{lib_ext}"
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", lib_name)
    try:
        ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    except OSError:
        ctypes.CDLL("libcublas.so.12")
USE = False
if USE or os.getenv("PKG_GLOBAL"):
    sys.setdlopenflags(os.RTLD_GLOBAL | os.RTLD_LAZY)
    from pkg._C import *
else:
    _load_global_deps()
    from pkg._C import *
)";

TEST(TellPython, LibrariesThatCtypesOpensAreFilesOfTheInstallation) {
  const Texts files = {"pkg/_C.so", "pkg/lib/libpkg_global_deps.so", "pkg/other/libpkg_global_deps.so"};
  const auto in = install({wheel("pkg", files, {{"pkg/__init__.py", torch}})}, {"_ctypes"});
  const auto load_plans = plan_imports(in, {.stdlib = false});
  ASSERT_TRUE(load_plans);
  EXPECT_EQ(told(in, (*load_plans)[0]), "pkg/lib/libpkg_global_deps.so! pkg/_C.so");
  EXPECT_EQ((*load_plans)[0].plan.steps[0].opens[0].by, process::OpenBy::Ctypes);
  EXPECT_EQ((*load_plans)[0].plan.steps[0].opens[0].name, "/site/pkg/lib/libpkg_global_deps.so");
  EXPECT_EQ((*load_plans)[0].opens[0][0].flags->line, 7U);
  EXPECT_EQ((*load_plans)[0].opens[0][0].flags->reach, Reach::Likely);
  EXPECT_THAT(tell_all(in, {.possible = true})[0], HasSubstr("pkg/_C.so!?"));
}

TEST(TellPython, ABareNameIsSearchedFor) {
  const auto in = install({wheel("pkg", {"pkg/_C.so"},
                                 {{"pkg/__init__.py",
                                   "import ctypes\nctypes.CDLL('libdep.so.1')\n"
                                   "ctypes.CDLL('libc.so.6')\n"
                                   "ctypes.CDLL(None)\nctypes.CDLL('*.so')\n"}}),
                           wheel("dep", {"dep/libdep.so.1"}, {})},
                          {"_ctypes"});
  const auto load_plans = plan_imports(in, {.order = ImportOrder::Given, .stdlib = false});
  ASSERT_TRUE(load_plans);
  EXPECT_EQ(told(in, (*load_plans)[0]), "dep/libdep.so.1 pkg/_C.so? | ");
  const process::Open& open = (*load_plans)[0].plan.steps[0].opens[0];
  EXPECT_EQ(open.name, "libdep.so.1");
  ASSERT_TRUE(open.caller);
  EXPECT_EQ(in.names[open.caller->value], "_ctypes");
}

TEST(TellPython, OpeningAgainCountsWhereItPublishes) {
  const auto in = install({wheel("pkg", {"pkg/_a.so"}, {{"pkg/__init__.py", R"(import ctypes, os
from . import _a
_path = os.path.join(os.path.dirname(__file__), "_a.so")
ctypes.CDLL(_path)
ctypes.CDLL(_path, ctypes.RTLD_GLOBAL)
)"}})});
  EXPECT_EQ(tell_all(in), (Texts{"pkg/_a.so pkg/_a.so!"}));
}

// A package of Python code has no other submodules than its files. One of machine code, and a module, may make them.
TEST(TellPython, AMissingSubmoduleFailsOnlyInAPackageOfPythonCode) {
  const auto plan = [](const std::string& name, const std::string& other, bool code) {
    std::vector<Source> sources = {
        {"pkg/__init__.py",
         "try:\n  import " + name + "\nexcept ImportError:\n  from . import _a\nelse:\n  from . import _b\n"}};
    if (code) sources.push_back({other, "import os\n"});
    WheelBuilder builder = wheel("pkg", {"pkg/_a.so", "pkg/_b.so"}, sources);
    if (!code) builder.elf(ElfBuilder(other).role(ExtensionModule{"pkg.sub", 3}));
    return tell_all(install({builder}));
  };
  EXPECT_EQ(plan("pkg.sub.absent", "pkg/sub/__init__.py", true), (Texts{"pkg/_a.so | pkg/_b.so?"}));
  EXPECT_EQ(plan("pkg.sub.absent", "pkg/sub.py", true), (Texts{"pkg/_a.so pkg/_b.so"}));
  EXPECT_EQ(plan("pkg.sub.absent", "pkg/sub/__init__.so", false), (Texts{"pkg/sub/__init__.so pkg/_a.so pkg/_b.so"}));
}

TEST(TellPython, FlagsOfTheUserAreTheOnesThatCodeSaves) {
  const auto in = install({tensorflow(true)});
  const auto load_plans = plan_imports(in, {.imports = {"pkg.load"}, .dlopen_flags = 1, .stdlib = false});
  ASSERT_TRUE(load_plans);
  const auto& opens = (*load_plans)[0].plan.steps[0].opens;
  EXPECT_TRUE(opens[0].flags.global && opens[0].flags.lazy);
  EXPECT_TRUE(!opens[1].flags.global && opens[1].flags.lazy);
  EXPECT_EQ((*load_plans)[0].opens[0][1].flags->by, FlagSource::By::CommandLine);
}

}  // namespace
}  // namespace wheelcheck
