// Which of a file's version needs the loader insists on.
#pragma once

#include <cstddef>
#include <vector>

#include "wheelcheck/elf.h"

namespace wheelcheck {

// By need. The weak flag lets a version be absent (glibc elf/dl-version.c). A symbol of it that is not weak must be
// found all the same: then glibc says "undefined symbol" in place of "version not found". Linkers set the flag on no
// such version.
inline std::vector<bool> required_needs(const DynamicFacts& dynamic) {
  std::vector<bool> required(dynamic.needs.size());
  for (std::size_t i = 0; i < required.size(); ++i) required[i] = !dynamic.needs[i].weak;
  for (const Import& import : dynamic.imports)
    if (import.need && import.need->value < required.size() && !import.weak && import.bound != Bound::Never)
      required[import.need->value] = true;
  return required;
}

}  // namespace wheelcheck
