// Converts the built-in tables to levels, and implements PolicySet.
#include "policy/builtin.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "policy/level.h"
#include "wheelcheck/text_list.h"

namespace wheelcheck::policy {
namespace {

std::string_view of(Piece piece) { return piece.of(builtin_text); }

std::vector<std::string> words_of(std::string_view list) { return parts_of(list, ' '); }

// Creates levels. Most lists of a level are equal to those of the previous level, and then they share memory.
class Maker {
 public:
  Policy policy_of(const BuiltinRow& row, const Level& level) {
    return {.name = level.name,
            .aliases = level.aliases,
            .family = level.family,
            .libc = level.libc,
            .versions = lists_of(of(row.versions)),
            .libraries = set_of("", of(row.libraries)),
            .denied_symbols = lists_of(of(row.denied_symbols)),
            .allows_libpython = row.allows_libpython};
  }

 private:
  struct Made {
    std::string_view list;
    StringSet set;
  };

  StringSet set_of(std::string_view key, std::string_view list) {
    Made& last = last_[key];
    if (last.list != list) last = {list, StringSet::of_constants(parts_of<std::string_view>(list, ' '))};
    return last.set;
  }

  std::map<std::string, StringSet, std::less<>> lists_of(std::string_view lines) {
    std::map<std::string, StringSet, std::less<>> result;
    for (const std::string_view line : TextList(lines)) {
      const std::string_view key = line.substr(0, line.find(' '));
      result.emplace_hint(result.end(), key, set_of(key, line.substr(std::min(key.size() + 1, line.size()))));
    }
    return result;
  }

  std::map<std::string_view, Made> last_;  // by key; "": libraries
};

Level level_of(const BuiltinRow& row) {
  Level level;
  level.name = std::string(of(row.name));
  level.aliases = words_of(of(row.aliases));
  level.family = row.family;
  level.libc = row.libc;
  return level;
}

std::vector<Level> levels_of(auto is_wanted) {
  std::vector<Level> levels;
  Maker maker;
  for (const BuiltinRow& row : std::span(builtin_rows, builtin_row_count)) {
    if (!is_wanted(row)) continue;
    if (levels.empty() || levels.back().name != of(row.name)) levels.push_back(level_of(row));
    levels.back().policies.emplace(row.arch, maker.policy_of(row, levels.back()));
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

namespace wheelcheck {

PolicySet::PolicySet(std::vector<policy::Level> levels)
    : added_(std::make_shared<const std::vector<policy::Level>>(std::move(levels))) {}

PolicyLevels PolicySet::policy_levels(PlatformTag::Family family, Arch arch) const {
  std::vector<policy::Level> levels = policy::builtin_levels(family, arch);
  if (added_) levels.insert(levels.end(), added_->begin(), added_->end());
  for (PolicyLevels& policy_levels : policy::level_sets_of(std::move(levels)))
    if (policy_levels.family == family && policy_levels.arch == arch) return std::move(policy_levels);
  return {.family = family, .arch = arch, .levels = {}};
}

std::vector<PolicyLevels> PolicySet::level_sets() const {
  std::vector<policy::Level> levels = policy::builtin_levels();
  if (added_) levels.insert(levels.end(), added_->begin(), added_->end());
  return policy::level_sets_of(std::move(levels));
}

}  // namespace wheelcheck
