// A TOML document as values that know where they stand, so that every mistake is reported with its line and column.
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
  std::uint32_t line = 1, column = 1;  // from 1; columns are code points
  auto operator<=>(const Position&) const = default;
};

struct Value;
struct Entry;
using Array = std::vector<Value>;
using Table = std::vector<Entry>;  // in the order of the file
struct Time {};                    // a time, or a date with one: no key takes any

struct Value {
  Position at;
  std::variant<std::string, std::int64_t, double, bool, Date, Time, Array, Table> what;
};
struct Entry {
  std::string key;
  Position at;
  Value value;
};

std::string_view kind_of(const Value& value);  // "a list"
const Entry* find(const Table& table, std::string_view key);

struct SyntaxError {
  Position at;
  std::string reason;
};
// TOML 1.0. The document's table.
std::expected<Value, SyntaxError> parse_toml(std::string_view text);

}  // namespace wheelcheck::config
