// What is asked, as a key: the same however many files ask for it.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "wheelcheck/policy.h"

namespace wheelcheck::simulate_levels {

struct CauseKey {
  std::size_t kind = 0;
  std::string library, what;

  auto operator<=>(const CauseKey&) const = default;
};
CauseKey key_of(const Requirement& requirement);
// Of a version node its imports; of a denied symbol itself.
std::vector<std::string> symbols_of(const Requirement& requirement);

}  // namespace wheelcheck::simulate_levels
