// Readers for single values of a configuration file. If a value is invalid, a reader adds a problem with the allowed
// values, and returns nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/problems.h"
#include "config/toml.h"

namespace wheelcheck::config {

// Names from other parts of the program that the file may use.
struct Known {
  bool (*is_rule)(std::string_view word) = nullptr;  // code, prefix of a code, or name
  std::vector<std::string_view> rules;               // codes and names, for suggestions
};

struct Reader {
  const Known& known;
  Problems& problems;
  std::string_view file;       // base name, for IgnoreRule::where
  std::string_view directory;  // "" or with a trailing '/': paths in the file are relative to it

  void wrong(const Value& value, std::string_view allowed) const;  // "must be ..., not a list"
  const Table* table(const Value& value) const;
  std::optional<std::string> text(const Value& value, std::string_view allowed) const;
  std::optional<std::string> word(const Value& value, std::span<const std::string_view> allowed) const;
  std::optional<bool> truth(const Value& value) const;
  std::optional<std::uint64_t> number(const Value& value, std::uint64_t least, std::uint64_t max) const;
  std::optional<std::uint64_t> size(const Value& value) const;  // 600000000, "600MB", "1.5 GiB"
  std::optional<Date> date(const Value& value) const;
  std::optional<std::string> rule(const Value& value) const;
  bool is_rule(std::string_view word, Position at) const;
  std::optional<std::string> glob(const Value& value) const;
  bool is_glob(std::string_view pattern, Position at) const;
  std::optional<std::string> path(const Value& value) const;  // of a file, as it can be opened
  std::optional<std::string> tag(const Value& value) const;   // for --require-tag
  std::optional<unsigned> sm(const Value& value) const;       // 90 or "90"

  // Reads each element with `read`. A single value is accepted if `one` is set. Invalid elements are left out.
  template <class T>
  std::vector<T> list(const Value& value, std::optional<T> (Reader::*read)(const Value&) const,
                      bool one = false) const {
    std::vector<T> out;
    const auto take = [&](const Value& element) {
      if (auto read_value = (this->*read)(element)) out.push_back(std::move(*read_value));
    };
    if (const auto* const array = std::get_if<Array>(&value.what)) {
      for (const Value& element : *array) take(element);
    } else if (one && !std::holds_alternative<Table>(value.what)) {
      take(value);
    } else {
      wrong(value, "a list");
    }
    return out;
  }
  std::optional<std::string> plain(const Value& value) const;  // a text that is not empty
};

}  // namespace wheelcheck::config
