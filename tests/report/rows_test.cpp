// Tests the rows of a table with their schema and against the whole report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/shared/registry.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::rows_test {
namespace {

using nlohmann::json;

Report everything() { return report_of(broken_wheel(), kept_wheel(), unreadable_input(), hostile_wheel()); }

std::vector<json> lines_of(std::string_view format, const Report& report) {
  std::istringstream text(find_renderer(format)->render(report, {}));
  std::vector<json> out;
  for (std::string line; std::getline(text, line);) out.push_back(json::parse(line));
  return out;
}

TEST(Rows, AreOneAnInputAndAsTheSchemaSays) {
  const SchemaCheck schema(report::find_schema("rows"));
  const std::vector<json> rows = lines_of("rows", everything());
  ASSERT_EQ(rows.size(), 4U);
  for (const json& row : rows) EXPECT_EQ(schema.errors(row), "") << row;
  for (const char* key : {"file", "claims", "findings", "bytes"}) {
    json without = rows[0];
    without.erase(key);
    EXPECT_NE(schema.errors(without), "") << key;
  }
  EXPECT_TRUE(lines_of("rows", report_of()).empty());
}

TEST(Rows, SayWhatTheReportSays) {
  const std::vector<json> rows = lines_of("rows", everything()), whole = lines_of("json-lines", everything());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const json &row = rows[i], &entry = whole[i];
    for (const char* key : {"file", "status"}) EXPECT_EQ(row[key], entry[key]) << i;
    if (entry["type"] == "unreadable") {
      EXPECT_EQ(row["error"], entry["error"]);
      EXPECT_EQ(row["reason"], entry["message"]);
      EXPECT_TRUE(row["failed"]);
      EXPECT_TRUE(row["bytes"].is_null());
      continue;
    }
    for (const char* key : {"failed", "pure", "best_tag", "best_tags", "findings"})
      EXPECT_EQ(row[key], entry[key]) << i;
    EXPECT_EQ(row["version"], entry["name"]["version"]);
    EXPECT_EQ(row["bytes"], entry["size"]);
    EXPECT_EQ(row["members"], entry["members"]["count"]);
    EXPECT_EQ(row["unpacked_bytes"], entry["members"]["size"]);
    EXPECT_EQ(row["elf_files"], entry["elf_files"].size());
    ASSERT_EQ(row["claims"].size(), entry["claims"].size());
    for (std::size_t n = 0; n < row["claims"].size(); ++n)
      for (const auto& [key, value] : row["claims"][n].items()) EXPECT_EQ(value, entry["claims"][n][key]) << key;
    for (const auto& [key, severity] : {std::pair("errors", "error"), {"warnings", "warning"}, {"notes", "note"}})
      EXPECT_EQ(row[key],
                std::ranges::count(entry["findings"], severity, [](const json& one) { return one["severity"]; }));
  }
  EXPECT_GT(rows[0]["findings"].size(), 0U);
}

}  // namespace
}  // namespace wheelcheck::test::rows_test
