#include "tests/rules/gpu_scene.h"

namespace wheelcheck::test::sm_coverage_test {
namespace {

using Kind = DeviceImage::Kind;

ElfBuilder with(std::vector<DeviceImage> images, const std::string& path = module_so) {
  return ElfBuilder(path).facts([=](ElfFacts& facts, StringPool&) { facts.device = {images, 4096}; });
}
std::vector<Finding> required(const std::vector<ElfBuilder>& files, std::vector<unsigned> sm) {
  Scene scene(wheel_of(files));
  scene.options.required_sm = std::move(sm);
  return scene.run("sm-coverage");
}
DeviceImage cubin(std::string target) { return {Kind::Cubin, std::move(target), 1, 100, 100}; }
DeviceImage ptx(std::string target) { return {Kind::Ptx, std::move(target), 1, 100, 100}; }

TEST(SmCoverage, TellsWhatAFileHolds) {
  const auto findings =
      Scene(wheel_of({with({cubin("sm_80"), cubin("sm_90a"), ptx("compute_90")})})).run("sm-coverage");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "contains code for sm_80, sm_90a and PTX for compute_90");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].fix, "nothing has to be changed");
}

TEST(SmCoverage, AdvisesPtxWhereThereIsNone) {
  const auto findings = Scene(wheel_of({with({cubin("sm_80"), cubin("sm_90")})})).run("sm-coverage");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("-gencode arch=compute_90,code=compute_90"));
}

TEST(SmCoverage, IsAnErrorWhereNoFileServesWhatIsRequired) {
  const auto findings = required({with({cubin("sm_80")})}, {86, 90});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& one) {
    return one.severity == Severity::Error && one.message == "no file of the wheel contains code for sm_90" &&
           one.fix == "compile with -gencode arch=compute_90,code=sm_90";
  }));
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& one) {
    return one.severity == Severity::Warning && one.message == "contains code for sm_80, none for sm_90";
  }));
}

TEST(SmCoverage, KnowsWhereCodeRuns) {
  const auto served = [](const DeviceImage& image, unsigned sm) {
    return std::ranges::none_of(required({with({image})}, {sm}),
                                [](const Finding& one) { return one.severity == Severity::Error; });
  };
  EXPECT_TRUE(served(cubin("sm_80"), 86));
  EXPECT_FALSE(served(cubin("sm_86"), 80));
  EXPECT_FALSE(served(cubin("sm_80"), 90));
  EXPECT_TRUE(served(ptx("compute_80"), 90));
  EXPECT_TRUE(served(ptx("compute_90"), 120));
  EXPECT_FALSE(served(ptx("compute_90"), 80));
  EXPECT_TRUE(served(cubin("sm_90a"), 90));
  EXPECT_FALSE(served(cubin("sm_100a"), 103));
  EXPECT_FALSE(served(ptx("compute_90a"), 100));
  EXPECT_TRUE(served(cubin("sm_100f"), 103));
  EXPECT_FALSE(served(ptx("compute_100f"), 120));
}

TEST(SmCoverage, IsSilentWithoutDeviceCodeAndNeverMindsAmd) {
  EXPECT_TRUE(required({ElfBuilder(module_so)}, {90}).empty());
  const auto amd = required({with({{Kind::AmdGpu, "gfx90a", 1, 100, 100}})}, {90});
  ASSERT_EQ(amd.size(), 1U);
  EXPECT_EQ(amd[0].message, "contains code for gfx90a");
  EXPECT_EQ(amd[0].severity, Severity::Note);
  for (const char* target : {"", "sm_", "sm_x", "sm_99999999999999999999", "_a"})
    EXPECT_EQ(required({with({cubin(target)})}, {}).size(), 1U) << target;
}

}  // namespace
}  // namespace wheelcheck::test::sm_coverage_test
