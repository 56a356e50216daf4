// Tests the relations between two wheels: which file captures which, in which order, and the severity.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/conflicts/support.h"
#include "tests/support/kept.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::Together;
using test::WheelBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Stories = std::vector<std::uint32_t>;

constexpr const char* suffix = ".cpython-311-x86_64-linux-gnu.so";

std::string module(const std::string& name) { return name + suffix; }

WheelBuilder wheel(const std::string& name) {
  return WheelBuilder(name + "-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
}

// A library that a module needs.
ElfBuilder library(const std::string& path, const std::string& soname) {
  return ElfBuilder(path).soname(soname).role(PlainLibrary{});
}
ElfBuilder user(const std::string& name, const std::string& soname) {
  return ElfBuilder(name).needed(soname).runpath("$ORIGIN");
}

// leaker/_l makes liblib-a.so global; victim/_v uses the same names of its own liblib-b.so.
struct Leak {
  ElfBuilder published = library("leaker/liba.so", "liba.so"), own = library("victim/libb.so", "libb.so"),
             module_of_leaker = user(module("leaker/_l"), "liba.so"),
             module_of_victim = user(module("victim/_v"), "libb.so");

  Together together() const {
    return Together(
        {wheel("leaker").elf(module_of_leaker).elf(published), wheel("victim").elf(module_of_victim).elf(own)});
  }
  Conflicts find() const { return together().global(module("leaker/_l")).find(); }
};

TEST(Conflicts, NameOfAGlobalLibraryCapturesThatOfALaterOne) {
  Leak leak;
  leak.published.exports("f");
  leak.own.exports("f");
  leak.module_of_victim.import("f");
  const Conflicts found = leak.find();
  ASSERT_THAT(found.relations, SizeIs(1));
  const Relation& relation = found.relations[0];
  EXPECT_EQ(relation.kind, RelationKind::Capture);
  EXPECT_EQ(found.installation.names[relation.own.value], "victim/libb.so");
  EXPECT_EQ(found.installation.names[relation.provider.value], "leaker/liba.so");
  EXPECT_EQ(found.installation.names[relation.by.at(0).value], module("victim/_v"));
  EXPECT_EQ(relation.distribution, DistributionIndex{1});
  EXPECT_EQ(relation.provider_distribution, DistributionIndex{0});
  EXPECT_EQ(relation.load_plans, Stories{0});  // in the other order the victim is bound before anything is global
  ASSERT_TRUE(relation.published);
  EXPECT_EQ(relation.published->line, 3U);
  EXPECT_FALSE(relation.maybe);
  EXPECT_EQ(relation.severity, Severity::Warning);
  EXPECT_EQ(relation.reason, Reason::UnknownVersion);
  ASSERT_THAT(found.publications, SizeIs(1));
  EXPECT_EQ(found.publications[0].exports, 1U);
}

TEST(Conflicts, LocalLibrariesDoNotMeet) {
  Leak leak;
  leak.published.exports("f");
  leak.own.exports("f");
  leak.module_of_victim.import("f");
  const Conflicts found = leak.together().find();
  EXPECT_THAT(found.relations, IsEmpty());
  EXPECT_THAT(found.publications, IsEmpty());
}

TEST(Conflicts, ModuleOfOneWheelMayUseAnotherOfItsFiles) {
  const Conflicts found = Together({wheel("one")
                                        .elf(user(module("one/_a"), "liba.so"))
                                        .elf(library("one/liba.so", "liba.so").exports("f"))
                                        .elf(user(module("one/_b"), "libb.so").import("f"))
                                        .elf(library("one/libb.so", "libb.so").exports("f"))})
                              .global(module("one/_a"))
                              .find();
  EXPECT_THAT(found.relations, IsEmpty());
}

TEST(Conflicts, WhatTheMetadataRequiresIsThereAlsoAlone) {
  Leak leak;
  leak.published.exports("f");
  leak.module_of_victim.import("f");  // without a definition of its own
  Together undeclared = leak.together();
  const Conflicts borrowed = undeclared.global(module("leaker/_l")).find();
  ASSERT_THAT(borrowed.relations, SizeIs(1));
  EXPECT_EQ(borrowed.relations[0].kind, RelationKind::Borrow);
  EXPECT_EQ(borrowed.relations[0].severity, Severity::Warning);
  EXPECT_EQ(borrowed.relations[0].load_plans, Stories{0});

  const Conflicts declared = Together({wheel("leaker").elf(leak.module_of_leaker).elf(leak.published),
                                       wheel("victim")
                                           .edit([](WheelFacts& w) { w.metadata->requires_dist = {"leaker>=1"}; })
                                           .elf(leak.module_of_victim)
                                           .elf(leak.own)})
                                 .global(module("leaker/_l"))
                                 .find();
  EXPECT_THAT(declared.relations, IsEmpty());
}

TEST(Conflicts, LibraryOfTheSameSonameIsLoadedOnce) {
  const auto make = [](const std::string& name) {
    return wheel(name)
        .elf(user(module(name + "/_m"), "libz.so.1").import("zip"))
        .elf(library(name + "/libz.so.1", "libz.so.1").exports("zip"));
  };
  const Conflicts found = Together({make("alpha"), make("beta")}).find();
  ASSERT_THAT(found.relations, SizeIs(2));  // the second distribution uses the library of the first, in both orders
  for (const Relation& relation : found.relations) {
    EXPECT_EQ(relation.kind, RelationKind::Displaced);
    EXPECT_THAT(relation.load_plans, SizeIs(1));
    EXPECT_FALSE(relation.published);
  }
}

TEST(Conflicts, ImportThatFailsOnlyBesideTheOtherIsAFailure) {
  const Conflicts found = Together({wheel("alpha")
                                        .elf(user(module("alpha/_m"), "libz.so.1").import("old"))
                                        .elf(library("alpha/libz.so.1", "libz.so.1").exports("old")),
                                    wheel("beta")
                                        .elf(user(module("beta/_m"), "libz.so.1").import("old").import("young"))
                                        .elf(library("beta/libz.so.1", "libz.so.1").exports("old").exports("young"))})
                              .find();
  ASSERT_THAT(found.failures, SizeIs(1));
  EXPECT_EQ(found.failures[0].load_plan, 0U);
  EXPECT_EQ(found.failures[0].module, "beta._m");
  EXPECT_EQ(found.failures[0].error, "/site/" + module("beta/_m") + ": undefined symbol: young");
}

// tensorflow-io does not name tensorflow in Requires-Dist, but its code imports it before it opens its libraries.
TEST(Conflicts, BorrowFromWhatTheUserImportsIsANote) {
  const auto severity = [](bool imports) {
    Together together({wheel("alpha").elf(ElfBuilder(module("alpha/_m")).exports("f")),
                       wheel("beta").elf(ElfBuilder(module("beta/ops")).import("f"))});
    together.global(module("alpha/_m")).maybe(module("beta/ops"));
    const auto first = [&](const Installation& all, std::span<const DistributionIndex> users) {
      std::vector<LoadPlan> plans;
      for (const DistributionIndex user : users) {
        LoadPlan& plan = plans.emplace_back(LoadPlan{.order = {user}, .plan = {.main = all.main, .steps = {{}}}});
        plan.opens.emplace_back();
        if (!imports) continue;
        plan.plan.steps[0].opens.push_back({.name = all.world.files[0].path, .flags = {.global = true}});
        plan.opens[0].push_back({.object = all.objects[0][0], .distribution = DistributionIndex{0}});
      }
      return plans;
    };
    const Conflicts found = together.find({}, first);
    const auto borrow = std::ranges::find(found.relations, RelationKind::Borrow, &Relation::kind);
    return borrow == found.relations.end() ? Severity::Error : borrow->severity;
  };
  EXPECT_EQ(severity(false), Severity::Warning);
  EXPECT_EQ(severity(true), Severity::Note);
}

// grpc_tools loads its compiler only when it is used. If it is used first, it has its own protobuf.
TEST(Conflicts, OrderInWhichOnlyALaterImportIsAffectedIsLeftOut) {
  const auto make = [](const char* name) {
    return wheel(name).elf(ElfBuilder(module(std::string(name) + "/_m")).exports("thing").edit([](ElfMember& member) {
      for (Export& symbol : member.facts.dynamic->exports) symbol.bound = Bound::AtLoad;
    }));
  };
  Together together({make("alpha"), make("beta")});
  together.global(module("alpha/_m")).last(module("beta/_m"));
  const Conflicts found = together.find();
  ASSERT_THAT(found.relations, SizeIs(1));
  ASSERT_THAT(found.load_plans, SizeIs(2));
  EXPECT_THAT(found.relations[0].load_plans, testing::ElementsAre(0));
  EXPECT_THAT(found.relations[0].late_plans, testing::ElementsAre(1));
}

// Two Qt under one soname. An older one is an error. Where no import is certain, or no version is known, it is a
// warning.
TEST(Conflicts, LibraryThatOnlyUncertainImportsUseIsAWarning) {
  const auto severity = [](bool maybe, bool versions = true) {
    std::vector<WheelBuilder> wheels;
    for (const char* name : {"alpha", "beta"}) {
      ElfBuilder user_of = user(module(std::string(name) + "/QtGui"), "libq.so.5");
      ElfBuilder qt = library(std::string(name) + "/libq.so.5", "libq.so.5");
      for (int i = 10; i < 70; ++i) {
        const std::string symbol = "_ZN2Qt3f" + std::to_string(i) + "Ev";
        user_of.import(symbol);
        qt.exports(symbol);
      }
      qt.edit([name](ElfMember& member) {  // two builds
        for (Export& symbol : member.facts.dynamic->exports) symbol.size = name[0];
      });
      wheels.push_back(wheel(name).elf(user_of).elf(qt));
    }
    Together together(wheels);
    if (maybe) together.maybe(module("beta/QtGui"));
    Knowledge knowledge;
    KnownLibrary& qt = knowledge.libraries.emplace_back();
    qt.id = qt.name = test::kept("qt");
    qt.namespaces = test::kept_list({"Qt"});
    for (const char* name : {"alpha", "beta"}) {
      IdentifiedLibrary known{.library = "qt", .name = "Qt", .family = {}, .version = {}};
      if (versions) known.version = name[0] == 'a' ? "5.12.1" : "5.15.2";
      known.confidence = Confidence::High;
      together.library(std::string(name) + "/libq.so.5", known);
    }
    const Conflicts found = together.find(knowledge);
    return found.relations.empty() ? Severity::Note : found.relations[0].severity;
  };
  EXPECT_EQ(severity(false), Severity::Error);
  EXPECT_EQ(severity(true), Severity::Warning);
  EXPECT_EQ(severity(false, false), Severity::Warning);
}

// No Python code imports the modules of beta (as those of PySide6): the first argument fails, the second works.
std::vector<bool> uncertain(const std::vector<std::string>& failing, const std::vector<std::string>& working) {
  WheelBuilder beta = wheel("beta").elf(library("beta/libz.so.1", "libz.so.1").exports("old").exports("young"));
  for (const std::string& name : failing) beta.elf(user(module("beta/" + name), "libz.so.1").import("young"));
  for (const std::string& name : working) beta.elf(user(module("beta/" + name), "libz.so.1").import("old"));
  Together together({wheel("alpha")
                         .elf(user(module("alpha/_m"), "libz.so.1").import("old"))
                         .elf(library("alpha/libz.so.1", "libz.so.1").exports("old")),
                     beta});
  for (const auto& names : {failing, working})
    for (const std::string& name : names) together.maybe(module("beta/" + name));
  const Conflicts found = together.find();
  std::vector<bool> maybe;
  for (const ImportFailure& each : found.failures) maybe.push_back(each.maybe);
  return maybe;
}

TEST(Conflicts, FailureOfMostPublicModulesOfAPackageIsCertain) {
  EXPECT_EQ(uncertain({"QtCore", "QtGui"}, {"QtXml"}), (std::vector{false, false}));
  EXPECT_EQ(uncertain({"QtCore"}, {"QtGui"}), std::vector{true});
  EXPECT_EQ(uncertain({"Main"}, {}), std::vector{false});
  EXPECT_EQ(uncertain({"_speedups"}, {}), std::vector{true});
}

// PyQt6 6.6.1 with PyQt6-Qt6 6.9.0: two of 32 modules fail, and users import QtGui.
TEST(Conflicts, FailureOfAPublicModuleIsCertainWhereAnotherDistributionDoesNotFit) {
  const auto maybe = [](const std::string& name) {
    ElfBuilder qt = library("alpha/libq.so.6", "libq.so.6");
    for (char c = 'a'; c <= 'z'; ++c) qt.exports(std::string("_ZN2qt1") + c + "Ev");
    const auto of = [](const std::string& which, const std::string& symbol) {
      return ElfBuilder(module("beta/" + which)).needed("libq.so.6").runpath("$ORIGIN/../alpha").import(symbol);
    };
    Together together(
        {wheel("alpha").elf(qt),
         wheel("beta").elf(of(name, "_ZN2qt3oldEv")).elf(of("QtXml", "_ZN2qt1aEv")).elf(of("QtSql", "_ZN2qt1bEv"))});
    for (const std::string& each : {name, std::string("QtXml"), std::string("QtSql")})
      together.maybe(module("beta/" + each));
    return together.find().failures.at(0).maybe;
  };
  EXPECT_FALSE(maybe("QtGui"));
  EXPECT_TRUE(maybe("_QtGui"));
}

// tables 3.9.2 tries libblosc2.so, then the file beside its __init__.py.
TEST(Conflicts, NameOfALibraryThatPythonCodeTriesIsNoFailure) {
  const auto failures = [](std::uint32_t attempt) {
    PythonFile file;
    file.calls.push_back({.call = LoadCall::Cdll, .library = "libb.so"});
    file.events.push_back({.action = PythonAction::Load, .attempt = attempt, .call = 0});
    return Together({wheel("alpha").elf(library("alpha/libb.so", "libb.so")).edit([&](WheelFacts& facts) {
             facts.python.push_back(file);
           })})
        .searched("alpha/libb.so")
        .find()
        .failures.size();
  };
  EXPECT_EQ(failures(0), 0U);
  EXPECT_EQ(failures(no_python_index), 1U);
}

// PySide6 6.6.0 with shiboken6 6.7.3.
TEST(Conflicts, LibraryOfAnotherReleaseIsMissing) {
  const auto with = [](const std::string& line) {
    return Together({wheel("side")
                         .elf(ElfBuilder(module("side/QtCore")).needed("libshib.abi3.so.6.6"))
                         .edit([line](WheelFacts& facts) { facts.metadata->requires_dist = {line}; }),
                     wheel("shib")
                         .elf(ElfBuilder(module("shib/shib")))
                         .elf(library("shib/libshib.abi3.so.6.7", "libshib.abi3.so.6.7"))})
        .find();
  };
  const Conflicts found = with("shib");
  ASSERT_FALSE(found.failures.empty());
  EXPECT_FALSE(found.failures[0].outside);
  ASSERT_TRUE(found.failures[0].missing->library);
  EXPECT_EQ(found.installation.names[found.failures[0].missing->library->value], "shib/libshib.abi3.so.6.7");
  const Conflicts unrelated = with("other");
  ASSERT_FALSE(unrelated.failures.empty());
  EXPECT_TRUE(unrelated.failures[0].outside);
}

// torch needs libcudart of nvidia-cuda-runtime; torchvision has a copy for itself.
TEST(Conflicts, LibraryOfAnUnrelatedDistributionIsNotTheOneOfAnAbsentRequirement) {
  const auto with = [](const std::string& line) {
    return Together({wheel("torch")
                         .elf(ElfBuilder(module("torch/_C")).needed("libcudart.so.13"))
                         .edit([line](WheelFacts& facts) { facts.metadata->requires_dist = {line}; }),
                     wheel("vision").elf(library("vision.libs/libcudart-12ab.so.13", "libcudart.so.13"))})
        .find();
  };
  const Conflicts absent = with("cuda");
  ASSERT_FALSE(absent.failures.empty());
  EXPECT_TRUE(absent.failures[0].outside);
  EXPECT_THAT(absent.not_known, ElementsAre(module("torch/_C") +
                                            " cannot be opened: libcudart.so.13 is only in vision, which it does not "
                                            "require; it requires cuda, which is not here"));
  const Conflicts required = with("vision");
  ASSERT_FALSE(required.failures.empty());
  EXPECT_FALSE(required.failures[0].outside);
}

TEST(Conflicts, WhatFailsAloneForLackOfALibraryThatWasNotGivenIsNotKnown) {
  const Conflicts found = Together({wheel("alpha").elf(ElfBuilder(module("alpha/_m")).needed("libabsent.so.3")),
                                    wheel("beta").elf(ElfBuilder(module("beta/_m")))})
                              .find();
  ASSERT_THAT(found.failures, SizeIs(2));  // in both orders
  EXPECT_TRUE(found.failures[0].alone);
  EXPECT_TRUE(found.failures[0].outside);
  EXPECT_THAT(found.not_known, SizeIs(1));
  EXPECT_EQ(found.files_opened, 2U);  // as if the library were there
}

// socketify, whose library exports a C++ runtime and requires the system's libuv.
TEST(Conflicts, TheRestOfAFileWithoutALibraryOfTheSystemIsJudged) {
  Leak leak;
  leak.published.exports("f").needed("libuv.so.1");
  leak.own.exports("f");
  leak.module_of_victim.import("f");
  const Conflicts found = leak.find();
  ASSERT_THAT(found.relations, SizeIs(1));
  EXPECT_EQ(found.relations[0].kind, RelationKind::Capture);
  ASSERT_THAT(found.failures, SizeIs(2));  // in both orders
  EXPECT_TRUE(found.failures[0].outside);
  EXPECT_THAT(found.not_known, SizeIs(1));
  // Nothing is taken for a library that was only tried.
  EXPECT_THAT(leak.together().global(module("leaker/_l")).maybe(module("leaker/_l")).find().relations, IsEmpty());
}

// bitsandbytes 0.50.2: a library for each release of CUDA and ROCm, and one for processors.
TEST(Conflicts, VariantsOfALibraryWithoutTheirSystemAreNoGap) {
  const auto not_known = [](bool all_lack) {
    ElfBuilder cpu = library("bits/libbits_cpu.so", "libbits_cpu.so");
    if (all_lack) cpu.needed("libabsent.so.1");
    Together together(
        {wheel("bits").elf(cpu).elf(library("bits/libbits_cuda.so", "libbits_cuda.so").needed("libcudart.so.11.0"))});
    for (const std::string one : {"cpu", "cuda"})
      together.opened("bits/libbits_" + one + ".so", process::OpenBy::Ctypes);
    return together.find().not_known;
  };
  EXPECT_THAT(not_known(false), IsEmpty());
  EXPECT_THAT(not_known(true), SizeIs(2));
}

// torchaudio 0.12.1 without FFmpeg 4.
TEST(Conflicts, LibraryThatCodeTriesToOpenIsNoGapWhereTheRestWorks) {
  const auto not_known = [](bool with_module) {
    WheelBuilder audio = wheel("audio").elf(library("audio/libffmpeg.so", "libffmpeg.so").needed("libavutil.so.56"));
    if (with_module) audio.elf(ElfBuilder(module("audio/_audio")));
    Together together({audio});
    together.tried("audio/libffmpeg.so");
    return together.find().not_known;
  };
  EXPECT_THAT(not_known(true), IsEmpty());
  EXPECT_THAT(not_known(false), SizeIs(1));
}

// torchcodec 0.9.1 with torch 2.10.0 on a system without FFmpeg.
TEST(Conflicts, MissingLibraryOfTheSystemHidesNoMissingName) {
  const auto found = [](const std::string& wanted) {
    ElfBuilder c10 = ElfBuilder("torch/lib/libc10.so").soname("libc10.so").role(PlainLibrary{});
    for (char one = 'a'; one <= 'z'; ++one) c10.exports(std::string("_ZN3c102f") + one + "Ev");
    const ElfBuilder codec = ElfBuilder(module("codec/_core"))
                                 .runpath("$ORIGIN/../torch/lib")
                                 .needed("libc10.so")
                                 .needed("libavutil.so.60")
                                 .import(wanted);
    return Together({wheel("torch").elf(c10), wheel("codec").elf(codec)}).find();
  };
  const auto lacks = found("_ZN3c1013MessageLoggerEPKc");
  ASSERT_THAT(lacks.failures, SizeIs(4));  // in both orders
  EXPECT_TRUE(lacks.failures[0].outside);
  EXPECT_FALSE(lacks.failures[1].outside);
  EXPECT_EQ(lacks.failures[1].missing->name, "_ZN3c1013MessageLoggerEPKc");
  EXPECT_EQ(lacks.installation.names[lacks.failures[1].missing->library->value], "torch/lib/libc10.so");
  EXPECT_THAT(lacks.not_known, SizeIs(1));
  EXPECT_THAT(found("_ZN3c102faEv").failures, SizeIs(2));
  EXPECT_THAT(found("_ZN2av4openEv").failures, SizeIs(2));  // may be a name of the missing library
}

// PyQt6-WebEngine-Qt6 6.8.0 with PyQt6-Qt6 6.7.3, which has no libQt6QmlMeta.so.6 either.
TEST(Conflicts, MissingLibraryOfTheSystemHidesNoMissingVersion) {
  const auto found = [](const std::string& version, const std::string& other = "Qt_6.6") {
    const ElfBuilder web = ElfBuilder(module("web/_m"))
                               .runpath("$ORIGIN/../qt")
                               .needed("libcore.so.6")
                               .needed("libmeta.so.6")
                               .need("libcore.so.6", version);
    return Together({wheel("qt").elf(library("qt/libcore.so.6", "libcore.so.6").defines("Qt_6").defines("Qt_6.7")),
                     wheel("web").elf(web),
                     // PySide2 and PyQt5 each have a libQt5Core.so.5.
                     wheel("other").elf(library("other/libcore.so.6", "libcore.so.6").defines(other))})
        .find();
  };
  const auto lacks = found("Qt_6.8");
  ASSERT_THAT(lacks.failures, SizeIs(4));  // in both orders
  EXPECT_TRUE(lacks.failures[0].outside);
  EXPECT_FALSE(lacks.failures[1].outside);
  EXPECT_EQ(lacks.failures[1].error, "libcore.so.6: version `Qt_6.8' not found");
  EXPECT_EQ(lacks.failures[1].missing->what, process::Missing::What::Version);
  EXPECT_EQ(lacks.installation.names[lacks.failures[1].missing->library->value], "qt/libcore.so.6");
  EXPECT_THAT(found("Qt_6.7").failures, SizeIs(2));
  EXPECT_THAT(found("Qt_6.8", "Qt_6.8").failures, SizeIs(2));
}

TEST(Conflicts, LibraryThatIsPerhapsPreloadedIsNoCertainFailure) {
  const auto found = [](Reach reach, const std::string& library) {
    PythonFile file;
    file.calls.push_back({.call = LoadCall::Cdll, .library = library, .global = true, .reach = reach});
    return Together({wheel("alpha")
                         .elf(ElfBuilder("alpha/lib/libc++.so.1").soname("libc++.so.1").role(PlainLibrary{}))
                         .elf(ElfBuilder(module("alpha/_m")).needed("libc++.so.1"))
                         .edit([&](WheelFacts& facts) { facts.python.push_back(file); })})
        .find()
        .failures.front()
        .maybe;
  };
  EXPECT_TRUE(found(Reach::Possible, "*/libc++.so*"));
  EXPECT_FALSE(found(Reach::Possible, "*/libunwind.so*"));
  EXPECT_FALSE(found(Reach::Certain, "*/libc++.so*"));  // the call is part of the plan
}

// PyQt5 and a wheel with a copy of D-Bus.
TEST(Conflicts, CopyOfARepairToolIsNotTheLibraryOfTheSystem) {
  const auto found = [](ElfRole role) {
    const ElfBuilder dbus = ElfBuilder("other.libs/libdbus-1.so.3").soname("libdbus-1.so.3").role(std::move(role));
    return Together(
               {wheel("other").elf(dbus), wheel("qt").elf(ElfBuilder(module("qt/_dbus")).needed("libdbus-1.so.3"))})
        .find();
  };
  const auto copy = found(BundledLibrary{});
  ASSERT_FALSE(copy.failures.empty());
  EXPECT_TRUE(copy.failures[0].outside);
  EXPECT_THAT(copy.not_known, ElementsAre(testing::HasSubstr("apt-file search libdbus-1.so.3")));
  EXPECT_FALSE(found(PlainLibrary{}).failures[0].outside);
}

// A requirement without machine code is installed, although it is no part of the run.
TEST(Conflicts, ARequirementThatWasLeftOutIsHere) {
  const auto not_known = [](const std::string& given) {
    Together together({wheel("alpha")
                           .edit([](WheelFacts& facts) { facts.metadata->requires_dist = {"plain"}; })
                           .elf(ElfBuilder(module("alpha/_m")).needed("libabsent.so.3"))});
    if (!given.empty()) together.given(given);
    return together.find().not_known;
  };
  EXPECT_THAT(not_known("plain"), ElementsAre(testing::HasSubstr("apt-file search libabsent.so.3")));
  EXPECT_THAT(not_known(""), ElementsAre(testing::HasSubstr("it requires plain, which is not here")));
}

// Qt opens its plugins itself, and does without those that cannot be opened.
TEST(Conflicts, APluginOfQtThatCannotBeOpenedFailsNothing) {
  const auto failures = [](const std::string& entry) {
    const std::string path = "gui/plugins/platforms/libqxcb.so";
    const ElfBuilder plugin = library(path, "libqxcb.so").import("_ZN2Qt7privateEv").exports(entry);
    return Together({wheel("gui").elf(plugin).elf(ElfBuilder(module("gui/_g")))})
        .opened(path, process::OpenBy::Dlopen)
        .in_code(path)
        .find()
        .failures.size();
  };
  EXPECT_EQ(failures("qt_plugin_instance"), 0U);
  EXPECT_EQ(failures("other"), 1U);
}

TEST(Conflicts, AWalkThatWasCutIsSaid) {
  Together both({wheel("alpha").elf(ElfBuilder(module("alpha/_m")))});
  EXPECT_THAT(both.cut("the walk ended").find().not_known, ElementsAre("the walk ended"));
}

TEST(Conflicts, WhatTheLoaderDoesWithAMalformedFileIsNotKnown) {
  const auto not_known = [](bool fatal) {
    const ElfBuilder file = ElfBuilder(module("alpha/_m")).flaw(ElfArea::Dynamic, fatal, "DT_INIT leads to no code");
    return Together({wheel("alpha").elf(file)}).find().not_known;
  };
  EXPECT_THAT(not_known(true), ElementsAre(module("alpha/_m") + " is malformed (WC708): DT_INIT leads to no code"));
  EXPECT_THAT(not_known(false), IsEmpty());
}

// libcudart calls dlmopen in a function, which runs after the import and binds no name of the process. WC236 is a note
// of each dlopen of a name that is not constant.
TEST(Conflicts, WhatAConstructorOpensInAnotherNamespaceIsNotKnown) {
  const auto not_known = [](LoaderCall::Function function, bool at_load) {
    const ElfBuilder file = ElfBuilder(module("alpha/_m")).facts([=](ElfFacts& facts, StringPool&) {
      facts.loader_calls.push_back({function, "", 0, at_load});
    });
    return Together({wheel("alpha").elf(file)}).find().not_known;
  };
  EXPECT_THAT(not_known(LoaderCall::Function::Dlmopen, true),
              ElementsAre(module("alpha/_m") + " calls dlmopen when it is loaded: what that opens is not modelled"));
  EXPECT_THAT(not_known(LoaderCall::Function::Dlmopen, false), IsEmpty());
  EXPECT_THAT(not_known(LoaderCall::Function::Dlopen, true), IsEmpty());
  EXPECT_THAT(not_known(LoaderCall::Function::Dlopen, false), IsEmpty());
}

TEST(Conflicts, UniqueSymbolIsSharedWithoutAnyGlobal) {
  const auto make = [](const std::string& name, std::uint64_t size) {
    return wheel(name).elf(ElfBuilder(module(name + "/_m"))
                               .exports("counter", SymbolKind::Object, Binding::Unique, size)
                               .edit([](ElfMember& m) { m.facts.dynamic->exports[0].bound = Bound::AtLoad; }));
  };
  const Conflicts alike = Together({make("alpha", 8), make("beta", 8)}).find();
  ASSERT_THAT(alike.relations, SizeIs(2));
  EXPECT_EQ(alike.relations[0].kind, RelationKind::SharedUnique);
  const Conflicts apart = Together({make("alpha", 8), make("beta", 16)}).find();
  ASSERT_THAT(apart.relations, SizeIs(2));
  EXPECT_EQ(apart.relations[0].reason, Reason::AbiProof);
  EXPECT_EQ(apart.relations[0].severity, Severity::Error);
}

TEST(Conflicts, SystemsLibraryHasTheScopeOfWhoeverLoadsItFirst) {
  const ElfMember system = ElfBuilder("libcxx.so.1")
                               .soname("libcxx.so.1")
                               .exports("grow")
                               .edit([](ElfMember& m) { m.facts.dynamic->exports[0].bound = Bound::AtLoad; })
                               .build({0});
  const auto make = [](const std::string& name) {
    return wheel(name).elf(ElfBuilder(module(name + "/_m")).needed("libcxx.so.1").exports("grow"));
  };
  EXPECT_THAT(Together({make("alpha"), make("beta")}).platform(system).find().relations, IsEmpty());
}

// PyQt6-Qt6 has no module, and its libQt6Gui.so.6 uses the FreeType of the system with PyQt6 alone, and that of
// freetype-py if that is loaded before.
TEST(Conflicts, LibrariesOfADistributionWithoutModulesWorkAloneWithThoseThatRequireIt) {
  const ElfMember system = library("libft.so.6", "libft.so.6").exports("ft").build({0});
  const auto found = Together({wheel("qt").elf(library("qt/libqt.so", "libqt.so").needed("libft.so.6").import("ft")),
                               wheel("bindings").elf(user(module("qt/_m"), "libqt.so")).edit([](WheelFacts& facts) {
                                 facts.metadata->requires_dist = {"qt"};
                               }),
                               wheel("ft")
                                   .elf(library("ft/libft.so.6", "libft.so.6").exports("ft"))
                                   .elf(user(module("ft/_m"), "libft.so.6"))})
                         .platform(system)
                         .find();
  ASSERT_THAT(found.relations, SizeIs(1));
  EXPECT_EQ(found.relations[0].kind, RelationKind::Displaced);
  EXPECT_EQ(found.relations[0].severity, Severity::Note);
}

TEST(Conflicts, WhatNeedNotBeImportedIsMarked) {
  Leak leak;
  leak.published.exports("f");
  leak.own.exports("f");
  leak.module_of_victim.import("f");
  const Conflicts found = leak.together().global(module("leaker/_l")).maybe(module("victim/_v")).find();
  ASSERT_THAT(found.relations, SizeIs(1));
  EXPECT_TRUE(found.relations[0].maybe);
  EXPECT_EQ(found.relations[0].confidence, Confidence::Medium);
}

TEST(Conflicts, TwoRuntimesOfDifferentWheelsAreNamed) {
  const auto make = [](const std::string& name) {
    return wheel(name)
        .elf(user(module(name + "/_m"), "lib" + name + ".so"))
        .elf(library(name + "/lib" + name + ".so", "lib" + name + ".so"));
  };
  const auto openmp = [](const std::string& id) {
    return IdentifiedLibrary{.library = id, .name = id, .family = "openmp", .version = {}, .itself = true};
  };
  const auto severity_of = [&](const std::string& one, const std::string& two) {
    const Conflicts found = Together({make("alpha"), make("beta")})
                                .library("alpha/libalpha.so", openmp(one))
                                .library("beta/libbeta.so", openmp(two))
                                .find();
    EXPECT_THAT(found.runtimes, SizeIs(1));
    EXPECT_EQ(found.runtimes.at(0).load_plans, (Stories{0, 1}));
    return found.runtimes.at(0).severity;
  };
  EXPECT_EQ(severity_of("libgomp", "libgomp"), Severity::Note);
  EXPECT_EQ(severity_of("libgomp", "libomp"), Severity::Warning);
  EXPECT_EQ(severity_of("libomp", "libomp"), Severity::Error);
}

}  // namespace
}  // namespace wheelcheck
