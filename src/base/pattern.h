// Shell patterns with a placeholder for a version, such as "libssl.so.{version}". The tables in data/ use them for
// sonames, symbol names and strings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelcheck {

// The result of a match. version consists of digits, letters, dots and '_'; it starts with a digit and ends with a
// digit or letter. If it contains no dot, '_' is replaced by a dot ("1_1_0" becomes 1.1.0). It is "" if the pattern
// contains no `{version}`.
struct PatternMatch {
  std::string version;
};
// Like glob_match, with at most one `{version}`, which may be anywhere outside brackets; a second one matches
// literally. If several matches are possible, the version that starts first is taken, and of those the longest. The
// time is proportional to the pattern's length times the text's length.
std::optional<PatternMatch> match_pattern(std::string_view pattern, std::string_view text);

// The literal text that every match starts with: "libssl.so." for "libssl.so.{version}", "" for "*.so".
std::string_view literal_prefix(std::string_view pattern);
// True if the pattern contains `{version}`.
bool finds_version(std::string_view pattern);

}  // namespace wheelcheck
