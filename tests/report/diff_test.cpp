// Tests the output of `diff`: its sections, and untrusted names in other languages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/answers/answers.h"
#include "report/shared/registry.h"
#include "tests/report/answers.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::diff_test {
namespace {

using report::diff_answer;
using testing::HasSubstr;
using testing::Not;

Diff named(std::string name) {
  Diff diff;
  diff.version = "0";
  diff.file = {name + ".whl", name + ".whl"};
  diff.distribution = {name, name};
  diff.release = {"1.0", "1.1"};
  diff.contents.needed.push_back({.library = {"", name}, .files = {name}, .whole = true});
  diff.findings.changes.push_back({.course = FindingCourse::New,
                                   .rule = &too_new,
                                   .severity = Severity::Error,
                                   .path = name,
                                   .message = "requires " + name});
  diff.contents.packages.push_back({.file = name, .package = {name, ""}});
  diff.sizes.sections.push_back({.name = name, .bytes = {1'000, 3'000}, .unpacked = {}});
  diff.sizes.gpu_code.push_back({.name = name, .bytes = {2'000, 1'000}, .unpacked = {5'000, 4'000}});
  diff.metadata.dependencies.push_back({"six", name});
  diff.exports = {.count = {0, 1},
                  .gained = 1,
                  .groups = {{.kind = SymbolGroup::Kind::C, .count = {0, 1}, .gained = 1, .gained_names = {name}}},
                  .files = {}};
  return diff;
}

TEST(DiffText, NothingOfAWheelMovesTheCursor) {
  const std::string text = as_text(diff_answer(named("a\x1b[31m\nb\u202e"), {}));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\u202e")));
  EXPECT_THAT(text, HasSubstr("\\x1b[31m\\x0ab"));
}

TEST(DiffMarkdown, ANameEndsNoCodeSpan) {
  const std::string text = as_markdown(diff_answer(named("a``b`<img src=x>"), {}));
  EXPECT_THAT(text, HasSubstr("``` a``b`<img src=x> ```"));
}

TEST(DiffMarkdown, AMessageIsNoMarkup) {
  const std::string text = as_markdown(diff_answer(named("<b>*x* [y](z) @octocat https://a.b _c_ d_e"), {}));
  EXPECT_THAT(text, HasSubstr("requires \\<b\\>\\*x\\* \\[y\\](z) `@`octocat https\\://a.b \\_c\\_ d_e"));
}

TEST(DiffMarkdown, HasSectionsAndItems) {
  const std::string text = as_markdown(diff_answer(named("plain"), {}));
  EXPECT_THAT(text, HasSubstr("## plain 1.0 → 1.1\n\n### Findings\n\n- **new error** WC102 symbol-version-too-new\n"));
  EXPECT_THAT(text, HasSubstr("\n### Files\n\n- **needs** `plain`, new to the wheel, in `plain`\n"));
}

TEST(DiffJson, OfAnyNameIsAsTheSchemaSays) {
  const SchemaCheck schema(report::find_schema("diff"));
  for (const char* const name : {"plain", "a\xff\"b", ""})
    EXPECT_EQ(schema.errors(nlohmann::json::parse(as_json(diff_answer(named(name), {})))), "") << name;
  EXPECT_EQ(schema.errors(nlohmann::json::parse(as_json(diff_answer({}, {})))), "");
}

TEST(DiffText, WithoutAChangeIsTwoLines) {
  Diff diff;
  diff.distribution = {"foo", "foo"};
  diff.release = {"1.0", "1.1"};
  diff.findings.unchanged = {1, 2, 0};
  EXPECT_EQ(as_text(diff_answer(diff, {})), "foo 1.0 -> 1.1\n\nUNCHANGED: nothing changed; 3 findings as before\n");
  EXPECT_EQ(as_markdown(diff_answer(diff, {})),
            "## foo 1.0 → 1.1\n\n**UNCHANGED**: nothing changed; 3 findings as before\n");
}

TEST(DiffText, WhatGrewBySectionAndByTargetOfGpuCode) {
  Diff diff = named("x");
  EXPECT_THAT(as_text(diff_answer(diff, {})), HasSubstr("sections  x +2.0 kB\n"));
  EXPECT_THAT(as_text(diff_answer(diff, {})), HasSubstr("GPU code  x -1.0 kB (-1.0 kB after decompression)\n"));
  EXPECT_THAT(as_text(diff_answer(diff, {})), HasSubstr("package  x: x -> none of the index\n"));
  diff.sizes.unpacked = {1'000'000, 1'000'000};
  EXPECT_THAT(as_text(diff_answer(diff, {})), Not(HasSubstr("sections")));
}

TEST(DiffText, AnExtraIsOneLine) {
  Diff diff;
  diff.metadata.dependencies = {{"torch>=1; extra == 'gpu'", "torch>=2; extra == 'gpu'"}, {"", "cuda; extra == 'gpu'"}};
  EXPECT_THAT(as_text(diff_answer(diff, {})), HasSubstr("extra  gpu: new cuda; changed torch\n"));
}

}  // namespace
}  // namespace wheelcheck::test::diff_test
