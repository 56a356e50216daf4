#include "wheel/requires_python.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/pep440.h"

namespace wheelcheck::wheel {
namespace {

// Upper limits for Python versions. No existing version reaches them.
constexpr std::uint32_t last_minor = 60, last_micro = 60;

struct Minors {  // versions of one major version
  std::uint32_t major = 0, first = 0, last = 0;
};

// The Python versions of a tag: one minor version, or that one and all later ones if the ABI is the stable ABI or the
// tag is not for CPython (PEP 425, "Use").
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
      const PackageVersion python{.release = {minors.major, minor, micro}};
      if (std::ranges::all_of(specifiers, [&](const Specifier& specifier) { return specifier.contains(python); }))
        return true;
    }
  }
  return false;
}

}  // namespace

bool admits_tags(std::string_view requires_python, const WheelName& name) {
  static constexpr std::size_t most_specifiers = 64;
  if (trim(requires_python).empty() || name.python.empty()) return true;
  std::vector<Specifier> specifiers;
  for (const std::string_view text : split(requires_python, ',')) {
    if (trim(text).empty()) continue;  // a trailing comma
    std::optional<Specifier> specifier = parse_specifier(text);
    if (!specifier || specifiers.size() == most_specifiers) return true;
    specifiers.push_back(std::move(*specifier));
  }
  return std::ranges::any_of(name.python, [&](const std::string& tag) {
    const std::optional<Minors> minors = minors_of(tag, name);
    return !minors || admits(specifiers, *minors);
  });
}

}  // namespace wheelcheck::wheel
