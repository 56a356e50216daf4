// Documents for a terminal: colours, columns, and lines that fit its width.
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "report/shared/document.h"

namespace wheelcheck::report {
namespace {

std::string painted(std::string_view text, Style style, const Paint& paint) {
  switch (style) {
    case Style::Strong:
      return paint.bold(text);
    case Style::Dim:
      return paint.dim(text);
    case Style::Good:
      return paint.green(text);
    case Style::Doubtful:
      return paint.yellow(text);
    case Style::Bad:
      return paint.red(text);
    case Style::Term:
      return paint.cyan(text);
    case Style::Plain:
    case Style::Name:
      break;
  }
  return std::string(text);
}

std::string painted(const StyledText& text, const Paint& paint) {
  std::string out;
  for (const Span& span : text.spans()) out += painted(span.text, span.style, paint);
  return out;
}

// The spans of a text on its lines. Breaking a text into lines changes its blanks only, so a span is found again by the
// number of its other characters. Blanks before a span are not painted.
std::string painted(std::string_view lines, const StyledText& text, const Paint& paint) {
  std::string out;
  const auto is_blank = [](char c) { return c == ' ' || c == '\n'; };
  for (const Span& span : text.spans()) {
    const std::size_t start = std::min(lines.find_first_not_of(" \n"), lines.size());
    out += lines.substr(0, start);
    lines.remove_prefix(start);
    std::size_t end = &span == &text.spans().back() ? lines.size() : 0;
    if (end == 0)
      for (auto left = std::ranges::count_if(span.text, [&](char c) { return !is_blank(c); }); left > 0;)
        left -= is_blank(lines[end++]) ? 0 : 1;
    out += painted(lines.substr(0, end), span.style, paint);
    lines.remove_prefix(end);
  }
  return out;
}

std::string broken(const StyledText& text, std::size_t used, std::size_t hang, const Paint& paint) {
  return painted(paint.wrapped(text.plain(), used, hang), text, paint);
}

std::string line_text(const TextLine& line, const Paint& paint) {
  return painted(line.lead, paint) + broken(line.body, line.lead.width(), line.hang, paint) + "\n";
}

constexpr std::size_t gap = 2;    // blanks between columns
constexpr std::size_t below = 6;  // LastCell::BelowNarrow

// Blanks behind a column.
std::size_t gap_after(const TextTable& table, std::size_t column) {
  return column + 2 == table.columns.size() ? table.last_gap : gap;
}

std::vector<std::size_t> widths_of(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i + 1 < table.columns.size(); ++i) {
    const TextTable::Column& column = table.columns[i];
    std::size_t width = column.min_width;
    for (const std::vector<StyledText>& row : table.rows) width = std::max(width, row[i].width());
    widths.push_back(std::max(std::min(width, column.max_width), columns(column.title)));
  }
  return widths;
}

// All cells but the last, each padded to its column.
StyledText start_of(const TextTable& table, std::span<const StyledText> row, std::span<const std::size_t> widths,
                    std::size_t indent) {
  StyledText out(std::string(indent, ' '));
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::size_t width = widths[i] + (i == 0 ? table.indent - indent : 0);
    const std::string padding(width - std::min(width, row[i].width()), ' ');
    out += table.columns[i].right ? padding + row[i] : row[i] + padding;
    out += std::string(gap_after(table, i), ' ');
  }
  return out;
}

StyledText without_last_blanks(const StyledText& text) {
  std::vector<Span> spans(text.spans().begin(), text.spans().end());
  StyledText out;
  while (!spans.empty() && spans.back().text.find_last_not_of(' ') == std::string::npos) spans.pop_back();
  if (!spans.empty()) spans.back().text.erase(spans.back().text.find_last_not_of(' ') + 1);
  for (Span& span : spans) out += StyledText(std::move(span.text), span.style);
  return out;
}

std::string row_text(const TextTable& table, std::span<const StyledText> row, std::span<const std::size_t> widths,
                     const Paint& paint) {
  const StyledText start = start_of(table, row, widths, table.indent);
  const StyledText& last = row.back();
  std::size_t hang = table.indent;
  for (std::size_t i = 0; i < widths.size(); ++i) hang += widths[i] + gap_after(table, i);
  const bool is_long = row.front().width() > (widths.empty() ? 0 : widths.front());
  if (table.last == TextTable::LastCell::BelowLong && (last.empty() || is_long)) {
    const std::string indent(table.indent, ' ');
    const std::string first = indent + broken(row.front(), table.indent, table.indent + 2, paint) + "\n";
    return last.empty() ? first : first + std::string(hang, ' ') + broken(last, hang, hang, paint) + "\n";
  }
  if (table.last == TextTable::LastCell::BelowNarrow && start.width() + last.width() > paint.width())
    return broken(without_last_blanks(start), 0, below, paint) + "\n" + std::string(below, ' ') +
           broken(last, below, below, paint) + "\n";
  if (last.empty()) return painted(without_last_blanks(start), paint) + "\n";
  return painted(start, paint) +
         (table.last == TextTable::LastCell::Wrapped || table.last == TextTable::LastCell::BelowLong
              ? broken(last, start.width(), hang, paint)
              : painted(last, paint)) +
         "\n";
}

std::string table_text(const TextTable& table, const Paint& paint) {
  const std::vector<std::size_t> widths = widths_of(table);
  std::string out;
  std::vector<StyledText> titles;
  for (const TextTable::Column& column : table.columns) titles.emplace_back(column.title);
  if (!titles.front().empty())
    out += painted(without_last_blanks(start_of(table, titles, widths, 0) + titles.back()), paint) + "\n";
  for (const std::vector<StyledText>& row : table.rows) out += row_text(table, row, widths, paint);
  return out;
}

// Each line of a node with the branch that leads to it.
std::string nodes_text(std::span<const TreeNode> nodes, std::size_t depth, const Paint& paint) {
  constexpr std::size_t branch_width = 4, min_width = 40;
  std::string out;
  for (const TreeNode& node : nodes) {
    const bool is_last = &node == &nodes.back();
    const std::size_t used = branch_width * (depth + 1);
    const std::size_t width = std::max(min_width, paint.width() - std::min(paint.width(), used));
    const std::string lines = painted(wrapped(node.label.plain(), 0, 2, width), node.label, paint) + "\n" +
                              nodes_text(node.children, depth + 1, paint);
    std::string_view branch = is_last ? "└── " : "├── ";
    for (const std::string_view line : split(std::string_view(lines).substr(0, lines.size() - 1), '\n')) {
      out += fmt::format("{}{}\n", branch, line);
      branch = is_last ? "    " : "│   ";
    }
  }
  return out;
}

std::string block_text(const Block& block, const Paint& paint) {
  if (const auto* const line = std::get_if<TextLine>(&block)) return line_text(*line, paint);
  if (const auto* const table = std::get_if<TextTable>(&block)) return table_text(*table, paint);
  if (const auto* const tree = std::get_if<TextTree>(&block)) return nodes_text(tree->roots, 0, paint);
  const auto& lines = std::get<TextLines>(block);
  std::string out;
  for (std::size_t i = 0; i < lines.count; ++i) out += line_text(lines.line(i), paint);
  return out;
}

std::string render_text_answer(const Answer& answer, const Paint& paint) {
  std::string out;
  const Document document = answer.document();
  for (const Block& block : document.blocks()) out += block_text(block, paint);
  return out;
}

}  // namespace

extern const AnswerFormat text_answer{"text", &render_text_answer};

}  // namespace wheelcheck::report
