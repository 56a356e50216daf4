#include "rules/archive/claimed_pythons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "model/pep440.h"

namespace wheelcheck::rules {

namespace {

constexpr int oldest_python = 3, newest_python = 14;

// Of a tag: cp311 without a stable ABI is for one release, py38 and cp38-abi3 are for that release and newer ones
// (packaging.tags, compatible_tags and cpython_tags).
bool is_for(const WheelName& name, std::string_view tag, int minor) {
  if (tag == "py3") return true;
  std::uint64_t of = 0;
  if (!(tag.starts_with("cp3") || tag.starts_with("py3")) || !parse_number(tag.substr(3), of)) return false;
  const bool newer = tag.starts_with("py") || std::ranges::find(name.abi, "abi3") != name.abi.end();
  return newer ? std::cmp_greater_equal(minor, of) : std::cmp_equal(minor, of);
}

}  // namespace

std::vector<int> claimed_pythons(const WheelFacts& wheel) {
  std::vector<int> claimed;
  if (!wheel.metadata) return claimed;
  for (int minor = oldest_python; minor <= newest_python; ++minor)
    if (std::ranges::any_of(wheel.name.python, [&](const auto& tag) { return is_for(wheel.name, tag, minor); }) &&
        allows(wheel.metadata->requires_python, fmt::format("3.{}.99", minor)).value_or(false))
      claimed.push_back(minor);
  return claimed;
}

bool claims_python_2(const WheelFacts& wheel) {
  constexpr std::string_view last_release = "2.7.18";
  return std::ranges::find(wheel.name.python, "py2") != wheel.name.python.end() && wheel.metadata &&
         allows(wheel.metadata->requires_python, last_release).value_or(false);
}

bool has_lower_bound(const WheelFacts& wheel) {
  const auto names_release = [](std::string_view tag) { return tag.starts_with("cp3") && tag.size() > 3; };
  if (std::ranges::any_of(wheel.name.python, names_release)) return true;
  const std::string& wanted = wheel.metadata ? wheel.metadata->requires_python : std::string();
  return wanted.find('>') != wanted.npos || wanted.find("~=") != wanted.npos;
}

std::string span_text(const std::vector<int>& minors) {
  return minors.size() == 1 ? fmt::format("3.{}", minors.front())
                            : fmt::format("3.{} to 3.{}", minors.front(), minors.back());
}

}  // namespace wheelcheck::rules
