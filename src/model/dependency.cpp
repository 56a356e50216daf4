#include "model/dependency.h"

#include "base/text.h"

namespace wheelcheck {
namespace {

bool in_name(char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; }

// The text in quotes that follows `word` and "==" in a marker.
std::optional<std::string_view> compared_with(std::string_view marker, std::string_view word) {
  for (std::size_t at = marker.find(word); at != marker.npos; at = marker.find(word, at + 1)) {
    if (at != 0 && in_name(marker[at - 1])) continue;
    std::string_view rest = trim(marker.substr(at + word.size()));
    if (!rest.starts_with("==")) continue;
    rest = trim(rest.substr(2));
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) continue;
    const std::size_t end = rest.find(rest.front(), 1);
    if (end != rest.npos) return rest.substr(1, end - 1);
  }
  return std::nullopt;
}

// A marker that compares with another system and never speaks of Linux. Markers are not evaluated: a wheel for Linux
// names other systems only to leave them out or in, one at a time.
bool is_for_linux(std::string_view marker) {
  if (lower(marker).find("linux") != std::string::npos) return true;
  for (const std::string_view variable : {"sys_platform", "platform_system", "os_name"})
    if (const auto system = compared_with(marker, variable); system && *system != "posix") return false;
  return true;
}

}  // namespace

std::string normal_project_name(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator) {
      result += to_lower(c);
    } else if (!result.ends_with('-')) {
      result += '-';
    }
  }
  return result;
}

Dependency parse_dependency(std::string_view line) {
  line = trim(line);
  std::size_t end = 0;
  while (end < line.size() && in_name(line[end])) ++end;
  Dependency result{.name = normal_project_name(line.substr(0, end)), .extras = {}, .under = {}};
  const std::string_view rest = trim(line.substr(end));
  if (const std::size_t close = rest.find(']'); rest.starts_with('[') && close != rest.npos)
    for (const std::string_view extra : split(rest.substr(1, close - 1), ','))
      result.extras.push_back(normal_project_name(trim(extra)));
  const std::size_t semicolon = rest.find(';');
  if (semicolon == rest.npos) return result;
  const std::string_view marker = rest.substr(semicolon + 1);
  if (const auto extra = compared_with(marker, "extra")) result.under = normal_project_name(*extra);
  result.for_linux = is_for_linux(marker);
  return result;
}

}  // namespace wheelcheck
