#include "conflicts/pythons.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace wheelcheck::conflicts {
namespace {

// 12 of cp312; nothing of cp3, cp27, py3 and pp310.
std::optional<unsigned> minor_of(std::string_view tag) {
  constexpr std::string_view stem = "cp3";
  std::uint64_t minor = 0;
  if (!tag.starts_with(stem) || !parse_number(tag.substr(stem.size()), minor) || minor >= PythonReleases::any)
    return std::nullopt;
  return static_cast<unsigned>(minor);
}

}  // namespace

PythonReleases pythons_of(const WheelName& name) {
  PythonReleases all{.oldest = PythonReleases::any, .newest = 0};
  for (const std::string& tag : name.python) {
    const auto minor = minor_of(tag);
    if (!minor) return {};
    all.oldest = std::min(all.oldest, *minor);
    all.newest = std::max(all.newest, *minor);
  }
  if (name.python.empty()) return {};
  if (std::ranges::any_of(name.abi, [](const std::string& abi) { return abi == "abi3" || abi == "abi3t"; }))
    all.newest = PythonReleases::any;
  return all;
}

PythonReleases pythons_of(std::span<const Party> parties) {
  PythonReleases all;
  for (const Party& party : parties) {
    const PythonReleases one = pythons_of(party.facts.name);
    all.oldest = std::max(all.oldest, one.oldest);
    all.newest = std::min(all.newest, one.newest);
  }
  all.newest = std::max(all.newest, all.oldest);
  return all;
}

}  // namespace wheelcheck::conflicts
