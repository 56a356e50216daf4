// Documents in GitHub Flavored Markdown, for release notes: titles, lists and tables; the styles of a terminal are bold
// and names are code.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/shared/document.h"

namespace wheelcheck::report {
namespace {

// A code span whose fence is longer than any run of backticks inside (CommonMark 0.31, section 6.1).
std::string code_span(std::string_view text) {
  std::size_t run = 0, longest = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const char* const pad = longest > 0 ? " " : "";
  return fmt::format("{0}{1}{2}{1}{0}", fence, pad, text);
}

// Escapes text so that it is shown literally: no emphasis, link, HTML or mention. An underscore inside a word has no
// meaning. Blanks that align columns are one blank.
std::string prose(std::string_view text) {
  constexpr std::string_view special = "\\`*[]<>&~|#!";
  const std::string shown = replaced(text, " -> ", " → ");
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool inside = i > 0 && i + 1 < shown.size() && is_alnum(shown[i - 1]) && is_alnum(shown[i + 1]);
    const std::string_view rest = std::string_view(shown).substr(i);
    if (c == '@') {
      out += "`@`";
      continue;
    }
    if (c == ' ' && out.ends_with(' ')) continue;
    const bool link = rest.starts_with("://") || (c == '.' && out.ends_with("www"));
    if (special.find(c) != special.npos || (c == '_' && !inside) || link) out += '\\';
    out += c;
  }
  return out;
}

std::string inline_text(const StyledText& text, bool with_bold = true) {
  std::string out;
  for (const Span& span : text.spans()) {
    const bool is_plain = !with_bold || span.style == Style::Plain || span.style == Style::Dim;
    out += span.style == Style::Name ? code_span(span.text)
           : is_plain                ? prose(span.text)
                                     : fmt::format("**{}**", prose(trim(span.text)));
  }
  return std::string(trim(out));
}

class MarkdownWriter {
 public:
  std::string run(const Document& document) {
    for (const Block& block : document.blocks()) std::visit([this](const auto& one) { add(one); }, block);
    // The last line speaks of options and of the exit code. It is of use here only if there is nothing else.
    if (blocks_ < 2 && outcome_ != nullptr) paragraph(inline_text(outcome_->lead));
    return std::move(out_);
  }

 private:
  void add(const TextLine& line) {
    const StyledText text = line.lead + line.body;
    switch (line.level) {
      case TextLine::Level::Title:
        return paragraph("## " + inline_text(text, false));
      case TextLine::Level::Section:
        return paragraph("### " + inline_text(text, false));
      case TextLine::Level::Outcome:
        outcome_ = &line;
        return;
      case TextLine::Level::Text:
        break;
    }
    const std::size_t blanks = text.plain().find_first_not_of(' ');
    if (blanks == std::string::npos) return;
    if (blanks == 0) return paragraph(inline_text(text));
    item(blanks > 2 ? 1 : 0, inline_text(text));
  }

  void add(const TextLines& lines) {
    for (std::size_t i = 0; i < lines.count; ++i) add(lines.line(i));
  }

  void add(const TextTable& table) {
    std::string titles = "|", rule = "|", rows;
    for (const TextTable::Column& column : table.columns) {
      titles += fmt::format(" {} |", prose(column.title));
      rule += column.right ? "---:|" : "---|";
    }
    for (const std::vector<StyledText>& row : table.rows) {
      rows += "\n|";
      for (const StyledText& cell : row) rows += fmt::format(" {} |", inline_text(cell));
    }
    paragraph(titles + "\n" + rule + rows);
  }

  void add(const TextTree& tree) {
    for (const TreeNode& node : tree.roots) add(node, 0);
  }
  void add(const TreeNode& node, std::size_t depth) {
    item(depth, inline_text(node.label));
    for (const TreeNode& child : node.children) add(child, depth + 1);
  }

  void paragraph(const std::string& text) {
    out_ += (out_.empty() ? "" : "\n") + text + "\n";
    in_list_ = false;
    ++blocks_;
  }
  void item(std::size_t depth, const std::string& text) {
    if (!in_list_ && !out_.empty()) out_ += "\n";
    out_ += std::string(2 * depth, ' ') + "- " + text + "\n";
    in_list_ = true;
    ++blocks_;
  }

  std::string out_;
  std::size_t blocks_ = 0;
  bool in_list_ = false;
  const TextLine* outcome_ = nullptr;
};

std::string render_markdown_answer(const Answer& answer, const Paint& /*paint*/) {
  return MarkdownWriter().run(answer.document());
}

}  // namespace

extern const AnswerFormat markdown_answer{"markdown", &render_markdown_answer, false};

}  // namespace wheelcheck::report
