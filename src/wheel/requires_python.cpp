#include "wheel/requires_python.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/pep440.h"
#include "model/python_tag.h"

namespace wheelcheck::wheel {
namespace {

// Of patch releases. No release reaches it.
constexpr std::uint32_t max_micro = 60;

bool admits(const std::vector<Specifier>& specifiers, const Interpreter& python) {
  for (std::uint32_t micro = 0; micro <= max_micro; ++micro) {
    const PackageVersion version{.release = {python.major, python.minor, micro}};
    if (std::ranges::all_of(specifiers, [&](const Specifier& specifier) { return specifier.contains(version); }))
      return true;
  }
  return false;
}

}  // namespace

bool admits_tags(std::string_view requires_python, const WheelName& name) {
  static constexpr std::size_t max_specifiers = 64;
  if (trim(requires_python).empty() || name.python.empty()) return true;
  std::vector<Specifier> specifiers;
  for (const std::string_view text : split(requires_python, ',')) {
    if (trim(text).empty()) continue;  // a trailing comma
    std::optional<Specifier> specifier = parse_specifier(text);
    if (!specifier || specifiers.size() == max_specifiers) return true;
    specifiers.push_back(std::move(*specifier));
  }
  const InterpreterTags tags(name);
  if (tags.has_other()) return true;
  bool installs = false;
  for (const unsigned major : {3U, 2U}) {
    for (unsigned minor = 0; minor <= max_python_minor; ++minor) {
      const auto takes = [&](Implementation implementation, bool free_threaded) {
        return tags.install_on(
            {.implementation = implementation, .major = major, .minor = minor, .free_threaded = free_threaded});
      };
      if (!takes(Implementation::CPython, false) && !takes(Implementation::CPython, true) &&
          !takes(Implementation::PyPy, false))
        continue;
      installs = true;
      if (admits(specifiers, {.major = major, .minor = minor})) return true;
    }
  }
  return !installs;
}

}  // namespace wheelcheck::wheel
