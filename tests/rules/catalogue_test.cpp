// Tests the properties that every rule must have.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "rules/page.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::catalogue_test {
namespace {

namespace fs = std::filesystem;

std::string stem_of(const Rule& rule) {
  std::string stem(rule.name);
  std::ranges::replace(stem, '-', '_');
  return stem;
}
fs::path test_of(const Rule& rule) {
  return fs::path(WHEELCHECK_SOURCE_DIR) / "tests/rules" / (stem_of(rule) + "_test.cpp");
}
std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Catalogue, ListsTheRulesByCode) {
  EXPECT_GE(all_rules().size(), 26U);
  EXPECT_TRUE(std::ranges::is_sorted(all_rules(), {}, [](const Rule* rule) { return rule->code; }));
}

TEST(Catalogue, GivesNoCodeAndNoNameTwice) {
  std::set<std::string_view> codes, names;
  for (const Rule* rule : all_rules()) {
    EXPECT_TRUE(codes.insert(rule->code).second) << rule->code;
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
  }
}

TEST(Catalogue, CodesAreWcAndThreeDigitsAndNamesAreWordsWithHyphens) {
  for (const Rule* rule : all_rules()) {
    ASSERT_EQ(rule->code.size(), 5U) << rule->code;
    EXPECT_TRUE(rule->code.starts_with("WC")) << rule->code;
    EXPECT_TRUE(std::ranges::all_of(rule->code.substr(2), is_digit)) << rule->code;
    EXPECT_TRUE(std::ranges::all_of(rule->name, [](char c) { return is_lower(c) || is_digit(c) || c == '-'; }))
        << rule->name;
  }
}

// "namespace wheelcheck::rules::executable_stack {", in which ".name = "executable-stack"" stands.
TEST(Catalogue, EveryRuleIsInTheNamespaceOfItsName) {
  std::string sources;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(fs::path(WHEELCHECK_SOURCE_DIR) / "src/rules"))
    if (entry.is_regular_file()) sources += read_text(entry.path());
  for (const Rule* rule : all_rules()) {
    const std::string name = "namespace wheelcheck::rules::" + stem_of(*rule);
    const std::size_t begin = sources.find(name + " {"), end = sources.find("}  // " + name + "\n");
    ASSERT_LT(begin, end) << rule->name;
    EXPECT_THAT(sources.substr(begin, end - begin), testing::HasSubstr("\"" + std::string(rule->name) + "\""));
  }
}

TEST(Catalogue, EveryRuleHasTestsThatFireItAndThatKeepItSilent) {
  for (const Rule* rule : all_rules()) {
    ASSERT_TRUE(fs::exists(test_of(*rule))) << test_of(*rule);
    const std::string text = read_text(test_of(*rule));
    EXPECT_THAT(text, testing::HasSubstr("\"" + std::string(rule->name) + "\"")) << test_of(*rule);
    EXPECT_THAT(text, testing::HasSubstr("IsSilent")) << test_of(*rule);
  }
}

TEST(Catalogue, EveryRuleHasAPageWorthReading) {
  for (const Rule* rule : all_rules()) {
    const rules::RulePage& page = rules::page_of(*rule);
    EXPECT_FALSE(page.references.empty()) << rule->code;
    for (const std::string_view part : {page.summary, page.why, page.fix, page.false_positives}) {
      EXPECT_FALSE(part.empty()) << rule->code;
      EXPECT_TRUE(part.ends_with('.')) << rule->code << ": " << part;
      EXPECT_EQ(part.find("  "), std::string_view::npos) << rule->code << ": " << part;
      EXPECT_EQ(std::ranges::count(part, '`') % 2, 0) << rule->code << ": " << part;
    }
    EXPECT_GT(page.why.size(), 150U) << rule->code;
    EXPECT_LT(page.summary.size(), 100U) << rule->code;
    EXPECT_TRUE(rule->check != nullptr || rule->check_set != nullptr || rule->check_config != nullptr) << rule->code;
  }
}

}  // namespace
}  // namespace wheelcheck::test::catalogue_test
