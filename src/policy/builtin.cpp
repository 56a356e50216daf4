// The compiled tables as levels.
#include "policy/builtin.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "base/text.h"

namespace wheelcheck::policy {
namespace {

std::string_view of(Piece piece) { return piece.of(builtin_text); }

StringSet words_of(std::string_view list) {
  if (list.empty()) return {};
  const std::vector<std::string_view> words = split(list, ' ');
  return {words.begin(), words.end()};
}

std::map<std::string, StringSet, std::less<>> lists_of(std::string_view lines) {
  std::map<std::string, StringSet, std::less<>> result;
  if (lines.empty()) return result;
  for (const std::string_view line : split(lines, '\n')) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view rest = end == line.size() ? std::string_view() : line.substr(end + 1);
    result.emplace_hint(result.end(), line.substr(0, end), words_of(rest));
  }
  return result;
}

Level level_of(const BuiltinRow& row) {
  Level level;
  level.name = std::string(of(row.name));
  for (const std::string& alias : words_of(of(row.aliases))) level.aliases.push_back(alias);
  level.family = row.family;
  level.libc = row.libc;
  return level;
}

Policy policy_of(const BuiltinRow& row, const Level& level) {
  return {.name = level.name,
          .aliases = level.aliases,
          .family = level.family,
          .libc = level.libc,
          .versions = lists_of(of(row.versions)),
          .libraries = words_of(of(row.libraries)),
          .denied_symbols = lists_of(of(row.denied_symbols)),
          .allows_libpython = row.allows_libpython};
}

std::vector<Level> levels_of(auto is_wanted) {
  std::vector<Level> levels;
  for (const BuiltinRow& row : std::span(builtin_rows, builtin_row_count)) {
    if (!is_wanted(row)) continue;
    if (levels.empty() || levels.back().name != of(row.name)) levels.push_back(level_of(row));
    levels.back().policies.emplace(row.arch, policy_of(row, levels.back()));
  }
  return levels;
}

}  // namespace

std::vector<Level> builtin_levels() {
  return levels_of([](const BuiltinRow&) { return true; });
}

std::vector<Level> builtin_levels(PlatformTag::Family family, Arch arch) {
  return levels_of([&](const BuiltinRow& row) { return row.family == family && row.arch == arch; });
}

}  // namespace wheelcheck::policy
