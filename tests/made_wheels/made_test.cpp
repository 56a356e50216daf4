// Checks every wheel of wheels/made against its recipe: best tag, verdicts, findings, exit code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/support/wheel_recipe.h"
#include "tests/support/zip_builder.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {
namespace {

std::string place_of(const WheelFacts& wheel, const Place& place) {
  struct Path {
    const WheelFacts& wheel;
    std::string operator()(const WholeWheel&) const { return ""; }
    std::string operator()(const AtObject&) const { return ""; }
    std::string operator()(const AtPath& at) const { return " " + at.path; }
    std::string operator()(const AtMember& at) const { return " " + wheel.members[at.member.value].path.text(); }
    std::string operator()(const AtElf& at) const {
      return " " + wheel.members[wheel.elfs[at.elf.value].member.value].path.text();
    }
  };
  return std::visit(Path{wheel}, place);
}

std::vector<std::string> findings_of(const WheelReport& report) {
  std::vector<std::string> found;
  for (const Finding& finding : report.findings)
    found.push_back(std::string(finding.rule->code) + place_of(report.facts, finding.place));
  std::ranges::sort(found);
  return found;
}

std::map<std::string, std::string> results_of(const WheelReport& report) {
  std::map<std::string, std::string> levels;
  for (const Claim& claim : report.verdict.claims) levels[claim.tag.text] = name_of(claim.tag_result);
  return levels;
}

class MadeWheels : public testing::TestWithParam<std::string> {};

TEST_P(MadeWheels, GetTheAnswerThatTheirRecipeStates) {
  const MadeWheel made = read_made_wheel(GetParam());
  const TemporaryDirectory directory;
  const std::vector<std::string> paths = {write_file(directory.path(made.file), made.bytes)};
  for (const auto& [name, value] : made.environment) setenv(name.c_str(), value.c_str(), 1);
  const auto report = check(paths, {});
  for (const auto& [name, value] : made.environment) unsetenv(name.c_str());
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->entries[0].wheel) << report->entries[0].unreadable->error.message;
  const WheelReport& wheel = *report->entries[0].wheel;
  EXPECT_EQ(wheel.verdict.best_tag, made.best_tag);
  EXPECT_EQ(results_of(wheel), made.levels);
  EXPECT_EQ(findings_of(wheel), made.findings);
  EXPECT_EQ(exit_code(*report), made.exit);
}

TEST_P(MadeWheels, GiveTheSameBytesInEveryFormatTwice) {
  const MadeWheel made = read_made_wheel(GetParam());
  const TemporaryDirectory directory;
  const std::vector<std::string> paths = {write_file(directory.path(made.file), made.bytes)};
  Settings settings;
  const auto once = check(paths, settings);
  settings.jobs = 3;
  const auto again = check(paths, settings);
  ASSERT_TRUE(once && again);
  for (const Renderer* const renderer : all_renderers())
    EXPECT_EQ(renderer->render(*once, {}), renderer->render(*again, {})) << renderer->name;
}

TEST(MadeWheelsOfKnownCases, CoverEachAndStandInTheDocument) {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/docs/agreement.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  std::set<std::string> quirks;
  for (const std::string& path : made_recipe_paths()) {
    const MadeWheel made = read_made_wheel(path);
    if (made.quirk.empty()) continue;
    quirks.insert(made.quirk);
    EXPECT_NE(page.find("`" + made.stem + "`"), std::string::npos) << made.stem;
  }
  for (int i = 1; i <= 32; ++i) EXPECT_TRUE(quirks.contains("Q" + std::to_string(i))) << i;
}

INSTANTIATE_TEST_SUITE_P(Recipes, MadeWheels, testing::ValuesIn(made_recipe_paths()),
                         [](const auto& recipe) { return std::filesystem::path(recipe.param).stem().string(); });

}  // namespace
}  // namespace wheelcheck::test
