// Compares two generated releases of a wheel and tests the output of `diff` in every format.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "report/answers/answers.h"
#include "report/shared/registry.h"
#include "tests/report/answers.h"
#include "tests/report/schema.h"
#include "tests/support/wheel_recipe.h"
#include "tests/support/zip_builder.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {
namespace {

Diff diff_of(const std::string& old, const std::string& now, unsigned jobs = 1) {
  const TemporaryDirectory directory;
  std::vector<std::string> paths;
  for (const std::string& name : {old, now}) {
    const MadeWheel made = read_made_wheel(WHEELCHECK_SOURCE_DIR "/tests/made_wheels/diff/" + name + ".json");
    paths.push_back(write_file(directory.path(made.file), made.bytes));
  }
  Settings settings;
  settings.jobs = jobs;
  auto diff = compare(paths[0], paths[1], settings);
  EXPECT_TRUE(diff) << diff.error().message;
  diff->version = "0";  // the expected files do not depend on the version
  return std::move(*diff);
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = WHEELCHECK_SOURCE_DIR "/tests/made_wheels/golden/" + name;
  if (std::getenv("WHEELCHECK_UPDATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing: run once with WHEELCHECK_UPDATE=1 and read what it wrote";
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text) << "see " << path;
}

TEST(MadeReleases, AreToldInText) {
  expect_golden("diff.txt", as_text(report::diff_answer(diff_of("old", "new"), {})));
}

TEST(MadeReleases, AreToldInMarkdown) {
  expect_golden("diff.md", as_markdown(report::diff_answer(diff_of("old", "new"), {})));
}

TEST(MadeReleases, AreToldAsTheSchemaSays) {
  const std::string text = as_json(report::diff_answer(diff_of("old", "new"), {}));
  expect_golden("diff.json", text);
  EXPECT_EQ(SchemaCheck(report::find_schema("diff")).errors(nlohmann::json::parse(text)), "");
}

TEST(MadeReleases, GiveTheSameBytesWhateverTheThreads) {
  EXPECT_EQ(as_json(report::diff_answer(diff_of("old", "new"), {})),
            as_json(report::diff_answer(diff_of("old", "new", 3), {})));
}

TEST(MadeReleases, OfNoChangeHaveNothingToTell) {
  EXPECT_EQ(as_text(report::diff_answer(diff_of("old", "old"), {})),
            "pair 1.4.0 -> 1.4.0\n\nUNCHANGED: nothing changed; 4 findings as before\n");
}

}  // namespace
}  // namespace wheelcheck::test
