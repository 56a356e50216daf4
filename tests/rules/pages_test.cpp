// docs/rules is written from the rules. With WHEELCHECK_UPDATE=1 in the environment this test writes the files anew;
// otherwise it compares, so a page cannot drift from its rule.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "rules/page.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

namespace fs = std::filesystem;

const fs::path directory = fs::path(WHEELCHECK_SOURCE_DIR) / "docs/rules";

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool updating() {
  const char* const update = std::getenv("WHEELCHECK_UPDATE");
  return update != nullptr && std::string_view(update) == "1";
}

void expect_page(const fs::path& path, const std::string& text) {
  if (updating()) {
    fs::create_directories(directory);
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_EQ(read_text(path), text) << path << ": run again with WHEELCHECK_UPDATE=1 and read the difference";
}

TEST(Pages, AreWhatTheRulesSay) {
  for (const Rule* rule : all_rules())
    expect_page(directory / (std::string(rule->name) + ".md"), rules::rule_page_markdown(*rule));
  expect_page(directory / "README.md", rules::rule_index_markdown(all_rules()));
}

TEST(Pages, BelongToRulesThatExist) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string stem = entry.path().stem().string();
    EXPECT_TRUE(stem == "README" || find_rule(stem) != nullptr) << entry.path();
  }
}

TEST(Pages, TheIndexLinksEveryRuleOnce) {
  const std::string index = rules::rule_index_markdown(all_rules());
  for (const Rule* rule : all_rules()) {
    const std::string link = '(' + std::string(rule->name) + ".md)";
    const std::size_t at = index.find(link);
    ASSERT_NE(at, std::string::npos) << rule->name;
    EXPECT_EQ(index.find(link, at + 1), std::string::npos) << rule->name;
  }
}

TEST(Pages, TheTextFitsATerminal) {
  for (const Rule* rule : all_rules()) {
    const std::string text = rules::rule_page_text(*rule);
    EXPECT_TRUE(text.ends_with('\n'));
    for (const std::string_view line : split(text, '\n'))
      EXPECT_TRUE(line.size() <= 80 || line.substr(2).find(' ') == std::string_view::npos) << line;
    for (const char* part : {"\nWhy\n", "\nHow to fix\n", "\nKnown false positives\n"})
      EXPECT_THAT(text, testing::HasSubstr(part));
  }
}

}  // namespace
}  // namespace wheelcheck::test
