// The only file that includes toml++, whose headers take long to compile.

#include "config/toml.h"

#include <fmt/format.h>

#include <algorithm>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <optional>
#include <utility>
#include <vector>

namespace wheelcheck::config {
namespace {

Position position_of(const toml::source_region& region) {
  return {static_cast<std::uint32_t>(region.begin.line), static_cast<std::uint32_t>(region.begin.column)};
}

Value value_of(const toml::node& node);

Table table_of(const toml::table& table) {
  Table entries;
  for (auto&& [key, node] : table)
    entries.push_back({std::string(key.str()), position_of(key.source()), value_of(node)});
  // toml++ sorts by key; this restores the order of the file.
  std::ranges::stable_sort(entries, {}, &KeyValue::at);
  return entries;
}

Array array_of(const toml::array& array) {
  Array values;
  for (const toml::node& node : array) values.push_back(value_of(node));
  return values;
}

Value value_of(const toml::node& node) {
  Value value{.at = position_of(node.source()), .what = Time{}};
  if (const auto* const text = node.as_string()) value.what = text->get();
  if (const auto* const number = node.as_integer()) value.what = number->get();
  if (const auto* const number = node.as_floating_point()) value.what = number->get();
  if (const auto* const truth = node.as_boolean()) value.what = truth->get();
  if (const auto* const date = node.as_date()) value.what = Date{date->get().year, date->get().month, date->get().day};
  if (const auto* const array = node.as_array()) value.what = array_of(*array);
  if (const auto* const table = node.as_table()) value.what = table_of(*table);
  return value;
}

// The end of the string that begins at `i`: the offset after its last quote, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t i) {
  const char quote = text[i];
  const std::string_view three = text.substr(i, 3);
  const bool long_string = three.size() == 3 && three[1] == quote && three[2] == quote;
  for (i += long_string ? 3 : 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (long_string ? text.substr(i, 3) == three : text[i] == quote) {
      return i + three.substr(0, long_string ? 3 : 1).size();
    } else if (text[i] == '\n' && !long_string) {
      return i;
    }
  }
  return text.size();
}

// toml++ limits the nesting of arrays and inline tables but not that of dotted keys, and it recurses over the result.
// A key with n dots has n tables around its value.
std::optional<SyntaxError> find_deep_nesting(std::string_view text) {
  constexpr std::size_t max = 200;
  std::vector<std::size_t> dots_before;  // of each open bracket
  std::size_t dots = 0, depth = 0, line = 1, line_begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      for (; i + 1 < end; ++i)
        if (text[i] == '\n') ++line, line_begin = i + 1;
    } else if (c == '\n') {
      ++line, line_begin = i + 1;
      dots = 0;
    } else if (c == ',') {
      dots = 0;
    } else if (c == '[' || c == '{') {
      dots_before.push_back(dots);
      depth += dots + 1;
      dots = 0;
    } else if ((c == ']' || c == '}') && !dots_before.empty()) {
      depth -= dots_before.back() + 1;
      dots_before.pop_back();
    } else if (c == '.') {
      ++dots;
    }
    if (depth + dots > max)
      return SyntaxError{{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(i - line_begin + 1)},
                         fmt::format("keys, lists and tables are nested more than {} levels deep", max)};
  }
  return std::nullopt;
}

}  // namespace

std::expected<Value, SyntaxError> parse_toml(std::string_view text) {
  if (auto error = find_deep_nesting(text)) return std::unexpected(std::move(*error));
  const toml::parse_result result = toml::parse(text);
  if (!result)
    return std::unexpected(
        SyntaxError{position_of(result.error().source()), std::string(result.error().description())});
  return Value{.at = {}, .what = table_of(result.table())};
}

}  // namespace wheelcheck::config

namespace wheelcheck::config {

std::string_view kind_of(const Value& value) {
  struct Kind {
    std::string_view operator()(const std::string&) const { return "a text"; }
    std::string_view operator()(std::int64_t) const { return "a whole number"; }
    std::string_view operator()(double) const { return "a fraction"; }
    std::string_view operator()(bool) const { return "true or false"; }
    std::string_view operator()(const Date&) const { return "a date"; }
    std::string_view operator()(const Time&) const { return "a time"; }
    std::string_view operator()(const Array&) const { return "a list"; }
    std::string_view operator()(const Table&) const { return "a table"; }
  };
  return std::visit(Kind{}, value.what);
}

const KeyValue* find(const Table& table, std::string_view key) {
  const auto found = std::ranges::find(table, key, &KeyValue::key);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace wheelcheck::config
