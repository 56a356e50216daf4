#include "model/specifier.h"

#include <algorithm>
#include <compare>
#include <vector>

#include "base/text.h"

namespace wheelcheck {
namespace {

// The numbers of a final release, without zeros at the end; nullopt for anything else. A local version ("+cpu") is left
// out, as pip does where the specifier has none.
std::optional<std::vector<std::uint64_t>> release_of(std::string_view text) {
  text = text.substr(0, text.find('+'));
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::uint64_t> parts;
  for (const std::string_view part : split(text, '.')) {
    std::uint64_t number = 0;
    if (part.empty() && text.ends_with('.')) continue;
    // A post-release counts as newer than all numbers that a specifier would give for it.
    if (part.starts_with("post") && parse_number(part.substr(4), number)) break;
    if (!parse_number(part, number)) return std::nullopt;
    parts.push_back(number);
  }
  if (parts.empty()) return std::nullopt;
  return parts;
}

std::strong_ordering compared(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
  const std::size_t size = std::max(a.size(), b.size());
  a.resize(size);
  b.resize(size);
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

bool starts_with(const std::vector<std::uint64_t>& version, const std::vector<std::uint64_t>& prefix) {
  std::vector<std::uint64_t> padded = version;
  padded.resize(std::max(version.size(), prefix.size()));
  return std::equal(prefix.begin(), prefix.end(), padded.begin());
}

std::optional<bool> clause_allows(std::string_view clause, const std::vector<std::uint64_t>& version) {
  std::size_t end = 0;
  while (end < clause.size() && std::string_view("=!<>~").find(clause[end]) != std::string_view::npos) ++end;
  const std::string_view sign = clause.substr(0, end);
  std::string_view text = trim(clause.substr(end));
  const bool any_tail = text.ends_with(".*");
  if (any_tail) text.remove_suffix(2);
  auto bound = release_of(text);
  if (!bound) return std::nullopt;
  const auto order = compared(version, *bound);
  if (sign == "==") return any_tail ? starts_with(version, *bound) : order == 0;
  if (sign == "!=") return any_tail ? !starts_with(version, *bound) : order != 0;
  if (sign == ">=") return order >= 0;
  if (sign == "<=") return order <= 0;
  if (sign == ">") return order > 0;
  if (sign == "<") return order < 0;
  if (sign != "~=" || bound->size() < 2) return std::nullopt;
  bound->pop_back();
  return order >= 0 && starts_with(version, *bound);
}

}  // namespace

std::string specifier_of(std::string_view requirement) {
  std::string_view rest = requirement.substr(0, requirement.find(';'));
  if (const std::size_t extras = rest.find(']'); extras != rest.npos) rest = rest.substr(extras + 1);
  const std::size_t begin = rest.find_first_of("=!<>~@");
  if (begin == rest.npos) return "";
  rest = rest.substr(begin);
  std::string out;
  for (const char c : rest)
    if (c != ' ' && c != ')' && c != '(') out += c;
  return out;
}

std::optional<bool> allows(std::string_view specifier, std::string_view version) {
  const auto numbers = release_of(version);
  if (!numbers) return std::nullopt;
  bool all = true;
  for (const std::string_view clause : split(specifier, ',')) {
    if (trim(clause).empty()) continue;
    const auto one = clause_allows(trim(clause), *numbers);
    if (!one) return std::nullopt;
    all = all && *one;
  }
  return all;
}

}  // namespace wheelcheck
