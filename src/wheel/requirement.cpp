#include "wheel/requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "wheel/filename.h"
#include "wheel/marker.h"
#include "wheel/pep440.h"

namespace wheelcheck::wheel {
namespace {

std::size_t release_parts(std::string_view version) {
  const std::size_t end = version.find_first_not_of("0123456789.");
  const std::string_view release = version.substr(0, end);
  return 1 + static_cast<std::size_t>(std::ranges::count(release, '.'));
}

bool is_specifier(std::string_view text) {
  static constexpr auto operators = std::to_array<std::string_view>({"===", "~=", "==", "!=", ">=", "<=", ">", "<"});
  const auto* const found =
      std::ranges::find_if(operators, [&](std::string_view word) { return text.starts_with(word); });
  if (found == operators.end()) return false;
  std::string_view version = trim(text.substr(found->size()));
  if (*found == "===") return !version.empty() && std::ranges::none_of(version, is_blank);
  const bool equality = *found == "==" || *found == "!=";
  const bool local = version.find('+') != version.npos;
  if (equality && version.ends_with(".*")) {
    version.remove_suffix(2);
    return !local && version.find("dev") == version.npos && comparable_version(version).has_value();
  }
  if (local && !equality) return false;
  return comparable_version(version) && (*found != "~=" || release_parts(version) > 1);
}

// Takes a name off the front; "" where there is none.
std::string_view take_name(std::string_view& text) {
  const auto in_name = [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; };
  const auto end = std::ranges::find_if_not(text, in_name);
  const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text = trim(text.substr(name.size()));
  return is_project_name(name) ? name : std::string_view();
}

// [bar, baz]
bool take_extras(std::string_view& text) {
  if (!text.starts_with('[')) return true;
  const std::size_t close = text.find(']');
  if (close == text.npos) return false;
  const std::string_view inside = trim(text.substr(1, close - 1));
  text = trim(text.substr(close + 1));
  if (inside.empty()) return true;
  return std::ranges::all_of(split(inside, ','), [](std::string_view extra) { return is_project_name(trim(extra)); });
}

}  // namespace

std::string specifiers_problem(std::string_view specifiers) {
  for (const std::string_view one : split(specifiers, ','))
    if (const std::string_view text = trim(one); !text.empty() && !is_specifier(text))
      return fmt::format("has the invalid version specifier '{}'", text);
  return "";
}

std::string requirement_problem(std::string_view requirement) {
  std::string_view rest = trim(requirement);
  if (take_name(rest).empty()) return "does not start with a project name";
  if (!take_extras(rest)) return "has an invalid list of extras";
  if (rest.starts_with('@')) {  // a URL ends at a blank; the marker follows
    rest = trim(rest.substr(1));
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    if (end == 0) return "has no URL after @";
    rest = trim(rest.substr(end));
    if (!rest.empty() && !rest.starts_with(';')) return "has text after its URL";
  }
  const std::size_t semicolon = rest.find(';');
  std::string_view specifiers = trim(rest.substr(0, semicolon));
  if (specifiers.starts_with('(') && specifiers.ends_with(')'))
    specifiers = specifiers.substr(1, specifiers.size() - 2);
  if (std::string problem = specifiers_problem(specifiers); !problem.empty()) return problem;
  if (semicolon != rest.npos && !is_marker(rest.substr(semicolon + 1))) return "has an invalid environment marker";
  return "";
}

}  // namespace wheelcheck::wheel
