#include "json/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace wheelcheck::json {
namespace {

// "3:14" for a byte offset; lines and columns count from 1.
std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  return fmt::format("{}:{}", line, newline == before.npos ? before.size() + 1 : before.size() - newline);
}

// nlohmann writes "[json.exception...] parse error at line 1, column 5: syntax error while ...". It counts columns in
// its own way, so the position is computed here.
std::string syntax_error(std::string_view text, const nlohmann::json::exception& error) {
  std::string_view what = error.what();
  if (const std::size_t at = what.find(": "); at != what.npos) what.remove_prefix(at + 2);
  const auto* syntax = dynamic_cast<const nlohmann::json::parse_error*>(&error);
  const std::size_t offset = syntax == nullptr || syntax->byte == 0 ? 0 : syntax->byte - 1;
  return fmt::format("is not valid JSON at {}: {}", line_and_column(text, offset), escape(what, 300));
}

// What nlohmann's parser does not check: it keeps the last value of a repeated key, and its own stack is on the heap,
// so that deep nesting harms only the code that recurses over the document. The checks are a run of their own, because
// the parser searches the whole array again at the end of each object if it is called with a callback.
class Checks final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Checks(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(string_t& key) override {
    constexpr std::size_t max_problems = 100;
    if (!keys_.back().insert(key).second)
      problems_.push_back(fmt::format("has the key \"{}\" twice in one object; keep one of them", escape(key, 100)));
    return problems_.size() < max_problems;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    if (problems_.empty()) problems_.push_back(syntax_error(text_, error));
    return false;
  }

  std::vector<std::string> problems() && { return std::move(problems_); }

 private:
  bool open() {
    keys_.emplace_back();
    if (keys_.size() <= max_depth_) return true;
    problems_.assign(1, fmt::format("is nested deeper than {} levels", max_depth_));
    return false;
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::vector<std::set<std::string>> keys_;  // of the open objects and arrays, outermost first
  std::vector<std::string> problems_;
};

}  // namespace

std::expected<nlohmann::json, std::vector<std::string>> parse(std::string_view text, std::size_t max_depth) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  Checks checks(text, max_depth);
  nlohmann::json::sax_parse(text, &checks);
  std::vector<std::string> problems = std::move(checks).problems();
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return nlohmann::json::parse(text);
}

std::string_view type_name(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "true or false";
  return value.is_null() ? "null" : "a number";
}

std::string pointer_step(std::string_view pointer, std::string_view key) {
  std::string result(pointer);
  result += '/';
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace wheelcheck::json
