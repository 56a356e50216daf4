#include "tests/rules/gpu_scene.h"

namespace wheelcheck::test::external_provider_undeclared_test {
namespace {

std::vector<Finding> of(const ElfBuilder& file, std::vector<std::string> required) {
  return Scene(wheel_of({file}).edit(requires_dist(std::move(required)))).run("external-provider-undeclared");
}

TEST(ExternalProviderUndeclared, FiresWhereNothingAsksForTheOther) {
  const auto findings = of(ElfBuilder(module_so).needed("libtorch.so").needed("libc10.so").needed("libz.so.1"), {});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "requires libtorch.so and 1 more of the distribution torch, which METADATA does not require");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].fix,
            "add torch to the dependencies, or declare it optional: --external libtorch.so --external libc10.so");
}

TEST(ExternalProviderUndeclared, NamesAllDistributionsOfAFileInOneFinding) {
  const auto findings = of(ElfBuilder(module_so).needed("libtorch.so").needed("libtbb.so.12"), {});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "requires libtbb.so.12 and 1 more of the distributions tbb, torch, which METADATA does not require");
}

TEST(ExternalProviderUndeclared, TakesTheDistributionForTheCudaMajor) {
  const auto named = [](const char* runtime) {
    return evidence(of(ElfBuilder(module_so).needed("librmm.so").needed(runtime), {}).at(0), "distribution");
  };
  EXPECT_THAT(named("libcudart.so.13"), testing::HasSubstr("librmm-cu13"));
  EXPECT_THAT(named("libcudart.so.13"), testing::Not(testing::HasSubstr("librmm-cu12")));
  EXPECT_THAT(named("libcudart.so.12"), testing::Not(testing::HasSubstr("librmm-cu13")));
  EXPECT_THAT(named("libz.so.1"), testing::HasSubstr("librmm-cu12 or librmm-cu13"));
}

TEST(ExternalProviderUndeclared, NamesEveryDistributionThatHasTheLibrary) {
  const auto findings = of(ElfBuilder(module_so).needed("libtensorflow_cc.so.2"), {});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "distribution"), "tensorflow or tensorflow-cpu");
}

TEST(ExternalProviderUndeclared, IsSilentOnALibraryThatTheWheelHas) {
  const auto scene =
      wheel_of({ElfBuilder(module_so).needed("libtorch.so"), ElfBuilder("foo/other/libtorch-1a2b3c4d.so")});
  EXPECT_TRUE(Scene(scene).run("external-provider-undeclared").empty());
}

// mikeio1d 1.2.1: the Intel libraries are in the wheel, and no search path leads there (WC506).
TEST(ExternalProviderUndeclared, IsSilentOnALibraryOfTheWheelThatNoPathReaches) {
  const auto scene = wheel_of({ElfBuilder(module_so).needed("libtorch.so"), ElfBuilder("foo/other/libtorch.so")});
  EXPECT_TRUE(Scene(scene).run("external-provider-undeclared").empty());
}

// numba 0.68.1: the error says which distribution has the library.
TEST(ExternalProviderUndeclared, LeavesALibraryThatTheTagRefusesToWC103) {
  Scene scene(wheel_of({ElfBuilder(module_so).needed("libtbb.so.12").needed("libtorch.so")}));
  scene.requires_at(module_so, LibraryRequirement{"libtbb.so.12"}, everywhere);
  const auto findings = scene.run("external-provider-undeclared");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "libraries"), "libtorch.so");
  EXPECT_THAT(scene.run("library-not-allowed").at(0).fix, testing::HasSubstr("add tbb"));
}

TEST(ExternalProviderUndeclared, TellsTheExtra) {
  const std::vector<std::string> extra{"nvidia-cuda-runtime-cu12>=12; extra == \"cuda\""};
  const auto module = of(ElfBuilder(module_so).needed("libcudart.so.12"), extra);
  ASSERT_EQ(module.size(), 1U);
  EXPECT_EQ(
      module[0].message,
      "requires libcudart.so.12 of the distribution nvidia-cuda-runtime-cu12, which METADATA requires only under the "
      "extra cuda");
  EXPECT_EQ(module[0].severity, Severity::Note);
}

TEST(ExternalProviderUndeclared, IsSilentWhereItIsAskedFor) {
  EXPECT_TRUE(of(ElfBuilder(module_so).needed("libtorch.so"), {"Torch (>=2)"}).empty());
  EXPECT_TRUE(of(ElfBuilder(module_so).needed("libcudart.so.12"), {"torch<2.11"}).empty());
  EXPECT_TRUE(of(ElfBuilder(module_so).needed("libtensorflow_framework.so.2"), {"tensorflow-cpu"}).empty());
  EXPECT_TRUE(of(ElfBuilder(module_so).needed("libcudart.so.12"),
                 {"nvidia-cuda-runtime-cu12; extra == 'x'", "nvidia-cuda-runtime-cu12; python_version > '3'"})
                  .empty());
}

// With an entry of the configuration that names the provider of the library.
std::vector<Finding> declared_as(const ExternalLibrary& entry, std::vector<std::string> required) {
  Scene scene(wheel_of({ElfBuilder(module_so).needed("libours.so.1")}).edit(requires_dist(std::move(required))));
  scene.needed(module_so, "libours.so.1").found = Found::Declared;
  scene.options.external = {entry};
  return scene.run("external-provider-undeclared");
}

TEST(ExternalProviderUndeclared, HoldsAnEntryOfTheConfigurationAgainstMetadata) {
  const ExternalLibrary always{"libours.so.*", "Our_Lib", ""}, extra{"libours.so.*", "our-lib", "extra:gpu"};
  ASSERT_EQ(declared_as(always, {}).size(), 1U);
  EXPECT_EQ(declared_as(always, {})[0].message,
            "requires libours.so.1 of the distribution our-lib, which METADATA does not require");
  EXPECT_EQ(declared_as(always, {"our-lib; extra == 'gpu'"}).size(), 1U);
  EXPECT_EQ(declared_as(extra, {"our-lib; extra == 'cpu'"}).size(), 1U);
}

TEST(ExternalProviderUndeclared, IsSilentWhereMetadataAsksAsTheEntrySays) {
  const ExternalLibrary always{"libours.so.*", "Our_Lib", ""}, extra{"libours.so.*", "our-lib", "extra:gpu"};
  EXPECT_TRUE(declared_as(always, {"our-lib>=1"}).empty());
  EXPECT_TRUE(declared_as(extra, {"our-lib; extra == 'gpu'"}).empty());
  EXPECT_TRUE(declared_as(extra, {"our-lib"}).empty());
  EXPECT_TRUE(declared_as({"libours.so.*", "our-lib", "optional"}, {}).empty());
  EXPECT_TRUE(declared_as({"libours.so.*", "", ""}, {}).empty());
}

TEST(ExternalProviderUndeclared, IsSilentWhereItIsInsideDeclaredOrItsOwn) {
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder(module_so).needed("libiomp5.so"), ElfBuilder("foo.libs/libiomp5.so")}))
                  .run("external-provider-undeclared")
                  .empty());
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder("torch/_C.so").needed("libtorch.so")},
                             "torch-2.0-cp311-cp311-manylinux_2_17_x86_64.whl"))
                  .run("external-provider-undeclared")
                  .empty());
  Scene declared(wheel_of({ElfBuilder(module_so).needed("libtbb.so.12")}));
  declared.needed(module_so, "libtbb.so.12").found = Found::Declared;
  EXPECT_TRUE(declared.run("external-provider-undeclared").empty());
  EXPECT_TRUE(of(ElfBuilder(module_so).needed("libcuda.so.1"), {}).empty());
}

}  // namespace
}  // namespace wheelcheck::test::external_provider_undeclared_test
