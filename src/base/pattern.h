// Shell patterns that find a version: "libssl.so.{version}". The tables of data/ are written in them, for names,
// symbols and strings alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelcheck {

// What a pattern found. version: digits, letters, dots and '_', a digit first and a digit or letter last; where it
// holds no dot, '_' is read as one ("1_1_0" is 1.1.0). "" where the pattern holds no `{version}`.
struct PatternMatch {
  std::string version;
};
// glob_match with one `{version}`, which may stand anywhere outside brackets; a second one stands for itself. Of
// several readings the version that starts first is taken, and of those the longest. Time is linear in pattern times
// text.
std::optional<PatternMatch> match_pattern(std::string_view pattern, std::string_view text);

// What every text that matches starts with: "libssl.so." of "libssl.so.{version}", "" of "*.so".
std::string_view literal_prefix(std::string_view pattern);
// True where the pattern holds a `{version}`.
bool finds_version(std::string_view pattern);

}  // namespace wheelcheck
