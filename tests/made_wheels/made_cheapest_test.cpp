// Tests that the removals of `why --cheapest` are sufficient: the generated wheel without these symbols fits the tag.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/wheel_recipe.h"
#include "tests/support/zip_builder.h"
#include "wheelcheck/remediation.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;

const std::string far_recipe = WHEELCHECK_SOURCE_DIR "/tests/made_wheels/cheapest.json";

json recipe_of(const std::string& path) {
  std::ifstream in(path);
  return json::parse(in);
}

WheelReport report_on(const json& recipe) {
  const TemporaryDirectory directory;
  const std::string path = write_file(directory.path("recipe.json"), recipe.dump());
  const MadeWheel made = read_made_wheel(path);
  const std::string wheel = write_file(directory.path(made.file), made.bytes);
  auto report = check(std::vector{wheel}, {});
  EXPECT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->entries.at(0).wheel) << report->entries[0].unreadable->error.message;
  return std::move(*report->entries[0].wheel);
}

std::vector<RemediationPath> cheapest_of(const WheelReport& report) { return cheapest(report, *load_knowledge({})); }

void erase(json& list, const std::string& word) { list.erase(std::find(list.begin(), list.end(), word)); }

// Removes one symbol of a removal from the recipe, or a node without a symbol.
void take_out(json& elf, const Removal& removal, const std::string& symbol) {
  if (removal.node.empty()) return erase(elf.at("imports"), symbol);
  json& needs = elf.at("needs");
  const auto need = std::find_if(needs.begin(), needs.end(), [&](const json& one) {
    return one.at("library") == removal.library && one.at("version") == removal.node;
  });
  if (need == needs.end()) throw std::invalid_argument("no such need");
  if (!symbol.empty()) erase(need->at("symbols"), symbol);
  if (need->value("symbols", json::array()).empty()) needs.erase(need);
}

json without(json recipe, const WheelReport& report, const RemediationStep& step) {
  const auto elf_of = [&](ElfIndex file) -> json& {
    const std::string path = report.facts.members[report.facts.elfs[file.value].member.value].path.text();
    json& members = recipe.at("members");
    const auto at =
        std::find_if(members.begin(), members.end(), [&](const json& one) { return one.at("path") == path; });
    return at->at("elf");
  };
  for (const Removal& removal : step.removals) {
    if (removal.symbols.empty())
      for (const ElfIndex file : removal.files) take_out(elf_of(file), removal, "");
    for (const RemovedSymbol& symbol : removal.symbols)
      for (const ElfIndex file : symbol.files) take_out(elf_of(file), removal, symbol.name);
  }
  return recipe;
}

TEST(MadeCheapest, NamesWhatStandsBetween) {
  const WheelReport report = report_on(recipe_of(far_recipe));
  EXPECT_EQ(report.verdict.best_tag, "manylinux_2_28_x86_64");
  const std::vector<RemediationPath> paths = cheapest_of(report);
  std::vector<std::string> steps;
  for (const RemediationStep& step : paths.at(0).steps) {
    steps.push_back(report.assessments[0].level_names[step.oldest.value] + ":");
    for (const Removal& removal : step.removals)
      for (const RemovedSymbol& symbol : removal.symbols) steps.back() += " " + symbol.name;
  }
  EXPECT_THAT(steps,
              ElementsAre("manylinux_2_27_x86_64: statx fcntl64", "manylinux_2_17_x86_64: statx fcntl64 expf logf powf",
                          "manylinux_2_5_x86_64: statx fcntl64 expf logf powf secure_getenv"));
}

TEST(MadeCheapest, WithoutTheSymbolsTheWheelFits) {
  const json recipe = recipe_of(far_recipe);
  const WheelReport report = report_on(recipe);
  const RemediationPath path = cheapest_of(report).at(0);
  for (const RemediationStep& step : path.steps) {
    const std::string tag = report.assessments[0].level_names[step.oldest.value];
    EXPECT_EQ(report_on(without(recipe, report, step)).verdict.best_tag, tag);
  }
}

// The set is minimal: if any one of its symbols is kept, the wheel does not fit.
TEST(MadeCheapest, WithOneSymbolLessItDoesNot) {
  const json recipe = recipe_of(far_recipe);
  const WheelReport report = report_on(recipe);
  std::size_t tried = 0;
  const RemediationPath path = cheapest_of(report).at(0);
  for (const RemediationStep& step : path.steps) {
    const std::string tag = report.assessments[0].level_names[step.oldest.value];
    for (std::size_t i = 0; i < step.removals.size(); ++i)
      for (std::size_t j = 0; j < step.removals[i].symbols.size(); ++j, ++tried) {
        RemediationStep less = step;
        std::vector<RemovedSymbol>& symbols = less.removals[i].symbols;
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(j));
        if (symbols.empty()) less.removals.erase(less.removals.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_NE(report_on(without(recipe, report, less)).verdict.best_tag, tag);
      }
  }
  EXPECT_EQ(tried, 13U);
}

TEST(MadeCheapest, HoldsForEveryMadeWheel) {
  std::size_t proved = 0;
  for (const std::string& path : made_recipe_paths()) {
    const json recipe = recipe_of(path);
    const WheelReport report = report_on(recipe);
    for (const RemediationPath& way : cheapest_of(report))
      for (const RemediationStep& step : way.steps) {
        if (!step.other_requirements.empty()) continue;
        const std::string& tag = report.assessments[way.assessment].level_names[step.oldest.value];
        const WheelReport after = report_on(without(recipe, report, step));
        const Assessment& now = after.assessments.at(way.assessment);
        const auto level = std::ranges::find(now.level_names, tag) - now.level_names.begin();
        EXPECT_TRUE(now.levels.at(static_cast<std::size_t>(level)).unmet_requirements.empty()) << path << " " << tag;
        ++proved;
      }
  }
  EXPECT_GE(proved, 8U);
}

}  // namespace
}  // namespace wheelcheck::test
