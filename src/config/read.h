// Parses a configuration file (wheelcheck.toml, or [tool.wheelcheck] in pyproject.toml). All problems are collected and
// reported together.
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
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::config {

inline constexpr int schema_version = 1;

struct Source {
  std::string path;  // as it can be opened; paths in the file are relative to its directory
  std::string_view text;
};
// Keys in `overruled` are checked, but their values are ignored, also in overrides. Error Usage, with one line for each
// problem.
Result<Config> read_config(const Source& source, const Known& known,
                           const std::set<std::string, std::less<>>& overruled);
// Whether a pyproject.toml has a table [tool.wheelcheck]. Also true if the file mentions one but is not valid TOML;
// reading it then reports the error.
bool has_section(std::string_view text);

// The keys of each table; a test compares them with docs/config.schema.json.
struct TableKeys {
  std::string_view table;  // "", "external", "ignore-rule", "overrides"
  std::vector<std::string_view> keys, required;
};
std::vector<TableKeys> keys_of_tables();

// Finds the configuration file of a run: the nearest one in the current directory or its parents, as other Python tools
// do.

struct ConfigText {
  std::string path;  // relative to the current directory
  std::string text;
};
Result<std::string> read_text(const std::string& path, std::uint64_t largest = 1 << 20);  // largest: bytes; error Usage
// wheelcheck.toml, or a pyproject.toml with a [tool.wheelcheck] table; if a directory has both, the first.
Result<std::optional<ConfigText>> find_config();

// --- Applies a configuration file to the settings of a run. An override in the file applies only to the wheels that
// its pattern matches.

// A single value replaces the previous one; list entries are added.
void apply(const ConfigKeys& keys, Settings& settings);
// The settings for one wheel; nullopt if no override matches it, so that those of the run apply.
std::optional<Settings> settings_for(const std::string& file, const Settings& run);

}  // namespace wheelcheck::config
