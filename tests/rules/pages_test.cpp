// Tests that docs/rules has a page for each rule, with the headings in order, and an index. With WHEELCHECK_UPDATE=1
// the test writes the index.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "rules/page.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::pages_test {
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

std::string page_name(const Rule& rule) { return std::string(rule.code) + '-' + std::string(rule.name) + ".md"; }

TEST(Pages, HaveTheirHeadingsInOrder) {
  for (const Rule* rule : all_rules()) {
    const std::string text = read_text(directory / page_name(*rule));
    EXPECT_TRUE(text.starts_with("# " + std::string(rule->name) + " (" + std::string(rule->code) + ")\n"))
        << rule->code;
    std::vector<std::string> headings;
    for (const std::string_view line : split(text, '\n')) {
      if (line.starts_with("## ")) headings.emplace_back(line);
      EXPECT_TRUE(line.size() <= 120 || line.starts_with("- [")) << rule->code << ": " << line;
    }
    EXPECT_THAT(headings, testing::ElementsAre("## What it does", "## Why it matters", "## How to fix",
                                               "## False positives", "## References"))
        << rule->code;
    EXPECT_EQ(rules::page_of(*rule).markdown, text) << rule->code << ": another page is compiled in";
  }
}

TEST(Pages, TheIndexIsWhatTheRulesSay) {
  expect_page(directory / "README.md", rules::rule_index_markdown(all_rules()));
}

TEST(Pages, BelongToRulesThatExist) {
  std::set<std::string> names = {"README.md"};
  for (const Rule* rule : all_rules()) names.insert(page_name(*rule));
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    EXPECT_TRUE(names.contains(entry.path().filename())) << entry.path();
}

TEST(Pages, TheIndexLinksEveryRuleOnce) {
  const std::string index = rules::rule_index_markdown(all_rules());
  for (const Rule* rule : all_rules()) {
    const std::string link = '(' + page_name(*rule) + ')';
    const std::size_t at = index.find(link);
    ASSERT_NE(at, std::string::npos) << rule->name;
    EXPECT_EQ(index.find(link, at + 1), std::string::npos) << rule->name;
  }
}

TEST(Pages, NoRuleHasARetiredCode) {
  for (const rules::RetiredCode& retired : rules::retired_codes)
    EXPECT_EQ(find_rule(retired.code), nullptr) << retired.code;
}

TEST(Pages, TheTextFitsATerminal) {
  for (const Rule* rule : all_rules()) {
    const std::string text = rules::rule_page_text(*rule);
    EXPECT_TRUE(text.ends_with('\n'));
    for (const std::string_view line : split(text, '\n'))
      EXPECT_TRUE(line.size() <= 80 || line.substr(2).find(' ') == std::string_view::npos) << line;
    for (const char* part : {"\nWhy it matters\n", "\nHow to fix\n", "\nFalse positives\n"})
      EXPECT_THAT(text, testing::HasSubstr(part));
  }
}

}  // namespace
}  // namespace wheelcheck::test::pages_test
