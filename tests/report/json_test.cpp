// Tests the JSON formats with the published schema.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/shared/registry.h"
#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::json_test {
namespace {

std::string rendered(std::string_view format, const Report& report) {
  return find_renderer(format)->render(report, {});
}
nlohmann::json json_of(const Report& report) { return nlohmann::json::parse(rendered("json", report)); }

const SchemaCheck& schema() {
  static const SchemaCheck check(report::find_schema("json"));
  return check;
}

Report everything() {
  return report_of(broken_wheel(), external_wheel(), kept_wheel(), pure_wheel(), hostile_wheel(), unreadable_input());
}

TEST(Json, ValidatesAgainstThePublishedSchema) {
  EXPECT_EQ(schema().errors(json_of(everything())), "");
  EXPECT_EQ(schema().errors(json_of(report_of())), "");
}

TEST(Json, HasNoKeyThatTheSchemaDoesNotKnow) {
  // Ensures that the schema is strict; otherwise the test above would prove nothing.
  const nlohmann::json good = json_of(everything());
  const auto refuses = [&](const char* pointer) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)]["surprise"] = 1;
    EXPECT_NE(schema().errors(bad), "") << pointer;
  };
  refuses("");
  refuses("/summary");
  for (const char* below :
       {"", "/claims/0", "/findings/0", "/assessments/0", "/assessments/0/requirements/0", "/assessments/0/rungs/0",
        "/elf_files/0", "/elf_files/0/dynamic", "/elf_files/0/dynamic/needed/0", "/elf_files/0/dynamic/flags",
        "/elf_files/0/segments", "/name", "/members", "/dist_info", "/dist_info/wheel"})
    refuses((std::string("/wheels/0") + below).c_str());
  refuses("/wheels/4/flaws/0");
  refuses("/wheels/5");
}

TEST(Json, IsTheDocumentInTheGolden) { expect_golden("broken.json", rendered("json", report_of(broken_wheel()))); }

TEST(Json, CountsWhatEachRungMeets) {
  const nlohmann::json levels = json_of(report_of(broken_wheel()))["wheels"][0]["assessments"][0]["levels"];
  ASSERT_EQ(levels.size(), manylinux_rungs.size());
  for (const nlohmann::json& level : levels)
    EXPECT_EQ(level["met"].get<std::size_t>() + level["unmet_requirements"].size(), level["total"].get<std::size_t>());
  EXPECT_EQ(levels[3]["tag"], "manylinux_2_28_x86_64");
  EXPECT_EQ(levels[3]["unmet_requirements"].size(), 0u);
  EXPECT_EQ(levels[4]["unmet_requirements"].size(), 1u);
}

TEST(Json, SaysHowEachLibraryWasFound) {
  const nlohmann::json needed = json_of(report_of(broken_wheel()))["wheels"][0]["elf_files"][1]["dynamic"]["needed"];
  EXPECT_EQ(needed[0]["found"], "in-wheel");
  EXPECT_EQ(needed[0]["how"], "runpath");
  EXPECT_EQ(needed[0]["provider"]["member"], "measure.libs/libwave-1a2b3c4d.so.3.1.0");
  EXPECT_EQ(needed[2]["found"], "in-process");
}

TEST(Json, NamesTheWheelOfAProvider) {
  WheelReport wheel = broken_wheel();
  wheel.resolution.needed[1][0].found = Found::InProvider;
  wheel.resolution.needed[1][0].provider = ElfRef{WheelIndex{1}, ElfIndex{0}};
  Report report = report_of(std::move(wheel));
  report.providers.push_back(
      WheelBuilder("wave-3-py3-none-manylinux_2_17_x86_64.whl").elf(ElfBuilder("wave/libwave.so")).build());
  const nlohmann::json document = json_of(report);
  EXPECT_EQ(document["providers"][0], "wave-3-py3-none-manylinux_2_17_x86_64.whl");
  const nlohmann::json provider = document["wheels"][0]["elf_files"][1]["dynamic"]["needed"][0]["provider"];
  EXPECT_EQ(provider["wheel"], "wave-3-py3-none-manylinux_2_17_x86_64.whl");
  EXPECT_EQ(provider["member"], "wave/libwave.so");
  EXPECT_EQ(schema().errors(document), "");
}

TEST(Json, SaysNothingOfWhereTheFilesLie) {
  const std::string text = rendered("json", report_of(unreadable_input()));
  EXPECT_EQ(text.find("/home"), std::string::npos);
  const nlohmann::json entry = nlohmann::json::parse(text)["wheels"][0];
  EXPECT_EQ(entry["file"], "notes.whl");
  EXPECT_EQ(entry["status"], "rejected");
  EXPECT_EQ(entry["error"], "not-a-wheel");
  EXPECT_EQ(entry["message"], "notes.whl is not a ZIP archive: no end record");
}

TEST(Json, StaysUtf8AndTellsBadNamesApart) {
  const nlohmann::json wheel = json_of(report_of(hostile_wheel()))["wheels"][0];
  EXPECT_EQ(wheel["elf_files"][0]["member"], "evil/\\u{202e}os.so");
  EXPECT_EQ(wheel["assessments"][0]["requirements"][0]["symbols"][0], "bad\\xff\\xfename\\x0a");
  EXPECT_EQ(wheel["flaws"][0]["subject"], "../../etc/\\x80");
}

TEST(Json, NeverCutsTheNameOfASymbol) {
  const std::string name(20000, 'x');
  WheelReport wheel = with_facts(WheelBuilder("long-1-py3-none-linux_x86_64.whl")
                                     .elf(ElfBuilder("long/x.so").import(name, "libc.so.6", "GLIBC_2.2.5"))
                                     .build());
  const nlohmann::json document = json_of(report_of(std::move(wheel)));
  EXPECT_EQ(document["wheels"][0]["elf_files"][0]["dynamic"]["needs"][0]["symbols"][0], name);
}

TEST(Json, CutsWhatIsLongerThanAnyName) {
  WheelReport wheel = pure_wheel();
  wheel.facts.metadata = Metadata{.name = std::string(1 << 20, 'n')};
  const std::string document = rendered("json", report_of(std::move(wheel)));
  EXPECT_LT(document.size(), 100'000U);
  EXPECT_THAT(document, testing::HasSubstr("n...(1048576 bytes in all)\""));
}

TEST(JsonLines, HoldsTheSameObjectsOneALine) {
  const SchemaCheck lines(report::find_schema("json"), "line");
  const nlohmann::json whole = json_of(everything());
  const std::string text = rendered("json-lines", everything());
  std::size_t line = 0, at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    ASSERT_NE(end, std::string::npos);
    const nlohmann::json object = nlohmann::json::parse(text.substr(at, end - at));
    EXPECT_EQ(lines.errors(object), "") << line;
    if (line < whole["wheels"].size()) {
      EXPECT_EQ(object, whole["wheels"][line]);
    } else {
      EXPECT_EQ(object["type"], "summary");
      EXPECT_EQ(object["errors"], whole["summary"]["errors"]);
    }
    ++line;
    at = end + 1;
  }
  EXPECT_EQ(line, whole["wheels"].size() + 1);
}

TEST(Schemas, AreFoundByFormatAndByFile) {
  EXPECT_EQ(report::find_schema("json"), report::find_schema("report"));
  EXPECT_FALSE(report::find_schema("why").empty());
  EXPECT_TRUE(report::find_schema("nonsense").empty());
  for (const std::string_view name : report::schema_names())
    EXPECT_TRUE(nlohmann::json::accept(report::find_schema(name))) << name;
}

}  // namespace
}  // namespace wheelcheck::test::json_test
