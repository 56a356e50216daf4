// Tests that docs/config.schema.json and the reader accept the same keys and reject the same values.
#include "tests/report/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/config/support.h"

namespace wheelcheck::config {
namespace {

using Json = nlohmann::json;

std::string schema_text() {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/docs/config.schema.json");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// A TOML value as JSON for the schema; dates are strings.
Json json_of(const Value& value) {
  struct Convert {
    Json operator()(const std::string& text) const { return text; }
    Json operator()(std::int64_t number) const { return number; }
    Json operator()(double number) const { return number; }
    Json operator()(bool truth) const { return truth; }
    Json operator()(const Date& date) const { return text_of(date); }
    Json operator()(const Time&) const { return 0; }
    Json operator()(const Array& array) const {
      Json out = Json::array();
      for (const Value& element : array) out.push_back(json_of(element));
      return out;
    }
    Json operator()(const Table& table) const {
      Json out = Json::object();
      for (const KeyValue& entry : table) out[entry.key] = json_of(entry.value);
      return out;
    }
  };
  return std::visit(Convert{}, value.what);
}

Json json_of(std::string_view text) {
  const auto document = parse_toml(text);
  EXPECT_TRUE(document.has_value()) << text;
  return document ? json_of(*document) : Json();
}

bool schema_takes(std::string_view text) {
  static const test::SchemaCheck schema(schema_text());
  return schema.errors(json_of(text)).empty();
}
bool reader_takes(std::string_view text) { return read("w.toml", text).has_value(); }

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}
std::set<std::string> texts(const std::vector<std::string_view>& words) { return {words.begin(), words.end()}; }

TEST(ConfigSchema, HasTheKeysThatTheReaderTakes) {
  const Json schema = Json::parse(schema_text());
  const std::map<std::string_view, std::string> places = {{"", ""},
                                                          {"external", "/definitions/external"},
                                                          {"ignore-rule", "/definitions/ignore-rule"},
                                                          {"forbid-exports", "/definitions/export-rule"},
                                                          {"forbid-needed", "/definitions/needed-rule"},
                                                          {"overrides", "/definitions/override"}};
  for (const TableKeys& table : keys_of_tables()) {
    const Json place = schema.at(Json::json_pointer(places.at(table.table)));
    EXPECT_EQ(keys_of(place["properties"]), texts(table.keys)) << table.table;
    EXPECT_EQ(place.value("required", std::set<std::string>()), texts(table.required)) << table.table;
    EXPECT_EQ(place["additionalProperties"], false) << table.table;
  }
}

TEST(ConfigSchema, TakesAFileWithEveryKeyAsTheReaderDoes) {
  EXPECT_TRUE(schema_takes(every_key));
  EXPECT_TRUE(reader_takes(every_key));
  const Json document = json_of(every_key);
  std::set<std::string> all = texts(keys_of_tables().front().keys);
  EXPECT_EQ(keys_of(document), all) << "every_key is to have every key";
}

class Both : public testing::TestWithParam<const char*> {};
TEST_P(Both, Refuse) {
  EXPECT_FALSE(schema_takes(GetParam()));
  EXPECT_FALSE(reader_takes(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(
    ConfigSchema, Both,
    testing::Values("surprise = 1", "schema-version = 2", "schema-version = '1'", "policies = 'p.json'",
                    "policies = ['']", "require-tag = 1", "require-tag = 'linux_x86_64'", "require-tag = [1]",
                    "select = 'WC1'", "select = [1]", "select = ['']", "severity = []",
                    "severity = { WC604 = 'grave' }", "fail-on = 'fatal'", "pedantic = 'yes'", "own-namespaces = [1]",
                    "own-sonames = ['/x']", "own-sonames = ['a\\b']", "max-size = -1", "max-size = '600 megs'",
                    "max-size = 1.5", "max-exports = -1", "max-exports = 4294967296", "leak-threshold = 'x'",
                    "export-budget = { x = -1 }", "export-budget = { '/x' = 1 }", "require-cxx11-abi = 'both'",
                    "require-sm = ['90a']", "require-sm = [0]", "require-sm = [10000]", "external = { library = 'x' }",
                    "external = [{}]", "external = [{ library = 'x', when = 'ever' }]",
                    "external = [{ library = 'x', extra = 1 }]", "ignore-rule = [{ path = 'x' }]",
                    "ignore-rule = [{ rule = 'WC1', until = 5 }]", "ignore-rule = [{ rule = 'WC1', surprise = 5 }]",
                    "forbid-exports = [{ symbols = 'x' }]", "allow-exports = [{ symbols = '', reason = 'x' }]",
                    "forbid-needed = [{ library = 'x', reason = 'x', surprise = 1 }]", "size-budget = { x = -1 }",
                    "require-tag = { mips = 'manylinux_2_28' }", "require-tag = { x86_64 = 'linux' }",
                    "overrides = [{}]", "overrides = [{ wheel = '*', policies = [] }]",
                    "overrides = [{ wheel = '*', overrides = [] }]",
                    "overrides = [{ wheel = '*', fail-on = 'fatal' }]"));

class Each : public testing::TestWithParam<const char*> {};
TEST_P(Each, Takes) {
  EXPECT_TRUE(schema_takes(GetParam()));
  EXPECT_TRUE(reader_takes(GetParam())) << mistakes(GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    ConfigSchema, Each,
    testing::Values("", "require-tag = ['manylinux2014_x86_64', 'musllinux_1_2', 'android_24']", "select = []",
                    "require-tag = { x86_64 = 'manylinux_2_28', aarch64 = ['manylinux_2_34'] }",
                    "forbid-needed = [{ library = 'libcuda*', path = '**', reason = 'x' }]", "max-size = 600",
                    "max-size = '600 MiB'", "max-size = '600'", "require-sm = [80, '90']", "fail-on = 'never'",
                    "external = [{ library = 'x', when = 'optional' }]", "ignore-rule = [{ rule = 'WC1' }]",
                    "overrides = [{ wheel = '*' }, { wheel = 'a*', severity = { WC604 = 'note' } }]"));

TEST(ConfigPage, ShowsAnExampleThatTheReaderAndTheSchemaTake) {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/docs/configuration.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  const std::size_t from = page.find("```toml\n");
  ASSERT_NE(from, page.npos);
  const std::string example = page.substr(from + 8, page.find("```", from + 8) - from - 8);
  const Result<Config> config = read("pyproject.toml", example);
  ASSERT_TRUE(config.has_value()) << config.error().message;
  const Json section = json_of(example)["tool"]["wheelcheck"];
  EXPECT_EQ(test::SchemaCheck(schema_text()).errors(section), "");
  EXPECT_EQ(keys_of(section), texts(keys_of_tables().front().keys)) << "the example is to show every key";
  for (const TableKeys& table : keys_of_tables())
    for (const std::string_view key : table.keys)
      EXPECT_NE(page.find("`" + std::string(key) + "`"), page.npos) << "the page does not explain " << key;
}

}  // namespace
}  // namespace wheelcheck::config
