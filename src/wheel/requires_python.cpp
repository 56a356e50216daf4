// Reads the specifiers of Requires-Python and tries the Pythons of the tags against them.
#include "wheel/requires_python.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace wheelcheck::wheel {
namespace {

// Beyond every Python there is; specifiers with greater numbers speak of none.
constexpr std::uint32_t last_minor = 60, last_micro = 60;

using Release = std::vector<std::uint64_t>;  // 3.11.4

struct Specifier {
  std::string_view comparison;
  Release release;
  bool prefix = false;  // 3.11.*
};
struct Minors {  // of one major version
  std::uint32_t major = 0, first = 0, last = 0;
};

std::strong_ordering compare(const Release& a, const Release& b) {
  const auto part = [](const Release& release, std::size_t i) { return i < release.size() ? release[i] : 0; };
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (const auto order = part(a, i) <=> part(b, i); order != 0) return order;
  return std::strong_ordering::equal;
}

bool starts_with(const Release& release, std::span<const std::uint64_t> prefix) {
  return prefix.size() <= release.size() && std::equal(prefix.begin(), prefix.end(), release.begin());
}

bool satisfies(const Release& python, const Specifier& specifier) {
  const auto order = compare(python, specifier.release);
  const bool equal = specifier.prefix ? starts_with(python, specifier.release) : order == 0;
  if (specifier.comparison == ">=") return order >= 0;
  if (specifier.comparison == "<=") return order <= 0;
  if (specifier.comparison == ">") return order > 0;
  if (specifier.comparison == "<") return order < 0;
  if (specifier.comparison == "!=") return !equal;
  if (specifier.comparison != "~=") return equal;  // == and ===
  // Without a copy: a release may have millions of parts, and is held against thousands of Pythons.
  return order >= 0 && starts_with(python, std::span(specifier.release).first(specifier.release.size() - 1));
}

std::optional<Release> parse_release(std::string_view text) {
  Release release;
  for (const std::string_view part : split(text, '.')) {
    std::uint64_t number = 0;
    if (!parse_number(part, number)) return std::nullopt;
    release.push_back(number);
  }
  return release;
}

std::optional<Specifier> parse_specifier(std::string_view text) {
  static constexpr std::array<std::string_view, 8> comparisons = {"===", "~=", "==", "!=", ">=", "<=", ">", "<"};
  const auto* const found =
      std::ranges::find_if(comparisons, [text](std::string_view comparison) { return text.starts_with(comparison); });
  if (found == comparisons.end()) return std::nullopt;
  Specifier specifier{.comparison = *found, .release = {}};
  std::string_view version = trim(text.substr(found->size()));
  if (version.ends_with(".*")) {
    specifier.prefix = true;
    version.remove_suffix(2);
  }
  auto release = parse_release(version);
  if (!release) return std::nullopt;
  specifier.release = std::move(*release);
  if (specifier.comparison == "~=" && specifier.release.size() < 2) return std::nullopt;
  return specifier;
}

// The Pythons that a tag stands for: one minor version, or that one and the later ones where the ABI is the stable one
// or the tag is not CPython's (PEP 425, "Use").
std::optional<Minors> minors_of(std::string_view tag, const WheelName& name) {
  const std::string_view digits = tag.substr(std::min<std::size_t>(tag.size(), 2));
  std::uint64_t major = 0, minor = 0;
  if (!tag.starts_with("cp") && !tag.starts_with("pp") && !tag.starts_with("py")) return std::nullopt;
  if (digits.empty() || !parse_number(digits.substr(0, 1), major)) return std::nullopt;
  if (digits.size() > 1 && (!parse_number(digits.substr(1), minor) || minor > last_minor)) return std::nullopt;
  const bool exact = digits.size() > 1 && !tag.starts_with("py") &&
                     std::ranges::none_of(name.abi, [](const std::string& abi) { return abi.starts_with("abi3"); }) &&
                     std::ranges::find(name.abi, "none") == name.abi.end();
  const auto first = static_cast<std::uint32_t>(minor);
  return Minors{.major = static_cast<std::uint32_t>(major), .first = first, .last = exact ? first : last_minor};
}

bool admits(const std::vector<Specifier>& specifiers, const Minors& minors) {
  for (std::uint32_t minor = minors.first; minor <= minors.last; ++minor) {
    for (std::uint32_t micro = 0; micro <= last_micro; ++micro) {
      const Release python = {minors.major, minor, micro};
      if (std::ranges::all_of(specifiers, [&](const Specifier& specifier) { return satisfies(python, specifier); }))
        return true;
    }
  }
  return false;
}

}  // namespace

std::optional<bool> satisfies(std::string_view version, std::string_view specifier) {
  const std::optional<Release> release = parse_release(version);
  const std::optional<Specifier> asked = parse_specifier(specifier);
  if (!release || !asked) return std::nullopt;
  return satisfies(*release, *asked);
}

bool admits_tags(std::string_view requires_python, const WheelName& name) {
  static constexpr std::size_t most_specifiers = 64;
  if (trim(requires_python).empty() || name.python.empty()) return true;
  std::vector<Specifier> specifiers;
  for (const std::string_view text : split(requires_python, ',')) {
    if (trim(text).empty()) continue;  // a trailing comma
    const std::optional<Specifier> specifier = parse_specifier(trim(text));
    if (!specifier || specifiers.size() == most_specifiers) return true;
    specifiers.push_back(*specifier);
  }
  return std::ranges::any_of(name.python, [&](const std::string& tag) {
    const std::optional<Minors> minors = minors_of(tag, name);
    return !minors || admits(specifiers, *minors);
  });
}

}  // namespace wheelcheck::wheel
