// From the text of a configuration file to what it says. Every mistake is found in one go.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/scalars.h"
#include "wheelcheck/config.h"
#include "wheelcheck/result.h"

namespace wheelcheck::config {

inline constexpr int schema_version = 1;

struct Source {
  std::string path;  // as it can be opened; paths in the file are relative to where it is
  std::string_view text;
};
// The keys in `overruled` are read for their mistakes, and what they say is forgotten, also in overrides. Error: Usage,
// with a line for each mistake.
Result<Config> read_config(const Source& source, const Known& known,
                           const std::set<std::string, std::less<>>& overruled);
// Whether a pyproject.toml has a [tool.wheelcheck]; true where it names one and is no TOML, which reading will tell.
bool has_section(std::string_view text);

// The keys of each table, for docs/config.schema.json to be held against.
struct TableKeys {
  std::string_view table;  // "", "external", "ignore-rule", "overrides"
  std::vector<std::string_view> keys, required;
};
std::vector<TableKeys> keys_of_tables();

// Which file configures a run: the nearest upward from the current directory, as other tools of Python look for theirs.

struct Found {
  std::string path;  // relative to the current directory
  std::string text;
};
Result<std::string> read_text(const std::string& path, std::uint64_t largest = 1 << 20);  // bytes. Usage
// wheelcheck.toml, or a pyproject.toml with a [tool.wheelcheck]; of two in one directory the first.
Result<std::optional<Found>> find_config();

}  // namespace wheelcheck::config
