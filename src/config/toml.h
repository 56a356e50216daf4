// A TOML document as values with positions, so that every problem is reported with its line and column.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "wheelcheck/config.h"

namespace wheelcheck::config {

struct Position {
  std::uint32_t line = 1, column = 1;  // both from 1; columns count code points
  auto operator<=>(const Position&) const = default;
};

struct Value;
struct KeyValue;
using Array = std::vector<Value>;
using Table = std::vector<KeyValue>;  // in the order of the file
struct Time {};                       // a time, or a date with a time; no key accepts it

struct Value {
  Position at;
  std::variant<std::string, std::int64_t, double, bool, Date, Time, Array, Table> what;
};
struct KeyValue {
  std::string key;
  Position at;
  Value value;
};

std::string_view kind_of(const Value& value);  // "a list"
const KeyValue* find(const Table& table, std::string_view key);

struct SyntaxError {
  Position at;
  std::string reason;
};
// Parses TOML 1.0. Returns the top-level table.
std::expected<Value, SyntaxError> parse_toml(std::string_view text);

}  // namespace wheelcheck::config
