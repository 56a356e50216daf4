// Tests the formats of answers on a document with every kind of block.
#include "report/shared/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/answers.h"

namespace wheelcheck::test::document_test {
namespace {

using report::Answer;
using report::Document;
using report::Paint;
using report::Style;
using report::styled;
using report::StyledText;
using report::TextTable;

Answer of(Document document) {
  return {.document = [document = std::move(document)] { return document; }, .json = [] { return "{}\n"; }};
}

Document every_block() {
  Document out;
  out.title({"foo 1.0 -> 1.1", Style::Strong});
  out.section("Files");
  out.line(
      styled("  {}  ", StyledText("NEW  ", Style::Bad)),
      styled("{} and {}, which nothing else needs", StyledText("a`b.so", Style::Name), StyledText("x", Style::Name)),
      9);
  out.line("         ", "it_is <here>");
  out.and_more("  ", 3, "file");
  TextTable table{.columns = {{.title = "what"}, {.title = "count", .right = true}, {}}};
  table.rows = {{"a|b", "1", "one"}, {{"longer", Style::Term}, "23456", "*"}};
  out.blank();
  out.add(table);
  out.add(report::TextTree{
      {{.label = "a.so", .children = {{.label = {"b.so => here", Style::Dim}}, {.label = "c"}}}, {.label = "d.so"}}});
  out.add(report::TextLines{2, [](std::size_t i) { return report::TextLine{.lead = "row " + std::to_string(i)}; }});
  out.outcome(styled("{}: 1 problem", StyledText("FAILED", Style::Bad)));
  return out;
}

TEST(Answers, AreAlignedAndBrokenInText) {
  EXPECT_EQ(as_text(of(every_block()), Paint(false, 40)),
            "foo 1.0 -> 1.1\n"
            "\n"
            "Files\n"
            "  NEW    a`b.so and x, which nothing\n"
            "         else needs\n"
            "         it_is <here>\n"
            "  and 3 more files\n"
            "\n"
            "what      count\n"
            "  a|b         1  one\n"
            "  longer  23456  *\n"
            "├── a.so\n"
            "│   ├── b.so => here\n"
            "│   └── c\n"
            "└── d.so\n"
            "row 0\n"
            "row 1\n"
            "\n"
            "FAILED: 1 problem\n");
}

TEST(Answers, KeepEachStyleOnItsLines) {
  Document document;
  document.line("", styled("one {} four", StyledText("two three", Style::Bad)), 2);
  EXPECT_EQ(as_text(of(document), Paint(true, 40)), "one \x1b[1;31mtwo three\x1b[0m four\n");
  EXPECT_EQ(as_text(of(document), Paint(true, 9)), "one \x1b[1;31mtwo\n        three\x1b[0m\n        four\n");
}

TEST(Answers, PutALastCellBelowWhereThereIsNoRoom) {
  TextTable table{.columns = {{.max_width = 5}, {}}, .last = TextTable::LastCell::BelowLong};
  table.rows = {{"a", "first"}, {"longer than five", "second"}, {"alone", ""}};
  Document document;
  document.add(table);
  EXPECT_EQ(as_text(of(document)), "  a      first\n  longer than five\n         second\n  alone\n");
  table.last = TextTable::LastCell::BelowNarrow;
  table.rows = {{"a", "first"}, {"bb", "second third"}};
  document = Document();
  document.add(table);
  EXPECT_EQ(as_text(of(document), Paint(false, 16)), "  a   first\n  bb\n      second\n        third\n");
}

TEST(Answers, AreListsAndTablesInMarkdown) {
  EXPECT_EQ(as_markdown(of(every_block())),
            "## foo 1.0 → 1.1\n"
            "\n"
            "### Files\n"
            "\n"
            "- **NEW** `` a`b.so `` and `x`, which nothing else needs\n"
            "  - it_is \\<here\\>\n"
            "- and 3 more files\n"
            "\n"
            "| what | count |  |\n"
            "|---|---:|---|\n"
            "| a\\|b | 1 | one |\n"
            "| **longer** | 23456 | \\* |\n"
            "\n"
            "- a.so\n"
            "  - b.so =\\> here\n"
            "  - c\n"
            "- d.so\n"
            "\n"
            "row 0\n"
            "\n"
            "row 1\n");
}

TEST(Answers, AreListedByFormat) {
  EXPECT_EQ(answer_formats().front(), "text");
  EXPECT_THAT(answer_formats(), testing::Not(testing::Contains("markdown")));
  const std::string_view more[] = {"markdown"};
  EXPECT_THAT(answer_formats(more), testing::IsSupersetOf({"text", "json", "markdown"}));
  EXPECT_EQ(as_json(of({})), "{}\n");
}

}  // namespace
}  // namespace wheelcheck::test::document_test
