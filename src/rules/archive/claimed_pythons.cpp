#include "rules/archive/claimed_pythons.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/pep440.h"

namespace wheelcheck::rules {

constexpr int oldest_python = 3, newest_python = 14;

std::vector<int> claimed_pythons(const WheelFacts& wheel) {
  std::vector<int> claimed;
  if (std::ranges::find(wheel.name.python, "py3") == wheel.name.python.end() || !wheel.metadata) return claimed;
  for (int minor = oldest_python; minor <= newest_python; ++minor)
    if (allows(wheel.metadata->requires_python, fmt::format("3.{}.99", minor)).value_or(false))
      claimed.push_back(minor);
  return claimed;
}

bool claims_python_2(const WheelFacts& wheel) {
  constexpr std::string_view last_release = "2.7.18";
  return std::ranges::find(wheel.name.python, "py2") != wheel.name.python.end() && wheel.metadata &&
         allows(wheel.metadata->requires_python, last_release).value_or(false);
}

bool has_lower_bound(const WheelFacts& wheel) {
  const std::string& wanted = wheel.metadata ? wheel.metadata->requires_python : std::string();
  return wanted.find('>') != wanted.npos || wanted.find("~=") != wanted.npos;
}

std::string span_text(const std::vector<int>& minors) {
  return minors.size() == 1 ? fmt::format("3.{}", minors.front())
                            : fmt::format("3.{} to 3.{}", minors.front(), minors.back());
}

}  // namespace wheelcheck::rules
