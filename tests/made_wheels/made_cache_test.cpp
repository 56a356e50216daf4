// Tests that reports on the generated wheels are the same with and without a cache, in every format, for one and for
// several wheels.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "report/conflicts/conflicts.h"
#include "tests/support/wheel_recipe.h"
#include "tests/support/zip_builder.h"
#include "wheelcheck/conflict_report.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {
namespace {

std::string all_reports(const std::vector<std::string>& paths, const Settings& settings) {
  const auto report = check(paths, settings);
  if (!report) return report.error().message;
  std::string out;
  for (const Renderer* const renderer : all_renderers()) out += renderer->render(*report, {});
  return out;
}

std::string all_conflicts(const std::vector<std::string>& paths, const Settings& settings) {
  ConflictSettings requested;
  requested.settings = settings;
  const auto report = check_conflicts(paths, requested);
  if (!report) return report.error().message;
  const Installation& installation = report->conflicts.installation;
  return report::render_conflicts(*report) + report::render_conflicts_json(*report) +
         report::render_bindings(installation.world, installation.names, report->conflicts.outcomes.front());
}

// Each wheel, with its neighbours in the folder, is checked with an empty cache, with a full one, and on several
// threads.
template <class Tell>
void expect_same_with_cache(const Tell& tell) {
  const TemporaryDirectory directory;
  std::vector<std::string> paths;
  for (const std::string& recipe : made_recipe_paths()) {
    const MadeWheel made = read_made_wheel(recipe);
    std::filesystem::create_directory(directory.path(made.stem));
    paths.push_back(write_file(directory.path(made.stem + "/" + made.file), made.bytes));
  }
  std::atomic<std::size_t> members = 0;
  Settings with;
  with.cache = directory.path("cache");
  with.progress = [&](std::string_view, std::uint64_t, std::uint64_t) { ++members; };
  const std::string told = tell(paths, Settings{});
  EXPECT_EQ(tell(paths, with), told);
  EXPECT_GT(members.exchange(0), paths.size());
  EXPECT_EQ(tell(paths, with), told);
  with.jobs = 3;
  EXPECT_EQ(tell(paths, with), told);
  EXPECT_EQ(members, 0U) << "a wheel was read that had been kept";
}

TEST(MadeCache, ReportsAreTheSame) { expect_same_with_cache(all_reports); }

TEST(MadeCache, ConflictsAreTheSame) {
  expect_same_with_cache([](const std::vector<std::string>& paths, const Settings& settings) {
    std::string out;
    for (std::size_t i = 0; i + 1 < paths.size(); i += 3) out += all_conflicts({paths[i], paths[i + 1]}, settings);
    return out;
  });
}

// Ambiguous archives and those over a limit give the same error with and without a cache.
TEST(MadeCache, WhatCannotBeReadStaysSo) {
  const TemporaryDirectory directory;
  const MadeWheel made = read_made_wheel(made_recipe_paths().front());
  const std::vector<std::string> paths = {write_file(directory.path(made.file), made.bytes),
                                          write_file(directory.path("cut-1.0-py3-none-any.whl"), made.bytes.substr(9)),
                                          write_file(directory.path("noname.whl"), made.bytes),
                                          directory.path("missing-1.0-py3-none-any.whl")};
  Settings strict, with;
  with.cache = directory.path("cache");
  all_reports(paths, with);
  EXPECT_EQ(all_reports(paths, with), all_reports(paths, {}));
  strict.limits.members = 1;
  with.limits.members = 1;
  EXPECT_EQ(all_reports(paths, with), all_reports(paths, strict));
}

}  // namespace
}  // namespace wheelcheck::test
