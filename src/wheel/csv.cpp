// Reads the CSV of Python's csv module, one row at a time and in bounded memory.
#include "wheel/csv.h"

#include <algorithm>

namespace wheelcheck::wheel {

bool CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  problem_ = {};
  if (at_ == text_.size()) return false;
  ++row_;
  if (!at_line_end()) {
    read_field(fields);
    while (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      read_field(fields);
    }
  }
  if (at_ < text_.size() && text_[at_] == '\r') {
    ++at_;
    if (at_ == text_.size() || text_[at_] != '\n') problem_ = "contains a carriage return that does not end a line";
  }
  if (at_ < text_.size() && text_[at_] == '\n') ++at_;
  return true;
}

void CsvReader::read_field(std::vector<std::string>& fields) {
  if (fields.size() == most_fields) {
    problem_ = "has more fields than any RECORD";
    fields.pop_back();  // read on, but hold no more: a row of a million commas is still one row
  }
  std::string& field = fields.emplace_back();
  if (at_ < text_.size() && text_[at_] == '"') read_quoted(field);
  const std::string_view rest = text_.substr(at_);
  const auto* const end = std::ranges::find_if(rest, [](char c) { return c == ',' || ends_line(c); });
  field.append(rest.begin(), end);
  at_ += static_cast<std::size_t>(end - rest.begin());
}

void CsvReader::read_quoted(std::string& field) {
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] != '"') {
      field += text_[at_];
    } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
      field += text_[++at_];
    } else {
      ++at_;
      if (!at_line_end() && text_[at_] != ',') problem_ = "has text after a closing quote";
      return;
    }
  }
  problem_ = "has a quote that is never closed";
}

}  // namespace wheelcheck::wheel
