// Which version needs of a file the loader enforces.
#pragma once

#include <cstddef>
#include <vector>

#include "wheelcheck/elf.h"

namespace wheelcheck {

// One flag per version need. A version need with VER_FLG_WEAK may be absent (glibc elf/dl-version.c). A symbol with
// that version that is not weak must still be found, and glibc then reports "undefined symbol" instead of "version not
// found". Linkers do not set the flag on a version with such a symbol.
inline std::vector<bool> required_needs(const DynamicFacts& dynamic) {
  std::vector<bool> required(dynamic.needs.size());
  for (std::size_t i = 0; i < required.size(); ++i) required[i] = !dynamic.needs[i].weak;
  for (const Import& import : dynamic.imports)
    if (import.need && import.need->value < required.size() && !import.weak && import.bound != Bound::Never)
      required[import.need->value] = true;
  return required;
}

}  // namespace wheelcheck
