// Tests the requirement that each kind of fact causes, and the levels that do not meet it.
#include "policy/requirements.h"

#include "tests/policy/measure.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* foo = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl";

Assessment measure_one(const ElfBuilder& elf, const char* name = foo) {
  return measure(WheelBuilder(name).elf(elf).build());
}

TEST(Requirements, AreLibrariesAndVersionsInNaturalOrder) {
  const Assessment it = measure_one(ElfBuilder("x.so")
                                        .needed("libz.so.1")
                                        .needed("libc.so.6")
                                        .needed("libc.so.6")
                                        .needed("ld-linux-x86-64.so.2")
                                        .import("pthread_create", "libc.so.6", "GLIBC_2.34")
                                        .import("memcpy", "libc.so.6", "GLIBC_2.14")
                                        .import("dlsym", "libc.so.6", "GLIBC_2.34")
                                        .import("malloc", "libc.so.6", "GLIBC_2.2.5")
                                        .import("__tls_get_addr", "ld-linux-x86-64.so.2", "GLIBC_2.3"));
  EXPECT_THAT(
      requirements(it),
      ElementsAre("0 library libc.so.6", "0 library libz.so.1",
                  "0 version ld-linux-x86-64.so.2 GLIBC_2.3 __tls_get_addr", "0 version libc.so.6 GLIBC_2.2.5 malloc",
                  "0 version libc.so.6 GLIBC_2.14 memcpy", "0 version libc.so.6 GLIBC_2.34 dlsym pthread_create"));
  EXPECT_THAT(
      unmet_requirements(it, "manylinux_2_12_x86_64"),
      ElementsAre("0 version libc.so.6 GLIBC_2.14 memcpy", "0 version libc.so.6 GLIBC_2.34 dlsym pthread_create"));
  EXPECT_EQ(best(it), "manylinux_2_34_x86_64");
  EXPECT_EQ(it.files, 1U);
}

TEST(Requirements, TakeTheFirstGlibcThatHasAnUnversionedName) {
  const ElfBuilder elf = ElfBuilder("x.so").libc(Libc::Glibc).needed("libc.so.6").import("arc4random");
  EXPECT_THAT(unmet_requirements(measure_one(elf), "manylinux_2_17_x86_64"),
              ElementsAre("0 version libc.so.6 GLIBC_2.36 arc4random"));
  EXPECT_EQ(best(measure_one(elf)), "manylinux_2_36_x86_64");
}

TEST(Requirements, AreSilentAboutUnversionedNamesThatOthersDefine) {
  const auto plain = [] { return ElfBuilder("x.so").libc(Libc::Glibc).needed("libc.so.6"); };
  EXPECT_EQ(best(measure_one(plain().import("memcpy").import("PyInit_x"))), "manylinux_2_5_x86_64");
  EXPECT_EQ(best(measure_one(plain().import("arc4random", true))), "manylinux_2_5_x86_64") << "weak";
  const auto unused = [](ElfMember& member) { member.facts.dynamic->imports.at(0).bound = Bound::Never; };
  EXPECT_EQ(best(measure_one(plain().import("arc4random").edit(unused))), "manylinux_2_5_x86_64") << "not referenced";
  const WheelFacts wheel = WheelBuilder(foo)
                               .elf(ElfBuilder("libbsd.so.0").soname("libbsd.so.0").exports("arc4random"))
                               .elf(plain().needed("libbsd.so.0").import("arc4random"))
                               .build();
  EXPECT_EQ(best(measure(wheel)), "manylinux_2_5_x86_64");
}

// cynn 0.1.5: __exp_finite is hidden, but of the first node for AArch64 (glibc elf/dl-lookup.c, check_match).
TEST(Requirements, FindNamesOfTheFirstNodeWithoutAVersion) {
  const auto unmet = [](const char* name) {
    const ElfBuilder elf = ElfBuilder("x.so").libc(Libc::Glibc).needed("libm.so.6").needed("libc.so.6").import(name);
    return unmet_requirements(measure(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_aarch64.whl")
                                          .elf(ElfBuilder(elf).edit([](ElfMember& m) { m.facts.arch = Arch::aarch64; }))
                                          .build()),
                              "manylinux_2_17_aarch64");
  };
  EXPECT_THAT(unmet("__exp_finite"), IsEmpty());
  EXPECT_THAT(unmet("epoll_create1"), IsEmpty());
  EXPECT_THAT(unmet("arc4random"), ElementsAre("0 version libc.so.6 GLIBC_2.36 arc4random"));
}

// intel_fortran_rt 2026.2.0: acospi is libimf.so's, and glibc 2.41 has it too.
TEST(Requirements, AreSilentAboutUnversionedNamesThatALibraryOfUnknownContentMayDefine) {
  const auto elf = [](const char* needed) {
    return ElfBuilder("x.so").libc(Libc::Glibc).needed("libc.so.6").needed(needed).import("arc4random");
  };
  const auto unmet = [](const ElfBuilder& one) {
    return unmet_requirements(measure_one(one), "manylinux_2_17_x86_64");
  };
  EXPECT_THAT(unmet(elf("libimf.so")), ElementsAre("0 library libimf.so"));
  EXPECT_THAT(unmet(elf("libz.so.1")), Contains(HasSubstr("GLIBC_2.36 arc4random")));
  EXPECT_THAT(unmet(elf("libpython3.11.so.1.0")), Contains(HasSubstr("GLIBC_2.36 arc4random")));
}

// cppyy-cling: libCoreLegacy.so defines strlcpy, and Python code opens it first.
TEST(Requirements, AreSilentAboutUnversionedNamesOfALibraryThatIsLoadedFirst) {
  const auto wheel = [](const char* needed, bool global) {
    WheelBuilder builder(foo);
    builder.elf(ElfBuilder("foo/lib/libcore.so").soname("libcore.so").exports("strlcpy"));
    builder.elf(ElfBuilder("foo/lib/librio.so").libc(Libc::Glibc).needed("libc.so.6").needed(needed).import("strlcpy"));
    if (global)
      builder.edit([](WheelFacts& facts) {
        facts.python.push_back({.member = MemberIndex{0}, .calls = {PythonCall{.global = true}}});
      });
    return builder.build();
  };
  const auto unmet = [](const WheelFacts& facts) {
    return unmet_requirements(measure(facts), "manylinux_2_17_x86_64");
  };
  EXPECT_THAT(unmet(wheel("libm.so.6", false)), Contains(HasSubstr("GLIBC_2.38 strlcpy")));
  EXPECT_THAT(unmet(wheel("libm.so.6", true)), Not(Contains(HasSubstr("strlcpy"))));
  EXPECT_THAT(unmet(wheel("libcore.so", false)), Not(Contains(HasSubstr("strlcpy"))));
  // bgfx-python 2.0.1: a third file requires both.
  const WheelFacts both =
      WheelBuilder(foo)
          .elf(ElfBuilder("foo/libcore.so").soname("libcore.so").exports("strlcpy"))
          .elf(
              ElfBuilder("foo/libling.so").libc(Libc::Glibc).soname("libling.so").needed("libc.so.6").import("strlcpy"))
          .elf(ElfBuilder("foo/libapp.so").needed("libling.so").needed("libcore.so"))
          .build();
  EXPECT_THAT(unmet(both), Not(Contains(HasSubstr("strlcpy"))));
}

TEST(Requirements, LeaveOutWeakVersions) {
  const Assessment it = measure_one(ElfBuilder("x.so").needed("libc.so.6").need("libc.so.6", "GLIBC_2.36", true));
  EXPECT_THAT(requirements(it), ElementsAre("0 library libc.so.6"));
}

TEST(Requirements, CountAnOutsideLibraryOnceAndNotItsNodes) {
  const Assessment it = measure_one(ElfBuilder("x.so").needed("libfoo.so.1").import("f", "libfoo.so.1", "GLIBC_9.9"));
  EXPECT_THAT(unmet_requirements(it, "manylinux_2_41_x86_64"), ElementsAre("0 library libfoo.so.1"));
  EXPECT_THAT(unmet_requirements(it, "linux_x86_64"), IsEmpty());
  EXPECT_EQ(best(it), "linux_x86_64");
}

TEST(Requirements, HoldANodeThatNoNeededLibraryAnswers) {
  const Assessment it = measure_one(ElfBuilder("x.so").need("libfoo.so.1", "FOO_1"));
  EXPECT_THAT(unmet_requirements(it, "manylinux_2_41_x86_64"), ElementsAre("0 version libfoo.so.1 FOO_1"));
}

TEST(Requirements, DoNotAskTheSystemForWhatTheWheelBrings) {
  const WheelFacts wheel =
      WheelBuilder(foo)
          .elf(ElfBuilder("foo.libs/libz-1234.so.1").soname("libz-1234.so.1").defines("ZLIB_9.9.9"))
          .elf(ElfBuilder("x.so")
                   .needed("libz-1234.so.1")
                   .import("inflate", "libz-1234.so.1", "ZLIB_9.9.9")
                   .import("deflate", "libz-1234.so.1", "GLIBC_2.36"))
          .build();
  EXPECT_THAT(requirements(measure(wheel)), IsEmpty());
  EXPECT_EQ(best(measure(wheel)), "manylinux_2_5_x86_64");
}

TEST(Requirements, OfACopyThatNothingLoadsDoNotCount) {
  const auto module = [](const char* needed) {
    return ElfBuilder("foo/x.cpython-311-x86_64-linux-gnu.so").needed(needed);
  };
  const auto copies = [&](const char* needed, const std::string& folder = "more.libs") {
    return requirements(measure(WheelBuilder(foo)
                                    .elf(module(needed))
                                    .elf(ElfBuilder("foo.libs/liba-01234567.so.1").soname("liba-01234567.so.1"))
                                    .elf(ElfBuilder(folder + "/liba-01234567.so.1").needed("libgone.so.3"))
                                    .build()));
  };
  EXPECT_THAT(copies("liba-01234567.so.1"), IsEmpty());
  EXPECT_THAT(copies("libother.so.1"), Contains("2 library libgone.so.3")) << "no module loads another copy";
  for (const char* const folder : {"foo.libs/glibc-hwcaps/x86-64-v3", "foo.libs/haswell", "foo.libs/tls"})
    EXPECT_THAT(copies("liba-01234567.so.1", folder), Contains(testing::HasSubstr("library libgone.so.3")))
        << "the loader takes it";
}

TEST(Requirements, OfMuslLeaveOutGlibcsNamesForItsParts) {
  const auto best_of = [](const ElfBuilder& elf) {
    return best(measure(WheelBuilder("foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl").elf(elf).build()));
  };
  const ElfBuilder module =
      ElfBuilder("foo/x.so").libc(Libc::None).needed("libm.so.6").import("sin", "libm.so.6", "GLIBC_2.2.5");
  EXPECT_EQ(best_of(module), "musllinux_1_2_x86_64") << "musl is libm.so.6, and ignores versions";
  EXPECT_EQ(best_of(ElfBuilder(module).libc(Libc::Glibc).needed("libc.so.6")), "linux_x86_64");
}

TEST(Requirements, TakeAVersionNeedByTheSonameOfWhatWasFound) {
  const WheelFacts wheel = WheelBuilder(foo)
                               .elf(ElfBuilder("liba.so").soname("liba.so.1").defines("A_1"))
                               .elf(ElfBuilder("x.so").needed("liba.so").need("liba.so.1", "A_1"))
                               .build();
  EXPECT_THAT(requirements(measure(wheel)), IsEmpty());
}

TEST(Requirements, DoNotAskForWhatTheUserDeclared) {
  const WheelFacts wheel =
      WheelBuilder(foo).elf(ElfBuilder("x.so").needed("libcuda.so.1").need("libcuda.so.1", "GLIBC_9")).build();
  Resolution resolution = test::resolve_by_name(wheel);
  resolution.needed[0][0].found = Found::Declared;
  EXPECT_THAT(requirements(measure(wheel, resolution)), IsEmpty());
}

TEST(Requirements, JudgeANodeByItsWholeName) {
  const Assessment ng = measure_one(ElfBuilder("x.so").needed("libz.so.1").need("libz.so.1", "ZLIB_NG_2.1.0"));
  EXPECT_THAT(unmet_requirements(ng, "manylinux_2_41_x86_64"), ElementsAre("0 version libz.so.1 ZLIB_NG_2.1.0"));
  const Assessment zlib = measure_one(ElfBuilder("x.so").needed("libz.so.1").need("libz.so.1", "ZLIB_1.2.5"));
  EXPECT_THAT(unmet_requirements(zlib, "manylinux_2_41_x86_64"), ElementsAre("0 version libz.so.1 ZLIB_1.2.5"))
      << "zlib never had that node: no number between two nodes is one";
  const Assessment free = measure_one(ElfBuilder("x.so").needed("libexpat.so.1").need("libexpat.so.1", "LIBEXPAT_7"));
  EXPECT_EQ(best(free), "manylinux_2_12_x86_64") << "a family that no level lists is free";
  const Assessment tm = measure_one(ElfBuilder("x.so").needed("libstdc++.so.6").need("libstdc++.so.6", "CXXABI_TM_1"));
  EXPECT_EQ(best(tm), "manylinux_2_17_x86_64");
  const Assessment relr = measure_one(ElfBuilder("x.so").needed("libc.so.6").need("libc.so.6", "GLIBC_ABI_DT_RELR"));
  EXPECT_EQ(best(relr), "manylinux_2_36_x86_64");
}

TEST(Requirements, NeverGrantGlibcPrivate) {
  const ElfBuilder elf = ElfBuilder("x.so")
                             .needed("libc.so.6")
                             .import("__libc_dlopen_mode", "libc.so.6", "GLIBC_PRIVATE")
                             .import("_rtld_global", "ld-linux-x86-64.so.2", "GLIBC_PRIVATE");
  EXPECT_THAT(unmet_requirements(measure_one(elf), "manylinux_2_41_x86_64"),
              ElementsAre("0 version ld-linux-x86-64.so.2 GLIBC_PRIVATE _rtld_global",
                          "0 version libc.so.6 GLIBC_PRIVATE __libc_dlopen_mode"));
}

TEST(Requirements, GiveVersionsThatABundledLibraryLacks) {
  const WheelFacts wheel = WheelBuilder(foo)
                               .elf(ElfBuilder("libq.so").soname("libq.so").defines("QV_1"))
                               .elf(ElfBuilder("x.so").needed("libq.so").import("q", "libq.so", "QV_2"))
                               .build();
  Resolution resolution = test::resolve_by_name(wheel);
  resolution.missing_versions.push_back({ElfIndex{1}, NeedIndex{0}, ElfRef{WheelIndex{0}, ElfIndex{0}}});
  const Assessment it = measure(wheel, resolution);
  EXPECT_THAT(unmet_requirements(it, "manylinux_2_41_x86_64"), ElementsAre("1 missing libq.so QV_2"));
  EXPECT_THAT(unmet_requirements(it, "linux_x86_64"), IsEmpty());
}

TEST(DeniedSymbols, AreThoseThatSomeRungDeniesAndThatAreStrong) {
  const auto denied = [](const ElfBuilder& elf) {
    return unmet_requirements(measure_one(elf), "manylinux_2_17_x86_64");
  };
  EXPECT_THAT(denied(ElfBuilder("x.so").needed("libc.so.6").import("__cxa_thread_atexit_impl")),
              ElementsAre("0 symbol libc.so.6 __cxa_thread_atexit_impl"));
  EXPECT_THAT(denied(ElfBuilder("x.so").needed("libc.so.6").import("__cxa_thread_atexit_impl", true)), IsEmpty());
  EXPECT_THAT(denied(ElfBuilder("x.so").import("__cxa_thread_atexit_impl")), IsEmpty()) << "no DT_NEEDED of libc";
  EXPECT_THAT(denied(ElfBuilder("x.so").needed("libz.so.1").import("uncompress2", "libz.so.1", "ZLIB_1.2.3.4")),
              ElementsAre("0 symbol libz.so.1 uncompress2"));
  // The version is of libm, so libc is not considered.
  EXPECT_THAT(
      denied(
          ElfBuilder("x.so").needed("libc.so.6").needed("libm.so.6").import("__issignaling", "libm.so.6", "GLIBC_2.3")),
      Contains("0 symbol libm.so.6 __issignaling").Times(1));
}

TEST(DeniedSymbols, CountOnEveryRungAndStandOnlyWhereDenied) {
  const Assessment it = measure_one(ElfBuilder("x.so").needed("libz.so.1").import("uncompress2"));
  EXPECT_THAT(requirements(it), ElementsAre("0 library libz.so.1", "0 symbol libz.so.1 uncompress2"));
  EXPECT_EQ(best(it), "manylinux_2_34_x86_64");
}

TEST(DeniedSymbols, AreGivenByALibraryOfTheWheelThatDefinesThem) {
  const ElfBuilder user = ElfBuilder("x.so").needed("libz.so.1").needed("liba.so").import("uncompress2");
  const ElfBuilder a = ElfBuilder("liba.so").soname("liba.so").needed("libb.so");
  const ElfBuilder b = ElfBuilder("libb.so").soname("libb.so").needed("liba.so");
  const WheelFacts without = WheelBuilder(foo).elf(user).elf(a).elf(b).build();
  EXPECT_THAT(unmet_requirements(measure(without), "manylinux_2_31_x86_64"),
              ElementsAre("2 symbol libz.so.1 uncompress2"));
  const WheelFacts with = WheelBuilder(foo).elf(user).elf(a).elf(ElfBuilder(b).exports("uncompress2")).build();
  EXPECT_THAT(unmet_requirements(measure(with), "manylinux_2_31_x86_64"), IsEmpty()) << "two steps away, in a circle";
}

TEST(DeniedSymbols, MayComeFromAProvidersFile) {
  const WheelFacts wheel =
      WheelBuilder(foo).elf(ElfBuilder("x.so").needed("libz.so.1").needed("libp.so").import("uncompress2")).build();
  std::vector<WheelFacts> providers;
  providers.push_back(WheelBuilder("bar-1-py3-none-manylinux_2_17_x86_64.whl")
                          .elf(ElfBuilder("bar.libs/libp.so").exports("uncompress2"))
                          .build());
  Resolution resolution = test::resolve_by_name(wheel);
  resolution.needed[0][1].found = Found::InProvider;
  resolution.needed[0][1].provider = ElfRef{WheelIndex{1}, ElfIndex{0}};
  const auto targets = claimed_targets(wheel, builtin());
  EXPECT_THAT(requirements(assess(wheel, resolution, providers, builtin(), targets).front()),
              ElementsAre("0 library libz.so.1"));
}

TEST(Libpython, IsNeverGivenByAManylinuxSystemEvenIfBundled) {
  const WheelFacts wheel = WheelBuilder(foo)
                               .elf(ElfBuilder("foo.libs/libpython3.11.so.1.0").soname("libpython3.11.so.1.0"))
                               .elf(ElfBuilder("x.so").needed("libpython3.11.so.1.0"))
                               .build();
  EXPECT_THAT(unmet_requirements(measure(wheel), "manylinux_2_17_x86_64"),
              ElementsAre("1 library libpython3.11.so.1.0"));
  EXPECT_EQ(best(measure(wheel)), "linux_x86_64");
}

TEST(Libpython, IsGivenByAndroid) {
  const Assessment it = measure_one(ElfBuilder("x.so").libc(Libc::Bionic).needed("libpython3.13.so").needed("libc.so"),
                                    "foo-1.0-cp313-cp313-android_24_x86_64.whl");
  EXPECT_EQ(best(it), "android_24_x86_64");
}

TEST(Libpython, IsKnownByAllItsNames) {
  for (const char* name :
       {"libpython3.11.so.1.0", "libpython3.13t.so.1.0", "libpython3.so", "libpython2.7.so.1.0", "libpython3.6m.so.1.0",
        "libpython3.8d.so.1.0", "libpython3.13td.so", "libpython2.6mu.so.1", "libpypy3.11-c.so"})
    EXPECT_TRUE(is_libpython(name)) << name;
  for (const char* name : {"libpython.so", "libpythonfoo.so", "libpython3.11", "libpython3.11.sox", "libpython3.11x.so",
                           "liblibpython3.so", "libboost_python311.so.1", "libpython3-1234.so", "libpython3..so"})
    EXPECT_FALSE(is_libpython(name)) << name;
}

TEST(Isa, IsAskedByEveryFileThatIsMarked) {
  const WheelFacts wheel = WheelBuilder(foo)
                               .elf(ElfBuilder("a.so").isa(1))
                               .elf(ElfBuilder("b.so").isa(2 | 1).needed("libc.so"))
                               .elf(ElfBuilder("foo.libs/libc.so").isa(4).soname("libc.so"))
                               .elf(ElfBuilder("tool").isa(8 | 2))
                               .build();
  const Assessment it = measure(wheel);
  EXPECT_THAT(unmet_requirements(it, "manylinux_2_41_x86_64"), ElementsAre("1 isa v2", "2 isa v3", "3 isa v4"));
  EXPECT_THAT(unmet_requirements(it, "linux_x86_64"), IsEmpty());
}

TEST(Isa, IsFreeInADirectoryThatOnlySuchACpuOpens) {
  const auto of = [](const char* path, std::uint32_t bits) {
    return requirements(measure_one(ElfBuilder(path).isa(bits)));
  };
  EXPECT_THAT(of("foo.libs/glibc-hwcaps/x86-64-v3/liba.so", 4), IsEmpty());
  EXPECT_THAT(of("glibc-hwcaps/x86-64-v4/liba.so", 4), IsEmpty());
  EXPECT_THAT(of("glibc-hwcaps/x86-64-v2/liba.so", 4), ElementsAre("0 isa v3"));
  EXPECT_THAT(of("myglibc-hwcaps/x86-64-v4/liba.so", 4), ElementsAre("0 isa v3"));
}

TEST(Isa, OfAndroidIsV2) {
  const char* const name = "foo-1.0-cp313-cp313-android_24_x86_64.whl";
  EXPECT_THAT(requirements(measure_one(ElfBuilder("x.so").libc(Libc::Bionic).isa(2), name)), IsEmpty());
  EXPECT_THAT(requirements(measure_one(ElfBuilder("x.so").libc(Libc::Bionic).isa(4), name)), ElementsAre("0 isa v3"));
}

TEST(Interpreter, IsAskedByFloatingPointHooksInAnyFile) {
  const Assessment it =
      measure_one(ElfBuilder("liba.so").import("PyFPE_jbuf").import("PyFPE_counter").import("PyFPE_dummy", true));
  EXPECT_THAT(unmet_requirements(it, "manylinux_2_41_x86_64"),
              ElementsAre("0 interpreter PyFPE_counter", "0 interpreter PyFPE_jbuf"));
  EXPECT_EQ(best(it), "linux_x86_64");
}

TEST(Interpreter, IsAskedByNarrowUnicodeWherePython2Loads) {
  const ElfBuilder elf = ElfBuilder("x.so").import("PyUnicodeUCS2_AsUTF8String", true);
  const std::vector<std::string> requested = {"0 interpreter PyUnicodeUCS2_AsUTF8String"};
  EXPECT_EQ(requirements(measure_one(elf, "foo-1.0-cp27-cp27mu-manylinux1_x86_64.whl")), requested);
  EXPECT_THAT(requirements(measure_one(elf, "foo-1.0-cp27-cp27m-manylinux1_x86_64.whl")), IsEmpty())
      << "cp27m is the narrow build itself";
  EXPECT_EQ(requirements(measure_one(elf, "foo-1.0-py2-none-manylinux1_x86_64.whl")), requested);
  EXPECT_THAT(requirements(measure_one(elf, "foo-1.0-py2.py3-none-manylinux1_x86_64.whl")), IsEmpty());
  EXPECT_THAT(requirements(measure_one(elf)), IsEmpty());
  EXPECT_EQ(requirements(measure_one(ElfBuilder(elf).role(ExtensionModule{.module = "x", .python_major = 2}))),
            requested);
}

TEST(Machine, OfAForeignExtensionModuleIsMetNowhere) {
  const WheelFacts wheel = WheelBuilder(foo)
                               .elf(ElfBuilder("a.so").arch(Arch::aarch64).needed("libfoo.so"))
                               .elf(ElfBuilder("liba.so").arch(Arch::aarch64).needed("libfoo.so"))
                               .elf(ElfBuilder("x.so").needed("libc.so.6"))
                               .build();
  const Assessment it = measure(wheel);
  EXPECT_THAT(requirements(it), ElementsAre("0 machine aarch64", "2 library libc.so.6"));
  EXPECT_THAT(unmet_requirements(it, "manylinux_2_41_x86_64"), ElementsAre("0 machine aarch64"));
  EXPECT_THAT(unmet_requirements(it, "linux_x86_64"), ElementsAre("0 machine aarch64"));
  EXPECT_EQ(it.files, 1U);
  EXPECT_EQ(best(it), "linux_x86_64");
}

TEST(Files, ThatAreNoHostCodeAreNotJudged) {
  const WheelFacts wheel = WheelBuilder(foo)
                               .elf(ElfBuilder("a.o").role(ForeignCode{"relocatable object"}).needed("libfoo.so"))
                               .elf(ElfBuilder("b.so").role(BrokenElf{}).needed("libfoo.so"))
                               .elf(ElfBuilder("c.cubin").use(MachineUse::Device).needed("libfoo.so"))
                               .elf(ElfBuilder("static").isa(0).no_dynamic())
                               .build();
  const Assessment it = measure(wheel);
  EXPECT_THAT(requirements(it), IsEmpty());
  EXPECT_EQ(it.files, 1U);
}

TEST(Versions, OfAFamilyThatNoLevelListsAreMarked) {
  const Assessment it = measure_one(ElfBuilder("x.so")
                                        .needed("libz.so.1")
                                        .needed("libfoo.so.1")
                                        .import("a", "libz.so.1", "VENDOR_1.2")
                                        .import("b", "libz.so.1", "ZLIB_99.0")
                                        .import("c", "libfoo.so.1", "FOO_1"));
  ASSERT_EQ(it.unknown_versions.size(), 1U);
  EXPECT_EQ(text_of(it.requirements[it.unknown_versions[0].value]), "0 version libz.so.1 VENDOR_1.2 a");
  EXPECT_THAT(
      measure_one(ElfBuilder("x.so").needed("libz.so.1").import("a", "libz.so.1", "ZLIB_1.2.0")).unknown_versions,
      IsEmpty());
}

TEST(Loader, OfTheLaddersLibcAsksNothingAndOfAnotherCounts) {
  for (const char* name : {"ld-linux-x86-64.so.2", "ld-linux.so.2", "ld64.so.1", "ld64.so.2", "ld.so.1"}) {
    EXPECT_TRUE(is_loader(name, Family::Manylinux)) << name;
    EXPECT_FALSE(is_loader(name, Family::Musllinux)) << name;
  }
  for (const char* name : {"ld-linux-z86-64.so.2", "ld-linux.so", "ld-linux-evil.so.2", "ld64.so.3"})
    EXPECT_FALSE(is_loader(name, Family::Manylinux)) << name;
  EXPECT_TRUE(is_loader("ld-musl-aarch64.so.1", Family::Musllinux));
  EXPECT_TRUE(is_loader("ld-linux-armhf.so.3", Family::Manylinux, Arch::armv6l));
  EXPECT_TRUE(is_loader("ld64.so.1", Family::Manylinux, Arch::s390x));
  EXPECT_FALSE(is_loader("ld64.so.2", Family::Manylinux, Arch::s390x));
  EXPECT_FALSE(is_loader("ld-linux-aarch64.so.1", Family::Manylinux, Arch::x86_64));
  const Assessment it = measure_one(ElfBuilder("x.so").needed("ld-musl-x86_64.so.1").needed("libc.musl-x86_64.so.1"));
  EXPECT_THAT(unmet_requirements(it, "manylinux_2_41_x86_64"),
              ElementsAre("0 library ld-musl-x86_64.so.1", "0 library libc.musl-x86_64.so.1"));
}

}  // namespace
}  // namespace wheelcheck::policy
