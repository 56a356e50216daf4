#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

ElfBuilder module(const std::string& symbol, bool weak = false) {
  return ElfBuilder(module_so).needed("libc.so.6").need("libc.so.6", "GLIBC_2.17").import(symbol, weak);
}
std::vector<Finding> run(const ElfBuilder& elf) { return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("underlinked"); }
const ElfBuilder lib = ElfBuilder("foo.libs/libbar.so.1").soname("libbar.so.1").needed("libc.so.6").exports("bar");

TEST(Underlinked, FiresForASymbolThatNothingDefines) {
  const Scene scene(WheelBuilder(wheel_2_17).elf(module("bar")));
  const auto findings = scene.run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "needs bar, which no library that it loads defines");
  EXPECT_EQ(scene.path(findings[0]), module_so);
}

TEST(Underlinked, IsSilentWhereALibraryOfTheClosureDefinesIt) {
  const ElfBuilder middle = ElfBuilder("foo.libs/libmid.so.1").soname("libmid.so.1").needed("libbar.so.1");
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(module("bar").needed("libmid.so.1")).elf(middle).elf(lib))
                  .run("underlinked")
                  .empty());
}

TEST(Underlinked, NamesTheFileThatHasIt) {
  const auto findings = Scene(WheelBuilder(wheel_2_17).elf(module("bar")).elf(lib)).run("underlinked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "defined in"), "foo.libs/libbar.so.1");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("patchelf --add-needed libbar.so.1"));
}

TEST(Underlinked, IsSilentForWeakUnboundVersionedAndPythonsNames) {
  EXPECT_TRUE(run(module("bar", true)).empty());
  EXPECT_TRUE(
      run(module("bar").edit([](ElfMember& m) { m.facts.dynamic->imports.back().bound = Bound::Never; })).empty());
  EXPECT_TRUE(run(module("PyLong_FromLong").import("_Py_NoneStruct").import("PyPyLong_FromLong")).empty());
  EXPECT_TRUE(run(module("PyLong_FromLong").import("memcpy", "libc.so.6", "GLIBC_2.14")).empty());
}

TEST(Underlinked, IsSilentForWhatEveryInterpreterBrings) {
  for (const char* name : {"sqrt", "powf", "lgammal", "__exp_finite", "__isnan", "dlsym", "pthread_create", "sem_post",
                           "clock_gettime", "shm_open", "feraiseexcept"})
    EXPECT_TRUE(run(module(name)).empty()) << name;
  for (const char* name : {"sqrtx", "dlfoo", "log2_", "f", "expl_finite_", "log2fl"})
    EXPECT_EQ(run(module(name)).size(), 1U) << name;
}

TEST(Underlinked, IsSilentWhereALibraryIsNotAtHand) {
  EXPECT_TRUE(run(module("bar").needed("libcuda.so.1")).empty());
  EXPECT_EQ(run(module("bar").needed("libstdc++.so.6").needed("libgcc_s.so.1")).size(), 1U);
  EXPECT_TRUE(run(ElfBuilder(module_so).needed("libc.so.6").import("bar")).empty()) << "no version of glibc was seen";
  EXPECT_TRUE(run(module("bar").libc(Libc::Musl)).empty()) << "musl has no versions";
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
  EXPECT_EQ(findings[0].severity, Severity::Info) << "who opens a plain library may bring the rest";
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
    EXPECT_EQ(scene.run("underlinked").size(), std::string(exported) == "bar" ? 0U : 1U);
  }
}

}  // namespace
}  // namespace wheelcheck::test
