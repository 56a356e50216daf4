// Tests what is opened, in which order and with which flags, without Python code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import_plan/first_import.h"
#include "tests/import_plan/plan_support.h"
#include "tests/import_plan/support.h"
#include "tests/support/kept.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::install;
using test::told;
using test::WheelBuilder;
using ::testing::HasSubstr;

WheelBuilder wheel(const std::string& name) {
  return WheelBuilder(name + "-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
}
std::vector<std::string> tell_all(const Installation& in, const LoadPlanOptions& options = {}) {
  const auto load_plans = plan_imports(in, options);
  if (!load_plans) return {load_plans.error().message};
  std::vector<std::string> out;
  for (const LoadPlan& load_plan : *load_plans) {
    EXPECT_EQ(load_plan.plan.steps.size(), load_plan.opens.size());
    for (std::size_t s = 0; s < load_plan.opens.size(); ++s)
      EXPECT_EQ(load_plan.plan.steps[s].opens.size(), load_plan.opens[s].size());
    out.push_back(told(in, load_plan));
  }
  return out;
}
using Texts = std::vector<std::string>;

Installation two() {
  return install({wheel("beta").elf(ElfBuilder("beta/b.abi3.so")).elf(ElfBuilder("beta/a.abi3.so")),
                  wheel("alpha").elf(ElfBuilder("alpha/x.abi3.so"))},
                 {"zlib", "_ssl"});
}

TEST(Tell, TwoPartiesAreToldInBothOrdersAndTheStandardLibraryLast) {
  EXPECT_EQ(tell_all(two()), (Texts{"beta/a.abi3.so beta/b.abi3.so | alpha/x.abi3.so | _ssl? zlib?",
                                    "alpha/x.abi3.so | beta/a.abi3.so beta/b.abi3.so | _ssl? zlib?"}));
  EXPECT_EQ(tell_all(two(), {.order = ImportOrder::Given, .stdlib = false}),
            (Texts{"beta/a.abi3.so beta/b.abi3.so | alpha/x.abi3.so"}));
}

// Distributions of an environment that nobody named are there because others require them: they neither decide the
// order nor how many orders are simulated.
TEST(Tell, OrdersAreThoseOfTheNamedDistributions) {
  std::vector<WheelBuilder> wheels;
  for (const char* name : {"r1", "r2", "r3", "r4", "r5", "r6"})
    wheels.push_back(wheel(name).elf(ElfBuilder(std::string(name) + "/r.abi3.so")));
  const auto requires_r = [](WheelFacts& facts) { facts.metadata->requires_dist = {"r1", "r2", "r3", "r4"}; };
  wheels.push_back(wheel("alpha").elf(ElfBuilder("alpha/a.abi3.so")).edit(requires_r));
  wheels.push_back(wheel("beta").elf(ElfBuilder("beta/b.abi3.so")));
  const Installation in = install(wheels);
  EXPECT_EQ(tell_all(in, {.stdlib = false}).size(), 1U);
  const Texts told = tell_all(in, {.first = {DistributionIndex{7}, DistributionIndex{6}}, .stdlib = false});
  ASSERT_EQ(told.size(), 2U);
  EXPECT_LT(told[0].find("beta"), told[0].find("alpha"));
  EXPECT_LT(told[0].find("beta"), told[0].find("r1"));
  EXPECT_LT(told[1].find("r1"), told[1].find("alpha"));
  EXPECT_LT(told[1].find("alpha"), told[1].find("beta"));
}

TEST(Tell, ModulesAreImportedByTheirPath) {
  const Installation in = two();
  const auto load_plans = plan_imports(in, {});
  ASSERT_TRUE(load_plans);
  const process::Open& open = (*load_plans)[0].plan.steps[0].opens[0];
  EXPECT_EQ(open.name, "/site/beta/a.abi3.so");
  EXPECT_EQ(open.by, process::OpenBy::Import);
  EXPECT_FALSE(open.flags.lazy || open.flags.global || open.flags.deepbind || open.flags.noload || open.flags.nodelete);
  const PlannedOpen& planned = (*load_plans)[0].opens[0][0];
  EXPECT_EQ(planned.module, "beta.a");
  EXPECT_EQ(planned.distribution, DistributionIndex{0});
  EXPECT_FALSE(planned.flags);
  EXPECT_EQ((*load_plans)[1].order, (std::vector{DistributionIndex{1}, DistributionIndex{0}}));
}

TEST(Tell, OfSeveralVariantsOfAModuleTheOneOfTheInterpreterIsImported) {
  const auto of = [](const std::string& python) {
    return tell_all(install({WheelBuilder("m-1.0-cp310.cp311.cp312-none-manylinux_2_17_x86_64.whl")
                                 .elf(ElfBuilder("m/x.cpython-310-x86_64-linux-gnu.so"))
                                 .elf(ElfBuilder("m/x.cpython-311-x86_64-linux-gnu.so"))
                                 .elf(ElfBuilder("m/x.abi3.so"))
                                 .elf(ElfBuilder("m/y.so"))
                                 .elf(ElfBuilder("m/y.abi3.so"))
                                 .elf(ElfBuilder("m/old.cpython-310-x86_64-linux-gnu.so"))},
                            {"zlib"}, python),
                    {.stdlib = false});
  };
  EXPECT_EQ(of("311"), (Texts{"m/x.cpython-311-x86_64-linux-gnu.so m/y.abi3.so"}));
  EXPECT_EQ(of("310"),
            (Texts{"m/old.cpython-310-x86_64-linux-gnu.so m/x.cpython-310-x86_64-linux-gnu.so m/y.abi3.so"}));
  EXPECT_EQ(of("312"), (Texts{"m/x.abi3.so m/y.abi3.so"}));
}

TEST(Tell, NamesOfTheStableAbiDependOnTheRelease) {
  const auto of = [](const std::string& python, const std::string& abi) {
    return tell_all(install({WheelBuilder("m-1.0-cp39-" + abi + "-manylinux_2_17_x86_64.whl")
                                 .elf(ElfBuilder("m/x.abi3.so"))
                                 .elf(ElfBuilder("m/x.abi3t.so"))
                                 .elf(ElfBuilder("m/y.abi3t.so"))
                                 .elf(ElfBuilder("m/y.so"))
                                 .elf(ElfBuilder("m/z.abi3-x86_64-linux-gnu.so"))
                                 .elf(ElfBuilder("m/z.so"))},
                            {"zlib"}, python),
                    {.stdlib = false});
  };
  EXPECT_EQ(of("314", "abi3"), (Texts{"m/x.abi3.so m/y.so m/z.so"}));
  EXPECT_EQ(of("39", "abi3"), (Texts{"m/x.abi3.so m/y.so m/z.so"}));
  EXPECT_EQ(of("315", "abi3"), (Texts{"m/x.abi3.so m/y.abi3t.so m/z.abi3-x86_64-linux-gnu.so"}));
}

TEST(Tell, AWheelForAnotherPythonIsToldForThatOne) {
  EXPECT_EQ(tell_all(install({WheelBuilder("m-1.0-cp313-cp313t-manylinux_2_17_x86_64.whl")
                                  .elf(ElfBuilder("m/x.cpython-313t-x86_64-linux-gnu.so"))
                                  .elf(ElfBuilder("m/x.abi3.so"))},
                             {"zlib"}),
                     {.stdlib = false}),
            (Texts{"m/x.cpython-313t-x86_64-linux-gnu.so"}));
}

TEST(Tell, LibrariesThatNobodyAsksForAndForeignFilesAreNotOpened) {
  const Installation in = install({wheel("a")
                                       .elf(ElfBuilder("a/x.abi3.so").needed("libdep.so"))
                                       .elf(ElfBuilder("a.libs/libdep.so").soname("libdep.so"))
                                       .elf(ElfBuilder("a/libplugin.so").soname("libplugin.so"))
                                       .elf(ElfBuilder("a/z.abi3.so"))
                                       .elf(ElfBuilder("a/arm.abi3.so").arch(Arch::aarch64))});
  EXPECT_EQ(tell_all(in, {.stdlib = false}), (Texts{"a/x.abi3.so a/z.abi3.so"}));
}

// pyscf 1.7: all libraries are opened by load_library(NAME), which the code calls with names without ".so".
TEST(Tell, LibrariesOfCodeThatOpensUnknownOnesMayBeOpened) {
  const auto tell = [](const std::vector<PythonCall>& calls) {
    return tell_all(
        install({wheel("a").elf(ElfBuilder("a/libone.so")).elf(ElfBuilder("a/libtwo.so")).edit([&](WheelFacts& facts) {
                   facts.python = {{.member = facts.elfs[0].member, .calls = calls}};
                 }),
                 wheel("b").elf(ElfBuilder("b/b.abi3.so"))}),
        {.order = ImportOrder::Given, .stdlib = false});
  };
  EXPECT_EQ(tell({}), (Texts{" | b/b.abi3.so"}));
  EXPECT_EQ(tell({{.call = LoadCall::Cdll}}), (Texts{" | b/b.abi3.so"}));
  EXPECT_EQ(tell({{.call = LoadCall::Cdll, .library = "*/*.so"}}),
            (Texts{" | b/b.abi3.so | a/libone.so? a/libtwo.so?"}));
}

TEST(Tell, TheUserMakesAModuleGlobal) {
  for (const std::string wheel : {"beta", "BE", "bet*", "beta-1.0-*", "beta-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"})
    for (const std::string member : {"b.abi3.so", "beta/b*", "**/b.*"})
      EXPECT_EQ(tell_all(two(), {.order = ImportOrder::Given, .global = {wheel + "::" + member}, .stdlib = false}),
                (Texts{"beta/a.abi3.so beta/b.abi3.so! | alpha/x.abi3.so"}))
          << wheel << "::" << member;
  const Installation in = two();
  const auto load_plans = plan_imports(in, {.global = {"beta::b.abi3.so"}});
  const PlannedOpen& planned = (*load_plans)[0].opens[0][1];
  ASSERT_TRUE(planned.flags);
  EXPECT_EQ(planned.flags->by, FlagSource::By::CommandLine);
  EXPECT_EQ(planned.flags->text, "--global beta::b.abi3.so");
}

TEST(Tell, ADependencyThatTheUserWantsGlobalIsOpenedFirst) {
  const Installation in = install({wheel("a")
                                       .elf(ElfBuilder("a/x.abi3.so").needed("libdep.so"))
                                       .elf(ElfBuilder("a.libs/libdep.so").soname("libdep.so"))});
  EXPECT_EQ(tell_all(in, {.global = {"a::libdep.so"}, .stdlib = false}), (Texts{"a.libs/libdep.so! a/x.abi3.so"}));
  EXPECT_EQ(tell_all(in, {.global = {"a::**"}, .stdlib = false}), (Texts{"a/x.abi3.so!"}));
}

TEST(Tell, FlagsOfEveryImport) {
  const Installation in = two();
  const auto load_plans = plan_imports(in, {.dlopen_flags = 0x109});
  ASSERT_TRUE(load_plans);
  const process::OpenFlags& flags = (*load_plans)[0].plan.steps[2].opens[0].flags;
  EXPECT_TRUE(flags.lazy && flags.global && flags.deepbind);
  EXPECT_FALSE(flags.noload || flags.nodelete);
  EXPECT_EQ((*load_plans)[0].opens[0][0].flags->text, "--dlopen-flags 0x109");
}

TEST(Tell, WhatTheUserNamesMustBeThere) {
  EXPECT_THAT(tell_all(two(), {.global = {"alpah::x.abi3.so"}})[0], HasSubstr("did you mean alpha?"));
  EXPECT_THAT(tell_all(two(), {.global = {"beta::c.abi3.so"}})[0], HasSubstr("no library is called c.abi3.so there"));
  for (const std::string wish : {"beta", "::x", "beta::"})
    EXPECT_THAT(tell_all(two(), {.global = {wish}})[0], HasSubstr("write WHEEL::MEMBER"));
  EXPECT_THAT(tell_all(two(), {.dlopen_flags = 0x100})[0], HasSubstr("RTLD_NOW"));
  const auto load_plans = plan_imports(two(), {.global = {"nobody::x"}});
  ASSERT_FALSE(load_plans);
  EXPECT_EQ(load_plans.error().code, ErrorCode::Usage);
}

// PyQt5.QtChart of PyQtChart, which no code imports.
TEST(Tell, TheOnlyModuleOfADistributionIsItsFirstImport) {
  const auto first = [](WheelBuilder builder) {
    const Installation in = install({builder.edit([](WheelFacts& facts) { facts.all_python = true; })});
    const DistributionIndex only{0};
    return told(in, import_plan::plan_first_imports(in, {}, std::span(&only, 1)).at(0));
  };
  EXPECT_EQ(first(wheel("chart").elf(ElfBuilder("qt/chart.abi3.so"))), "qt/chart.abi3.so");
  EXPECT_EQ(first(wheel("chart").elf(ElfBuilder("qt/chart.abi3.so")).elf(ElfBuilder("qt/core.abi3.so"))), "");
}

// What Qt opens for the first window, after all imports. Qt's libraries are in the distribution PyQt5-Qt5.
TEST(Tell, QtPluginsComeLast) {
  const auto plugin = [](const std::string& path) {
    return ElfBuilder("PyQt5/Qt5/plugins/" + path)
        .runpath("$ORIGIN/../../lib")
        .needed("libQt5Gui.so.5")
        .exports("qt_plugin_instance");
  };
  WheelBuilder qt = wheel("qt");
  qt.elf(ElfBuilder("PyQt5/Qt5/lib/libQt5Gui.so.5").soname("libQt5Gui.so.5"))
      .elf(plugin("platforms/libqxcb.so"))
      .elf(plugin("platforms/libqvnc.so"))
      .elf(plugin("imageformats/libqjpeg.so"));
  const auto all = [&](const std::string& needed) {
    return tell_all(install({qt, wheel("app").elf(ElfBuilder("app/a.abi3.so").needed(needed)),
                             wheel("beta").elf(ElfBuilder("beta/b.abi3.so"))}),
                    {.order = ImportOrder::Given, .stdlib = false});
  };
  EXPECT_EQ(all("libQt5Gui.so.5"),
            (Texts{" | app/a.abi3.so | beta/b.abi3.so | PyQt5/Qt5/plugins/imageformats/libqjpeg.so? "
                   "PyQt5/Qt5/plugins/platforms/libqxcb.so?"}));
  EXPECT_EQ(all("libQt5Core.so.5"), (Texts{" | app/a.abi3.so | beta/b.abi3.so"}));
}

TEST(Tell, PluginsOfOtherToolkitsComeLast) {
  const auto all = [](const std::string& host, const std::string& path, const std::string& entry) {
    return tell_all(install({wheel("tool")
                                 .elf(ElfBuilder("tool/t.abi3.so").needed(host))
                                 .elf(ElfBuilder(path).role(PlainLibrary{}).exports(entry)),
                             wheel("beta").elf(ElfBuilder("beta/b.abi3.so"))}),
                    {.order = ImportOrder::Given, .stdlib = false})
        .front();
  };
  const std::string imports = "tool/t.abi3.so | beta/b.abi3.so";
  EXPECT_EQ(all("libgstreamer-1.0.so.0", "tool/gstreamer-1.0/libgstogg.so", "gst_plugin_ogg_get_desc"),
            imports + " | tool/gstreamer-1.0/libgstogg.so?");
  EXPECT_EQ(all("libmpi.so.40", "tool/lib/openmpi/mca_btl_tcp.so", "mca_btl_tcp_component"),
            imports + " | tool/lib/openmpi/mca_btl_tcp.so!?");
  EXPECT_EQ(all("libgdal-0a1b2c.so.36", "tool/gdalplugins/ogr_Parquet.so", "RegisterOGRParquet"),
            imports + " | tool/gdalplugins/ogr_Parquet.so?");
  EXPECT_EQ(all("libhdf5-0a1b2c.so.310", "tool/plugins/libh5lz4.so", "H5PLget_plugin_info"),
            imports + " | tool/plugins/libh5lz4.so?");
  EXPECT_EQ(all("libhdf5.so.310", "tool/plugins/libh5lz4.so", "other"), imports);
  EXPECT_EQ(all("libhdf5.so.310", "tool/libh5lz4.so", "H5PLget_plugin_info"), imports);
  EXPECT_EQ(all("libz.so.1", "tool/plugins/libh5lz4.so", "H5PLget_plugin_info"), imports);
}

// pymeshlab 2022.2 fails after PyQt5.QtCore, and works when all modules of PyQt5 are open.
TEST(Tell, AModuleWithTheFewestCommonLibrariesIsAlsoImportedAlone) {
  const auto library = [](const std::string& path, const std::string& soname) {
    return ElfBuilder(path).soname(soname).role(PlainLibrary{});
  };
  const auto all = [&](const std::string& theirs, const std::string& init, const LoadPlanOptions& options) {
    const WheelBuilder binding = test::with_python(wheel("binding")
                                                       .elf(ElfBuilder("binding/core.abi3.so").needed("libcore.so.5"))
                                                       .elf(ElfBuilder("binding/gui.abi3.so").needed("libgui.so.5"))
                                                       .elf(ElfBuilder("binding/other.abi3.so")),
                                                   {{"binding/__init__.py", init}})
                                     .edit([](WheelFacts& facts) { facts.metadata->requires_dist = {"toolkit"}; });
    return tell_all(install({wheel("toolkit")
                                 .elf(library("toolkit/libcore.so.5", "libcore.so.5"))
                                 .elf(library("toolkit/libgui.so.5", "libgui.so.5").needed("libcore.so.5")),
                             binding,
                             wheel("mesh")
                                 .elf(ElfBuilder("mesh/m.abi3.so").needed(theirs))
                                 .elf(library("mesh/libcore.so.5", theirs))
                                 .elf(library("mesh/libgui.so.5", "libgui.so.5"))}),
                    options);
  };
  const LoadPlanOptions options{.stdlib = false};
  const Texts told = all("libcore.so.5", "", options);
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[2], "binding/core.abi3.so | mesh/m.abi3.so");
  EXPECT_EQ(all("libcore.so.5", "import binding.gui", options).size(), 2U);
  EXPECT_EQ(all("libcore-0a1b2c.so.5", "", options).size(), 2U);
  EXPECT_EQ(all("libcore.so.5", "", {.order = ImportOrder::Both, .stdlib = false}).size(), 2U);
}

// pyarrow 0.14.0 and SimpleITK 2.0.0 export __once_call: TensorFlow crashes after them if nobody else has loaded
// libstdc++ before, and in an order of many names somebody has.
TEST(Tell, WhoGivesALibraryOfThePlatformItsStateComesFirstInOneOrder) {
  const auto module = [](const std::string& name, const std::string& variable) {
    return wheel(name).elf(ElfBuilder(name + "/m.abi3.so").edit([=](ElfMember& file) {
      if (!variable.empty()) file.facts.dynamic->exports = {{.name = test::kept(variable), .kind = SymbolKind::Tls}};
    }));
  };
  const auto with_runtime = [](const std::vector<WheelBuilder>& wheels, const ElfFacts& runtime) {
    Installation in = install(wheels);
    in.world.files.push_back({.path = "/lib/libstdc++.so.6", .facts = &runtime});
    in.origins.push_back({.kind = Origin::Kind::Platform});
    in.names.emplace_back("libstdc++.so.6");
    return in;
  };
  ElfFacts runtime;
  runtime.dynamic.emplace().exports = {{.name = "_ZSt11__once_call", .kind = SymbolKind::Tls}};
  const auto all = [&](const std::string& variable, LoadPlanOptions options) {
    std::vector<WheelBuilder> wheels;
    for (const char* const name : {"a", "b", "c", "d", "e", "f"}) wheels.push_back(module(name, ""));
    wheels.push_back(module("g", variable));
    const Installation in = with_runtime(wheels, runtime);
    options.stdlib = false;
    return tell_all(in, options);
  };
  const std::string others = "a/m.abi3.so | b/m.abi3.so | c/m.abi3.so | d/m.abi3.so | e/m.abi3.so | f/m.abi3.so";
  const std::string last = others + " | g/m.abi3.so";
  EXPECT_EQ(all("_ZSt11__once_call", {}), (Texts{last, "g/m.abi3.so | " + others}));
  EXPECT_EQ(all("_ZSt11__once_call", {.order = ImportOrder::Given}), (Texts{last}));
  EXPECT_EQ(all("errors", {}), (Texts{last}));
  EXPECT_EQ(all("", {}), (Texts{last}));

  std::vector<WheelBuilder> many;
  for (char name = 'a'; name < 'k'; ++name) many.push_back(module(std::string(1, name), "_ZSt11__once_call"));
  const auto plans = plan_imports(with_runtime(many, runtime), {.stdlib = false});
  ASSERT_TRUE(plans);
  EXPECT_EQ(plans->size(), 6U);
  EXPECT_EQ(plans->front().cut, "only 6 orders of imports are simulated, none with g first");
}

TEST(Tell, WhatADistributionRequiresIsImportedBeforeIt) {
  const auto needs = [](const std::string& line) {
    return [line](WheelFacts& facts) { facts.metadata->requires_dist = {line}; };
  };
  const Installation in = install({wheel("app").elf(ElfBuilder("app/a.abi3.so")).edit(needs("middle>=1")),
                                   wheel("base").elf(ElfBuilder("base/b.abi3.so")),
                                   wheel("middle").elf(ElfBuilder("middle/m.abi3.so")).edit(needs("Base"))});
  EXPECT_EQ(tell_all(in, {.order = ImportOrder::Both, .stdlib = false}),
            (Texts{"base/b.abi3.so | middle/m.abi3.so | app/a.abi3.so"}));
  const Installation extra = install({wheel("app").elf(ElfBuilder("app/a.abi3.so")).edit(needs("base; extra == 'x'")),
                                      wheel("base").elf(ElfBuilder("base/b.abi3.so"))});
  EXPECT_EQ(tell_all(extra, {.order = ImportOrder::Given, .stdlib = false}), (Texts{"app/a.abi3.so | base/b.abi3.so"}));
}

}  // namespace
}  // namespace wheelcheck
