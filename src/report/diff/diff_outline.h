// The content of a comparison of two releases as sections and lines, most important first. The text and Markdown
// formats are made from it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/shared/text.h"
#include "wheelcheck/diff.h"

namespace wheelcheck::report {

// How a format writes text that comes from a wheel. The functions return text that is safe in that format.
struct DiffStyle {
  std::function<std::string(std::string_view)> name;   // of a file, a symbol, a library
  std::function<std::string(std::string_view)> prose;  // a message, a version
  std::string arrow;
  std::function<std::string(std::string_view)> demangle;  // empty: symbols are shown as they are
};
struct DiffLine {
  enum class Tone { Plain, Bad, Doubtful, Good };
  std::string mark;  // "RAISED": a short label; may be empty
  Tone tone = Tone::Plain;
  std::string text;
  std::vector<std::string> details = {};  // lines below it
};
struct DiffSection {
  std::string title;
  std::vector<DiffLine> lines;
};

// The sections; empty ones are left out.
std::vector<DiffSection> outline(const Diff& diff, const DiffStyle& style);
// "numpy 1.26.4 -> 2.4.6"
std::string diff_title(const Diff& diff, const DiffStyle& style);

// The sections, by topic.
std::vector<DiffLine> platform_lines(const Diff& diff, const DiffStyle& style);
std::vector<DiffLine> finding_lines(const Diff& diff, const DiffStyle& style);
std::vector<DiffLine> floor_lines(const Diff& diff, const DiffStyle& style);
std::vector<DiffLine> library_lines(const Diff& diff, const DiffStyle& style);
std::vector<DiffLine> file_lines(const Diff& diff, const DiffStyle& style);
std::vector<DiffLine> symbol_lines(const SymbolChange& change, std::string_view what, const DiffStyle& style);
std::vector<DiffLine> python_lines(const Diff& diff, const DiffStyle& style);
std::vector<DiffLine> dependency_lines(const MetadataChange& metadata, const DiffStyle& style);
std::vector<DiffLine> size_lines(const Diff& diff, const DiffStyle& style);

// --- words ---------------------------------------------------------------------------------------------------------
// The first few names, in the format's style.
std::string few_names(const std::vector<std::string>& names, std::size_t shown, const DiffStyle& style);
// The same for symbols, demangled if the result is short.
std::string few_symbols(const std::vector<std::string>& symbols, std::size_t shown, const DiffStyle& style);
// "in pkg/x.so", "in 3 files: pkg/x.so, pkg/y.so and 1 more"
std::string in_files(const std::vector<std::string>& files, const DiffStyle& style);
std::string from_to(std::string_view old, std::string_view now, const DiffStyle& style);
std::string grouped(std::size_t number);  // "16,870"

// The output of `wheelcheck diff OLD NEW`: the changes between two releases, as text, Markdown or JSON.

struct DiffOptions {
  Paint paint = {};
  std::function<std::string(std::string_view)> demangle;  // empty: names are shown as they are
  bool fail_on_new = false, fail_on_raised = false;       // what fails the run
};
bool diff_fails(const Diff& diff, const DiffOptions& options);
// The last line of the text: PASSED or FAILED, and why. It agrees with the exit code.
std::string diff_conclusion(const Diff& diff, const DiffOptions& options);
std::string render_diff_text(const Diff& diff, const DiffOptions& options);
std::string render_diff_markdown(const Diff& diff, const DiffOptions& options);
std::string render_diff_html(const Diff& diff, const DiffOptions& options);
std::string render_diff_json(const Diff& diff);  // docs/diff.schema.json

}  // namespace wheelcheck::report
