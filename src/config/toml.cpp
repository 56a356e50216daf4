// The only file that includes toml++, whose headers take long to compile.

#include "config/toml.h"

#include <algorithm>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <optional>
#include <utility>

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
  std::ranges::stable_sort(entries, {}, &Entry::at);
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

// toml++ limits the nesting of arrays and inline tables but not that of dotted keys, and it recurses over the result.
// Outside of quotes, so many dots in a line have no other use.
std::optional<SyntaxError> find_long_key(std::string_view text) {
  constexpr std::uint32_t most_dots = 200;
  Position at{1, 1};
  std::uint32_t dots = 0;
  char quote = '\0';
  for (const char c : text) {
    if (c == '\n') {
      at = {at.line + 1, 1};
      dots = 0;
      quote = '\0';
      continue;
    }
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && c == '.' && ++dots > most_dots) {
      return SyntaxError{at, "a key has more than 200 parts"};
    }
    ++at.column;
  }
  return std::nullopt;
}

}  // namespace

std::expected<Value, SyntaxError> parse_toml(std::string_view text) {
  if (auto error = find_long_key(text)) return std::unexpected(std::move(*error));
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

const Entry* find(const Table& table, std::string_view key) {
  const auto found = std::ranges::find(table, key, &Entry::key);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace wheelcheck::config
