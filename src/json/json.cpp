#include "json/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace wheelcheck::json {
namespace {

using Event = nlohmann::json::parse_event_t;

// "3:14" for a byte offset; lines and columns count from 1.
std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  return fmt::format("{}:{}", line, newline == before.npos ? before.size() + 1 : before.size() - newline);
}

// Checks that nlohmann's parser does not make. It keeps the last value of a repeated key. It keeps its own stack on the
// heap, so deep nesting does not harm the parser, but it harms code that recurses over the document.
class Checks {
 public:
  explicit Checks(std::size_t max_depth) : max_depth_(max_depth) {}

  // False drops the value, and with it everything inside it.
  bool operator()(int depth, Event event, const nlohmann::json& parsed) {
    const auto level = static_cast<std::size_t>(depth);
    if (event == Event::object_start || event == Event::array_start) {
      if (level >= max_depth_) too_deep_ = true;
      if (too_deep_) return false;
      keys_.resize(level + 1);
      keys_[level].clear();
    } else if (event == Event::key && level >= 1 && level <= keys_.size()) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_[level - 1].insert(key).second)
        problems_.push_back(fmt::format("has the key \"{}\" twice in one object; keep one of them", escape(key, 100)));
    }
    return true;
  }

  std::vector<std::string> problems() && {
    if (too_deep_) return {fmt::format("is nested deeper than {} levels", max_depth_)};
    return std::move(problems_);
  }

 private:
  std::size_t max_depth_;
  bool too_deep_ = false;
  std::vector<std::set<std::string>> keys_;  // of the open objects, outermost first
  std::vector<std::string> problems_;
};

// nlohmann writes "[json.exception...] parse error at line 1, column 5: syntax error while ...". It counts columns in
// its own way, so the position is computed here.
std::string syntax_error(std::string_view text, const nlohmann::json::exception& error) {
  std::string_view what = error.what();
  if (const std::size_t at = what.find(": "); at != what.npos) what.remove_prefix(at + 2);
  const auto* syntax = dynamic_cast<const nlohmann::json::parse_error*>(&error);
  const std::size_t offset = syntax == nullptr || syntax->byte == 0 ? 0 : syntax->byte - 1;
  return fmt::format("is not valid JSON at {}: {}", line_and_column(text, offset), escape(what, 300));
}

}  // namespace

std::expected<nlohmann::json, std::vector<std::string>> parse(std::string_view text, std::size_t max_depth) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  Checks checks(max_depth);
  nlohmann::json document;
  std::string syntax;
  try {
    document = nlohmann::json::parse(
        text, [&](int depth, Event event, const nlohmann::json& parsed) { return checks(depth, event, parsed); });
  } catch (const nlohmann::json::exception& error) {
    syntax = syntax_error(text, error);
  }
  std::vector<std::string> problems = std::move(checks).problems();
  if (problems.empty() && !syntax.empty()) problems.push_back(std::move(syntax));
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return document;
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
