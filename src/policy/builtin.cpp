// The compiled tables as levels.
#include "policy/builtin.h"

#include <map>
#include <span>
#include <string>
#include <utility>

#include "base/text.h"

namespace wheelcheck::policy {
namespace {

StringSet words_of(std::string_view list) {
  StringSet result;
  if (list.empty()) return result;
  for (const std::string_view word : split(list, ' ')) result.emplace_hint(result.end(), word);  // they are sorted
  return result;
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

}  // namespace

std::vector<Level> builtin_levels() {
  std::vector<Level> levels;
  for (const BuiltinRow& row : std::span(builtin_rows, builtin_row_count)) {
    if (levels.empty() || levels.back().name != row.name) {
      Level level;
      level.name = std::string(row.name);
      for (const std::string& alias : words_of(row.aliases)) level.aliases.push_back(alias);
      level.family = row.family;
      level.libc = row.libc;
      levels.push_back(std::move(level));
    }
    Level& level = levels.back();
    Policy policy;
    policy.name = level.name;
    policy.aliases = level.aliases;
    policy.family = level.family;
    policy.libc = level.libc;
    policy.versions = lists_of(row.versions);
    policy.libraries = words_of(row.libraries);
    policy.denied_symbols = lists_of(row.denied_symbols);
    policy.allows_libpython = row.allows_libpython;
    level.policies.emplace(row.arch, std::move(policy));
  }
  return levels;
}

}  // namespace wheelcheck::policy
