#include "tests/rules/scene.h"

namespace wheelcheck::test::required_tag_unmet_test {
namespace {

// Runs the rule for a wheel whose content requires glibc 2.34, with these required tags.
std::vector<Finding> required_of(Scene& scene, const std::vector<std::string>& tags) {
  scene.required.claims.clear();
  scene.required.assessments = {scene.assessment};
  for (const std::string& tag : tags) {
    Claim claim{.tag = parse_platform_tag(tag)};
    for (std::uint32_t i = 1; i < scene.assessment.level_names.size(); ++i) {
      if (claim.tag.canonical != scene.assessment.level_names[i]) continue;
      claim.assessment = 0;
      claim.level = LevelIndex{i};
      claim.unmet_requirements = scene.assessment.levels[i].unmet_requirements;
      claim.tag_result = claim.unmet_requirements.empty() ? TagResult::Compatible : TagResult::Incompatible;
    }
    scene.required.claims.push_back(claim);
  }
  return scene.run("required-tag-unmet");
}
Scene scene() {
  Scene out(WheelBuilder("foo-1.0-cp311-cp311-linux_x86_64.whl").elf(ElfBuilder(module_so)));
  out.requires_at(module_so, VersionRequirement{"libc.so.6", "GLIBC_2.34", {"pthread_create"}}, before_2_34);
  return out;
}

TEST(RequiredTagUnmet, FiresWhereTheContentNeedsMoreWhateverTheNameClaims) {
  Scene in = scene();
  const auto findings = required_of(in, {"manylinux_2_28_x86_64"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "the content is not compatible with the required manylinux_2_28_x86_64");
  EXPECT_EQ(evidence(findings[0], "unmet requirement"), module_so + " requires GLIBC_2.34 of libc.so.6");
  EXPECT_THAT(findings[0].fix, testing::StartsWith("build in the manylinux_2_28_x86_64 image"));
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(RequiredTagUnmet, IsSilentWhereTheContentFits) {
  Scene in = scene();
  EXPECT_TRUE(required_of(in, {"manylinux_2_34_x86_64"}).empty());
}

TEST(RequiredTagUnmet, IsSilentWhereOneOfSeveralFits) {
  Scene in = scene();
  EXPECT_TRUE(required_of(in, {"musllinux_1_2_x86_64", "manylinux_2_34_x86_64"}).empty());
}

TEST(RequiredTagUnmet, NamesAllWhereNoneFitsAndTellsOfTheNearest) {
  Scene in = scene();
  const auto findings = required_of(in, {"manylinux_2_17_x86_64", "manylinux_2_28_x86_64"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "the content is not compatible with any required tag: manylinux_2_17_x86_64, manylinux_2_28_x86_64");
}

TEST(RequiredTagUnmet, IsSilentWhereNothingIsRequired) { EXPECT_TRUE(scene().run("required-tag-unmet").empty()); }

}  // namespace
}  // namespace wheelcheck::test::required_tag_unmet_test
