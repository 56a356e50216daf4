// What `wheelcheck diff OLD NEW` says: sections of lines, most important first, each line with a mark.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "report/answers/answers.h"
#include "wheelcheck/diff.h"

namespace wheelcheck::report {

struct DiffLine {
  std::string mark;  // "RAISED": a short label; may be empty
  Style style = Style::Term;
  StyledText text;
  std::vector<StyledText> details = {};  // lines below it
};
struct DiffSection {
  std::string title;
  std::vector<DiffLine> lines;
};

// The sections; empty ones are left out.
std::vector<DiffSection> outline(const Diff& diff);
// "numpy 1.26.4 -> 2.4.6"
std::string diff_title(const Diff& diff);

// The sections, by topic.
std::vector<DiffLine> platform_lines(const Diff& diff);
std::vector<DiffLine> finding_lines(const Diff& diff);
std::vector<DiffLine> floor_lines(const Diff& diff);
std::vector<DiffLine> library_lines(const Diff& diff);
std::vector<DiffLine> file_lines(const Diff& diff);
std::vector<DiffLine> symbol_lines(const SymbolChange& change, std::string_view what);
std::vector<DiffLine> python_lines(const Diff& diff);
std::vector<DiffLine> dependency_lines(const MetadataChange& metadata);
std::vector<DiffLine> size_lines(const Diff& diff);

// --- words ---------------------------------------------------------------------------------------------------------
inline StyledText name_text(std::string_view name) { return {escape(name), Style::Name}; }
// The first few names.
StyledText few_names(const std::vector<std::string>& names, std::size_t shown);
// The same for symbols, demangled if the result is short.
StyledText few_symbols(const std::vector<std::string>& symbols, std::size_t shown);
// "in pkg/x.so", "in 3 files, such as pkg/x.so"
StyledText in_files(const std::vector<std::string>& files);
std::string from_to(std::string_view old, std::string_view now);  // escaped
std::string grouped(std::size_t number);                          // "16,870"

}  // namespace wheelcheck::report
