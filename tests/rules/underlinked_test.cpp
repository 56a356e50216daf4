#include <fmt/format.h>

#include "model/unused_copies.h"
#include "rules/symbols/symbol_search.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::underlinked_test {
namespace {

ElfBuilder module(const std::string& symbol, bool weak = false) {
  return ElfBuilder(module_so).needed("libc.so.6").need("libc.so.6", "GLIBC_2.17").import(symbol, weak);
}
std::vector<Finding> run_all(const WheelBuilder& wheel) { return Scene(wheel).run("underlinked"); }
std::vector<Finding> run(const ElfBuilder& elf) { return run_all(WheelBuilder(wheel_2_17).elf(elf)); }
const ElfBuilder lib = ElfBuilder("foo.libs/libbar.so.1").soname("libbar.so.1").needed("libc.so.6").exports("bar");

TEST(Underlinked, FiresForASymbolThatNothingDefines) {
  const Scene scene(WheelBuilder(wheel_2_17).elf(module("bar")));
  const auto findings = scene.run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message, "requires bar, which no library that it loads defines");
  EXPECT_EQ(scene.path(findings[0]), module_so);
}

TEST(Underlinked, IsSilentWhereALibraryOfTheClosureDefinesIt) {
  const ElfBuilder middle = ElfBuilder("foo.libs/libmid.so.1").soname("libmid.so.1").needed("libbar.so.1");
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(module("bar").needed("libmid.so.1")).elf(middle).elf(lib))
                  .run("underlinked")
                  .empty());
}

// A libcurl that is older than its headers has the version CURL_OPENSSL_4, and not every function.
TEST(Underlinked, LooksUpVersions) {
  const auto found = [](const char* name, const char* version) {
    const ElfBuilder library = ElfBuilder("foo.libs/libbar.so.1")
                                   .soname("libbar.so.1")
                                   .needed("libc.so.6")
                                   .defines("BAR_1")
                                   .defines("BAR_2")
                                   .exports("bar", "BAR_1");
    const auto findings = run_all(WheelBuilder(wheel_2_17)
                                      .elf(ElfBuilder(module_so)
                                               .needed("libbar.so.1")
                                               .needed("libc.so.6")
                                               .need("libc.so.6", "GLIBC_2.17")
                                               .import(name, "libbar.so.1", version))
                                      .elf(library));
    return findings.empty() ? "" : findings[0].message;
  };
  EXPECT_EQ(found("bar", "BAR_1"), "");
  EXPECT_EQ(found("bar", "BAR_2"), "requires bar@BAR_2, which no library that it loads defines in that version");
  EXPECT_EQ(found("baz", "BAR_1"), "requires baz@BAR_1, which no library that it loads defines in that version");
  // A library is that of the DT_NEEDED, whatever its soname is; only a need that is weak may name an absent version.
  const auto of_other = [](const char* version, bool weak, bool versions) {
    ElfBuilder library = ElfBuilder("foo.libs/libbar.so.1").soname("libold.so").needed("libc.so.6");
    library.need("libc.so.6", "GLIBC_2.17");
    if (versions) library.defines("BAR_1").defines("BAR_2").exports("bar", "BAR_1");
    const ElfBuilder user = ElfBuilder(module_so)
                                .needed("libbar.so.1")
                                .needed("libc.so.6")
                                .runpath("$ORIGIN/../foo.libs")
                                .need("libbar.so.1", version, weak)
                                .import("bar", "libbar.so.1", version);
    return run_all(WheelBuilder(wheel_2_17).elf(user).elf(library)).size();
  };
  EXPECT_EQ(of_other("BAR_1", false, true), 0U);
  EXPECT_EQ(of_other("BAR_2", false, true), 1U);
  EXPECT_EQ(of_other("BAR_3", false, true), 0U) << "WC515";
  EXPECT_EQ(of_other("BAR_3", true, true), 1U);
  EXPECT_EQ(of_other("BAR_1", false, false), 1U) << "a library without versions is taken, and lacks the name";
  const auto of_glibc = [](const char* name, const char* version) {
    return run(ElfBuilder(module_so).needed("libc.so.6").import(name, "libc.so.6", version)).size();
  };
  EXPECT_EQ(of_glibc("memcpy", "GLIBC_2.14"), 0U);
  EXPECT_EQ(of_glibc("memcpy", "GLIBC_2.3"), 1U);
  EXPECT_EQ(of_glibc("strlcpy", "GLIBC_2.38"), 0U) << "newer than the table";
  const auto of_libstdcxx = [](const char* name, const char* version) {
    return run(ElfBuilder(module_so)
                   .needed("libc.so.6")
                   .needed("libstdc++.so.6")
                   .import(name, "libstdc++.so.6", version))
        .size();
  };
  EXPECT_EQ(of_libstdcxx("_ZSt4cout", "GLIBCXX_3.4"), 0U);
  EXPECT_EQ(of_libstdcxx("_ZSt4cout", "GLIBCXX_3.4.9"), 1U);
  EXPECT_EQ(of_libstdcxx("no_such_name", "CXXABI_1.3"), 1U);
}

// Found by fuzzing: the library for newer processors has no dynamic section.
TEST(Underlinked, AnAlternativeMayBeDamaged) {
  const ElfBuilder user = ElfBuilder(module_so)
                              .needed("libbar.so.1")
                              .needed("libc.so.6")
                              .runpath("$ORIGIN/../foo.libs")
                              .need("libc.so.6", "GLIBC_2.17")
                              .import("bar", "libbar.so.1", "BAR_1");
  const ElfBuilder library = ElfBuilder("foo.libs/libbar.so.1")
                                 .soname("libbar.so.1")
                                 .needed("libc.so.6")
                                 .defines("BAR_1")
                                 .exports("bar", "BAR_1");
  ElfBuilder damaged("foo.libs/glibc-hwcaps/x86-64-v3/libbar.so.1");
  damaged.edit([](ElfMember& elf) { elf.facts.dynamic.reset(); });
  EXPECT_TRUE(run_all(WheelBuilder(wheel_2_17).elf(user).elf(library).elf(damaged)).empty());
}

TEST(Underlinked, AFunctionIsNoVariableOfEachThread) {
  const auto found = [](SymbolKind kind) {
    ElfBuilder user = module("bar").needed("libbar.so.1");
    user.edit([](ElfMember& elf) { elf.facts.dynamic->imports.back().kind = SymbolKind::Tls; });
    const ElfBuilder library = ElfBuilder("foo.libs/libbar.so.1").soname("libbar.so.1").exports("bar", kind);
    return run_all(WheelBuilder(wheel_2_17).elf(user).elf(library)).size();
  };
  EXPECT_EQ(found(SymbolKind::Tls), 0U);
  EXPECT_EQ(found(SymbolKind::Object), 1U);
}

TEST(Underlinked, MuslFindsNoHiddenVersionAndNoAddress0) {
  const auto found = [](Libc libc, bool hidden, bool zero) {
    const bool musl = libc == Libc::Musl;
    ElfBuilder user = ElfBuilder("foo/x.so").libc(libc).needed("libbar.so.1").import("bar");
    user.needed(musl ? "libc.musl-x86_64.so.1" : "libc.so.6");
    if (!musl) user.need("libc.so.6", "GLIBC_2.17");
    ElfBuilder library = ElfBuilder("foo.libs/libbar.so.1").soname("libbar.so.1").libc(libc);
    library.defines("BAR_1").exports("bar", "BAR_1").edit([=](ElfMember& elf) {
      elf.facts.dynamic->exports.back().default_version = !hidden;
      if (zero) elf.facts.dynamic->exports_at_zero = {"bar"};
    });
    const char* const tag = musl ? "musllinux_1_2" : "manylinux_2_17";
    return run_all(WheelBuilder(fmt::format("foo-1.0-cp312-cp312-{}_x86_64.whl", tag)).elf(user).elf(library)).size();
  };
  EXPECT_EQ(found(Libc::Musl, false, false), 0U);
  EXPECT_EQ(found(Libc::Musl, true, false), 1U);
  EXPECT_EQ(found(Libc::Musl, false, true), 1U);
  EXPECT_EQ(found(Libc::Glibc, true, true), 0U);
}

// The second module that Python imports gets the library that the first one loaded.
TEST(Underlinked, ALibraryOfTheSameSonameAnswers) {
  const auto found = [](const char* other, Arch arch = Arch::x86_64) {
    const auto user = [](const char* path, const char* name, const char* directory) {
      return ElfBuilder(path)
          .needed("libbar.so.1")
          .needed("libc.so.6")
          .need("libc.so.6", "GLIBC_2.17")
          .runpath(directory)
          .import(name);
    };
    const auto library = [](const char* path) { return ElfBuilder(path).soname("libbar.so.1").needed("libc.so.6"); };
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(user("foo/a.so", other, "$ORIGIN/a"))
                    .elf(user("foo/b.so", "bar", "$ORIGIN/b"))
                    .elf(library("foo/a/libbar.so.1").exports(other))
                    .elf(library("foo/b/libbar.so.1").exports("bar").exports("more")));
    const auto index_of = [&](std::string_view path) {
      std::uint32_t i = 0;
      while (scene.wheel.members[scene.wheel.elfs[i].member.value].path.text() != path) ++i;
      return ElfIndex{i};
    };
    for (const char* const directory : {"a", "b"})
      for (NeededFound& needed : scene.resolution.needed[index_of(fmt::format("foo/{}.so", directory)).value])
        if (needed.name == "libbar.so.1")
          needed.provider = ElfRef{{0}, index_of(fmt::format("foo/{}/libbar.so.1", directory))};
    scene.wheel.elfs[index_of("foo/a/libbar.so.1").value].facts.arch = arch;
    return scene.run("underlinked");
  };
  EXPECT_TRUE(found("bar").empty());
  const auto findings = found("baz");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[1].severity, Severity::Error);
  EXPECT_EQ(evidence(findings[1], "if the loader takes"),
            "foo/a/libbar.so.1, which it does if another module has loaded it: the libraries have the same soname");
  EXPECT_TRUE(found("baz", Arch::i686).empty());
}

TEST(Hwcaps, MayLieInTheRoot) {
  EXPECT_EQ(directory_searched_next("glibc-hwcaps/x86-64-v2/libbar.so.1"), "");
  EXPECT_EQ(directory_searched_next("tls/libbar.so.1"), "");
  EXPECT_EQ(directory_searched_next("foo.libs/haswell/x86_64/libbar.so.1"), "foo.libs");
  EXPECT_EQ(directory_searched_next("foo.libs/libbar.so.1"), std::nullopt);
  EXPECT_EQ(directory_searched_next("libbar.so.1"), std::nullopt);
}

TEST(Underlinked, KnowsTheNamesOfTheCxxRuntimeOfX86) {
  const auto found = [](const char* name) { return run(module(name).needed("libstdc++.so.6")).size(); };
  EXPECT_EQ(found("_ZSt4cout"), 0U);
  EXPECT_EQ(found("_Unwind_Resume"), 0U);
  EXPECT_EQ(found("_ZN7nowhere4noneEv"), 1U);
}

TEST(Underlinked, NamesTheDefinitionForTheOtherString) {
  const auto found =
      run(module("_ZN3foo3addESs").exports("_ZN3foo3addENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].fix, std::string(module_so) +
                              " defines foo::add(std::__cxx11::string): compile all of it with the same value of "
                              "_GLIBCXX_USE_CXX11_ABI");
  EXPECT_THAT(run(module("_ZN3foo3addESs").exports("_ZN3foo3addEi"))[0].fix, testing::StartsWith("add the library"));
}

TEST(Underlinked, FiresForTwoDefaultVersions) {
  const auto found = [](const char* first, const char* second) {
    const ElfBuilder library = ElfBuilder("foo.libs/libbar.so.1")
                                   .soname("libbar.so.1")
                                   .needed("libc.so.6")
                                   .defines("BAR_1")
                                   .defines("BAR_2")
                                   .defines("BAR_3")
                                   .exports("bar", first)
                                   .exports("bar", second);
    return run_all(WheelBuilder(wheel_2_17).elf(module("bar").needed("libbar.so.1")).elf(library)).size();
  };
  EXPECT_EQ(found("BAR_2", "BAR_3"), 1U);
  EXPECT_EQ(found("BAR_1", "BAR_2"), 0U) << "the first one is taken";
}

TEST(Underlinked, NamesTheFileThatHasIt) {
  const auto findings = Scene(WheelBuilder(wheel_2_17).elf(module("bar")).elf(lib)).run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "defined in"), "foo.libs/libbar.so.1");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("patchelf --add-needed libbar.so.1"));
}

TEST(Underlinked, DoesNotAdviseToAddWhatIsNeeded) {
  const ElfBuilder user = module("bar").needed("libbar.so.1").runpath("$ORIGIN/../other.libs");
  const ElfBuilder other = ElfBuilder("other.libs/libbar.so.1").soname("libbar.so.1").needed("libc.so.6");
  Scene scene(WheelBuilder(wheel_2_17).elf(user).elf(lib).elf(other));
  scene.needed(module_so, "libbar.so.1").provider = ElfRef{WheelIndex{0}, ElfIndex{2}};
  const auto findings = scene.run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].fix,
            "it requires libbar.so.1, and another file of that name is found first: keep only foo.libs/libbar.so.1");
}

TEST(Underlinked, NamesLibatomic) {
  EXPECT_EQ(run(module("__atomic_load_16")).at(0).fix, "link it with -latomic");
  EXPECT_EQ(run(module("__atomic_load_16").needed("libgcc_s.so.1").comment("rustc version 1.85.0")).at(0).fix,
            "link it with -latomic: println!(\"cargo:rustc-link-lib=atomic\") in build.rs");
}

// cppyy-cling: Python code opens libCoreLegacy.so with RTLD_GLOBAL, then libCling.so.
TEST(Underlinked, IsANoteForALibraryWhosePackageLoadsTheOtherFirst) {
  const auto severity = [&](bool global, const char* symbol) {
    const WheelBuilder wheel =
        WheelBuilder(wheel_2_17)
            .elf(ElfBuilder("foo/libcling.so").needed("libc.so.6").need("libc.so.6", "GLIBC_2.17").import(symbol))
            .elf(lib)
            .edit([&](WheelFacts& facts) {
              PythonCall call{.library = "foo/libcling.so"};
              call.global = global;
              facts.python.push_back({.member = MemberIndex{0}, .calls = {call}});
            });
    return Scene(wheel).run("underlinked").at(0).severity;
  };
  EXPECT_EQ(severity(false, "bar"), Severity::Warning);
  EXPECT_EQ(severity(true, "bar"), Severity::Note);
  EXPECT_EQ(severity(true, "of_nobody"), Severity::Warning);
}

TEST(Underlinked, IsSilentForWeakUnboundVersionedAndPythonsNames) {
  EXPECT_TRUE(run(module("bar", true)).empty());
  EXPECT_TRUE(
      run(module("bar").edit([](ElfMember& m) { m.facts.dynamic->imports.back().bound = Bound::Never; })).empty());
  EXPECT_TRUE(run(module("PyLong_FromLong").import("_Py_NoneStruct").import("PyPyLong_FromLong").import("GraalPy_SIZE"))
                  .empty());
  EXPECT_TRUE(run(module("PyLong_FromLong").import("memcpy", "libc.so.6", "GLIBC_2.14")).empty());
}

TEST(Underlinked, IsSilentForWhatEveryInterpreterBrings) {
  for (const char* name : {"sqrt", "powf", "lgammal", "__isnan", "dlsym", "pthread_create", "sem_post", "clock_gettime",
                           "openpty", "feraiseexcept"})
    EXPECT_TRUE(run(module(name)).empty()) << name;
  for (const char* name : {"sqrtx", "dlfoo", "log2_", "f", "expl_finite_", "log2fl", "__sinf", "pthread_foo"})
    EXPECT_EQ(run(module(name)).size(), 1U) << name;
}

// CPython is not linked with librt, whose functions are in libc.so.6 since glibc 2.34.
TEST(Underlinked, FiresForFunctionsOfLibrtInATagBeforeGlibc234) {
  const auto findings = run(module("shm_open"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message, "requires shm_open but not librt.so.1, which defines it before glibc 2.34");
  ASSERT_TRUE(findings[0].on);
  EXPECT_EQ(findings[0].on->before, "2.34");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("patchelf --add-needed librt.so.1 " + module_so));
  const auto with = [](const std::string& tag, const ElfBuilder& elf) {
    return Scene(WheelBuilder("foo-1.0-cp311-cp311-" + tag + ".whl").elf(elf)).run("underlinked").size();
  };
  EXPECT_EQ(with("manylinux_2_28_x86_64", module("timer_create")), 1U);
  EXPECT_EQ(with("manylinux_2_34_x86_64", module("timer_create")), 0U);
  EXPECT_EQ(with("linux_x86_64", module("timer_create")), 0U);
  EXPECT_EQ(run(module("mq_open").needed("librt.so.1")).size(), 0U);
}

TEST(Underlinked, WarnsOfFunctionsOfLibrtInALibraryThatOthersOpen) {
  const ElfBuilder library =
      ElfBuilder("foo/libcufile.so.0").import("shm_open").import("strlen", "libc.so.6", "GLIBC_2.2.5");
  const auto findings = Scene(WheelBuilder(wheel_2_17).elf(library)).run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST(Underlinked, IsSilentWhereALibraryOfTheWheelNeedsLibrt) {
  const ElfBuilder jack = ElfBuilder("foo.libs/libjack.so.0").soname("libjack.so.0").needed("librt.so.1");
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(module("shm_open").needed("libjack.so.0")).elf(jack))
                  .run("underlinked")
                  .empty());
}

TEST(Underlinked, IsSilentWhereALibraryIsNotAtHand) {
  EXPECT_TRUE(run(module("bar").needed("libcuda.so.1")).empty());
  EXPECT_EQ(run(module("bar").needed("libstdc++.so.6").needed("libgcc_s.so.1")).size(), 1U);
}

// rhwp-python 0.8.1: the libraries that it bundles need libz.so.1 and libexpat.so.1 of the system.
TEST(Underlinked, KnowsTheNamesOfSmallLibrariesOfTheSystem) {
  const auto with = [](const std::string& symbol, const std::string& library) {
    return run(module(symbol).needed(library)).size();
  };
  EXPECT_EQ(with("FT_Palette_Select", "libz.so.1"), 1U);
  EXPECT_EQ(with("FT_Palette_Select", "libexpat.so.1"), 1U);
  EXPECT_EQ(with("inflateInit2_", "libz.so.1"), 0U);
  EXPECT_EQ(with("XML_ParserCreate", "libexpat.so.1"), 0U);
  EXPECT_EQ(with("inflateInit2_", "libexpat.so.1"), 1U);
  EXPECT_EQ(with("_ZN3foo3barEv", "libz.so.1"), 1U);
}

// openfdcm 0.10.0: the wheel has a libz.so.1 to which no search path leads, so that the system's answers.
TEST(Underlinked, ACopyThatNobodyFindsIsNotAsked) {
  const auto found = [](bool reached) {
    const ElfBuilder user = ElfBuilder(module_so)
                                .needed("libz.so.1")
                                .needed("libc.so.6")
                                .need("libz.so.1", "ZLIB_1.2.0")
                                .import("compressBound", "libz.so.1", "ZLIB_1.2.0");
    const ElfBuilder copy =
        ElfBuilder("foo.libs/libz.so.1").soname("libz.so.1").needed("libc.so.6").defines("ZLIB_1.2.0");
    Scene scene(WheelBuilder(wheel_2_17).elf(user).elf(copy));
    NeededFound& needed = scene.needed(module_so, "libz.so.1");
    if (!reached) {
      needed.found = Found::Outside;
      needed.unreached = std::exchange(needed.provider, std::nullopt);
    }
    return scene.run("underlinked").size();
  };
  EXPECT_EQ(found(false), 0U);
  EXPECT_EQ(found(true), 1U);
}

TEST(Underlinked, SaysThatABundledCopyIsOlder) {
  const ElfBuilder freetype = ElfBuilder("foo.libs/libfreetype-c0e61f0c.so.6").soname("libfreetype-c0e61f0c.so.6");
  const auto findings =
      Scene(WheelBuilder(wheel_2_17).elf(module("FT_Palette_Select").needed("libfreetype-c0e61f0c.so.6")).elf(freetype))
          .run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix, testing::StartsWith("foo.libs/libfreetype-c0e61f0c.so.6 is older than the headers of "
                                                   "FreeType"));
}

// accelerated-numpy 0.1.0
TEST(Underlinked, KnowsTheNamesOfLibmvec) {
  EXPECT_THAT(run(module("_ZGVdN4v_cos")).at(0).fix, testing::StartsWith("link it with -lmvec"));
  for (const char* const other : {"_ZGVdN4v_mine", "_ZGVN3foo3barE", "_ZGV", "_ZG", "_ZGVdN4v_"})
    EXPECT_THAT(run(module(other)).at(0).fix, testing::Not(testing::HasSubstr("lmvec"))) << other;
}

TEST(Underlinked, AFileThatNeedsNoGlibcGetsItsNamesFromTheProcess) {
  EXPECT_EQ(run(ElfBuilder(module_so).import("nobody_has_me")).size(), 1U);
  EXPECT_TRUE(run(ElfBuilder(module_so).import("memcpy").import("strlcpy").import("__isoc23_strtol")).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so).needed("libstdc++.so.6").import("_ZSt4cout")).empty())
      << "the linker saw a libstdc++ without versions";
}

// catboost 1.0.4: the version of memcpy is 0, and the file requires versions of other names.
TEST(Underlinked, IsSilentForANameWithoutAVersionThatGlibcHas) {
  EXPECT_TRUE(run(module("PyLong_FromLong").import("strlen", "libc.so.6", "GLIBC_2.2.5").import("memcpy")).empty());
  EXPECT_EQ(run(module("PyLong_FromLong").import("strlen", "libc.so.6", "GLIBC_2.2.5").import("memcpz")).size(), 1U);
}

TEST(Underlinked, FiresForANameThatGlibcDropped) {
  const auto findings = run(module("__exp_finite"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message,
            "requires __exp_finite without a symbol version, which glibc 2.31 and newer do not offer");
  ASSERT_TRUE(findings[0].on);
  EXPECT_EQ(findings[0].on->from, "2.31");
  EXPECT_TRUE(run(module("other").import("__exp_finite", "libm.so.6", "GLIBC_2.15")).size() == 1U) << "only `other`";
  EXPECT_TRUE(run(module("__exp_finite").edit([](ElfMember& m) { m.facts.arch = Arch::aarch64; })).empty())
      << "GLIBC_2.17 is the first node there";
}

// bchlib 0.13.0, built with the headers of glibc 2.5
TEST(Underlinked, KnowsTheMacrosOfNewerHeaders) {
  EXPECT_THAT(run(module("htobe32")).at(0).fix, testing::StartsWith("it is a macro of newer headers"));
  EXPECT_THAT(run(module("CPU_ALLOC")).at(0).fix, testing::StartsWith("it is a macro of newer headers"));
  EXPECT_THAT(run(module("htobe128")).at(0).fix, testing::Not(testing::HasSubstr("macro")));
}

TEST(Underlinked, NamesTheLikelyOwner) {
  const auto findings = run(module("_gfortran_st_write"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "likely of"), "GNU Fortran runtime");
}

TEST(Underlinked, IsAWarningWhereCodeOrARequirementMayBringTheName) {
  const auto with = [](const char* requirement) {
    return Scene(WheelBuilder(wheel_2_17).elf(module("bar")).edit([=](WheelFacts& wheel) {
             wheel.metadata->requires_dist = {requirement};
           }))
        .run("underlinked");
  };
  ASSERT_EQ(with("torch (>=2)").size(), 1U);
  EXPECT_EQ(with("torch (>=2)")[0].severity, Severity::Warning);
  EXPECT_EQ(with("numpy>=2")[0].severity, Severity::Error);
}

TEST(Underlinked, KnowsTheNamesOfMusl) {
  const auto musl = [](const char* symbol, const char* level) {
    return Scene(WheelBuilder(std::string("foo-1.0-cp312-cp312-musllinux_") + level + "_x86_64.whl")
                     .elf(ElfBuilder("foo/x.cpython-312-x86_64-linux-musl.so")
                              .libc(Libc::Musl)
                              .needed("libc.musl-x86_64.so.1")
                              .import(symbol)))
        .run("underlinked");
  };
  ASSERT_EQ(musl("__cxa_thread_atexit_impl", "1_2").size(), 1U);
  EXPECT_EQ(musl("__cxa_thread_atexit_impl", "1_2")[0].severity, Severity::Error);
  EXPECT_EQ(musl("__cxa_thread_atexit_impl", "1_2")[0].message,
            "requires __cxa_thread_atexit_impl, which glibc has and musl does not");
  EXPECT_TRUE(musl("memcpy", "1_1").empty());
  ASSERT_EQ(musl("qsort_r", "1_2").size(), 1U);
  EXPECT_EQ(musl("qsort_r", "1_2")[0].severity, Severity::Warning);
  EXPECT_EQ(musl("qsort_r", "1_2")[0].message, "requires qsort_r, which only musl 1.2.3 and newer have");
  EXPECT_EQ(evidence(musl("qsort_r", "1_2")[0], "fails on"), "Alpine Linux before 3.16");
  EXPECT_TRUE(musl("qsort_r", "1_3").empty());
}

// regopy 1.4.0: a bundled libstdc++ defines what it exports and nothing else, and no libstdc++ defines names of glibc.
TEST(Underlinked, KnowsWhatTheCxxRuntimeOfTheWheelDefines) {
  const auto of_cxx = [](const char* symbol, bool bundled) {
    WheelBuilder wheel("foo-1.0-cp312-cp312-musllinux_1_2_x86_64.whl");
    wheel.elf(ElfBuilder("foo/x.cpython-312-x86_64-linux-musl.so")
                  .libc(Libc::Musl)
                  .needed("libstdc++.so.6")
                  .needed("libc.musl-x86_64.so.1")
                  .import(symbol));
    if (bundled)
      wheel.elf(ElfBuilder("foo.libs/libstdc++.so.6").soname("libstdc++.so.6").libc(Libc::Musl).exports("_ZSt4cerr"));
    return Scene(wheel).run("underlinked");
  };
  EXPECT_TRUE(of_cxx("_ZSt4cerr", true).empty());
  EXPECT_EQ(of_cxx("_ZSt4cout", true).size(), 1U);
  EXPECT_TRUE(of_cxx("_ZSt4cout", false).empty());
  for (const bool bundled : {false, true}) {
    ASSERT_EQ(of_cxx("__memcpy_chk", bundled).size(), 1U);
    EXPECT_EQ(of_cxx("__memcpy_chk", bundled)[0].severity, Severity::Error);
  }
}

// casadi 3.8.0: the linker found names of a newer libstdc++ in another library of the wheel.
TEST(Underlinked, SaysWhichLibstdcxxLacksAName) {
  const ElfBuilder file = ElfBuilder(module_so)
                              .needed("libc.so.6")
                              .need("libc.so.6", "GLIBC_2.17")
                              .needed("libstdc++.so.6")
                              .need("libstdc++.so.6", "GLIBCXX_3.4.19");
  const ElfBuilder other = ElfBuilder("foo/libother.so").soname("libother.so").exports("_ZNSt8ios_base4InitC1Ev");
  const auto findings =
      Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(file).import("_ZNSt8ios_base4InitC1Ev")).elf(other))
          .run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  check_words(findings[0]);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("the libstdc++ that it was linked with does not define it"));
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("by one compiler"));
  ASSERT_TRUE(findings[0].on);
  EXPECT_EQ(findings[0].on->symbol, "_ZNSt8ios_base4InitC1Ev");
  EXPECT_THAT(run(ElfBuilder(file).import("bar")).at(0).message, testing::HasSubstr("no library that it loads"));

  // mlc-ai/xgrammar#821: linked without libstdc++_nonshared.a; the library is opened by a function of another package.
  const auto lacking = run(ElfBuilder("foo/libfoo.so")
                               .needed("libc.so.6")
                               .need("libc.so.6", "GLIBC_2.17")
                               .needed("libstdc++.so.6")
                               .need("libstdc++.so.6", "GLIBCXX_3.4.19")
                               .import("_ZSt28__throw_bad_array_new_lengthv"));
  ASSERT_EQ(lacking.size(), 1U);
  EXPECT_EQ(lacking[0].severity, Severity::Warning);
  EXPECT_THAT(lacking[0].fix, testing::HasSubstr("libstdc++_nonshared.a"));
}

TEST(Underlinked, KnowsTheReleasesOfMusl) {
  const auto musl = [](const char* symbol, const char* level) {
    return Scene(WheelBuilder(std::string("foo-1.0-cp312-cp312-musllinux_") + level + "_x86_64.whl")
                     .elf(ElfBuilder("foo/x.cpython-312-x86_64-linux-musl.so").libc(Libc::Musl).import(symbol)))
        .run("underlinked");
  };
  EXPECT_EQ(musl("gettid", "1_1").at(0).message, "requires gettid, which only musl 1.2.2 and newer have");
  EXPECT_EQ(musl("statx", "1_2").at(0).message, "requires statx, which only musl 1.2.5 and newer have");
  const Finding dropped = musl("posix_fallocate64", "1_2").at(0);
  EXPECT_EQ(dropped.message, "requires posix_fallocate64, which musl 1.2.4 and newer do not have");
  EXPECT_EQ(evidence(dropped, "fails on"), "Alpine Linux from 3.18");
  for (const char* name : {"getrandom", "pthread_setname_np", "aligned_alloc", "open64", "readdir64_r"})
    EXPECT_TRUE(musl(name, "1_1").empty()) << name;
  EXPECT_EQ(musl("fts_open", "1_2").size(), 1U) << "a library of its own on Alpine Linux";
}

TEST(Underlinked, TheImportersScopeAnswersForALibrary) {
  const ElfBuilder library = ElfBuilder("foo.libs/libmid.so.1")
                                 .soname("libmid.so.1")
                                 .needed("libc.so.6")
                                 .need("libc.so.6", "GLIBC_2.17")
                                 .import("bar");
  const ElfBuilder user = module("PyLong_FromLong").needed("libmid.so.1");
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(user).needed("libbar.so.1")).elf(library).elf(lib))
                  .run("underlinked")
                  .empty());
  const auto findings = Scene(WheelBuilder(wheel_2_17).elf(user).elf(library)).run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error) << "the import binds all symbols of what it loads";
  EXPECT_EQ(Scene(WheelBuilder(wheel_2_17).elf(library)).run("underlinked").at(0).severity, Severity::Note)
      << "who opens a plain library may bring the rest";
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(user).needed("libcuda.so.1")).elf(library))
                  .run("underlinked")
                  .empty())
      << "libcuda may have it";
}

TEST(Underlinked, LooksIntoProviders) {
  for (const char* exported : {"bar", "other"}) {
    Scene scene(WheelBuilder(wheel_2_17).elf(module("bar").needed("libbar.so.1")));
    scene.providers.push_back(WheelBuilder("bar-2.6-cp311-cp311-manylinux_2_28_x86_64.whl")
                                  .elf(ElfBuilder("bar/libbar.so.1").soname("libbar.so.1").exports(exported))
                                  .build());
    NeededFound& found = scene.needed(module_so, "libbar.so.1");
    found.found = Found::InProvider;
    found.provider = ElfRef{WheelIndex{1}, ElfIndex{0}};
    const std::size_t missing = std::string(exported) == "bar" ? 0 : 1;
    EXPECT_EQ(scene.run("underlinked").size(), missing);
    // Without a search path, the library is the one that the required distribution has loaded.
    found.found = Found::Required;
    found.provider.reset();
    EXPECT_EQ(scene.run("underlinked").size(), missing);
  }
}

TEST(Underlinked, KnowsThatTheSearchWasCut) {
  const Scene scene(WheelBuilder(wheel_2_17).elf(module("bar")));
  const Analysis analysis;
  const Knowledge knowledge;
  const WheelView view{scene.wheel, scene.resolution, {}, {}, analysis, knowledge, scene.options};
  EXPECT_EQ(rules::find_undefined(view, 1000).cut, "");
  EXPECT_EQ(rules::find_undefined(view, 1000).files.size(), 1U);
  const rules::Undefined cut = rules::find_undefined(view, 1);
  EXPECT_EQ(cut.cut, "the search for the definitions of imports ended at its limit of 1 steps");
  EXPECT_TRUE(cut.files.empty());
}

}  // namespace
}  // namespace wheelcheck::test::underlinked_test
