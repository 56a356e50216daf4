// Comma-separated values in the dialect that Python's csv module reads by default, which is how RECORD is defined.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::wheel {

// Hands out one row after the other. A quoted field may hold commas, line ends and doubled quotes.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  static constexpr std::size_t most_fields = 16;  // what a row has beyond this is read and dropped

  // False at the end. An empty line is a row without fields.
  bool next(std::vector<std::string>& fields);
  std::size_t row() const { return row_; }               // of the row last handed out, from 1
  std::string_view problem() const { return problem_; }  // with that row; empty if it is well formed

 private:
  void read_field(std::vector<std::string>& fields);
  void read_quoted(std::string& field);
  static bool ends_line(char c) { return c == '\n' || c == '\r'; }
  bool at_line_end() const { return at_ == text_.size() || ends_line(text_[at_]); }

  std::string_view text_;
  std::string_view problem_;
  std::size_t at_ = 0;
  std::size_t row_ = 0;
};

}  // namespace wheelcheck::wheel
