// Symbol versions (LSB Core "Symbol Versioning"): the versions that a file requires of other libraries, the versions
// that it defines, and the meaning of the indices in DT_VERSYM.
#pragma once

#include <cstdint>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "elf/strings.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

struct Versions {
  static constexpr std::int32_t none = -1;
  // Indices into `needs` and `provides`.
  struct Meaning {
    std::int32_t need = none, provided = none;
  };
  std::vector<VersionNeed> needs;
  std::vector<VersionDefinition> provides;
  std::vector<Meaning> meanings;  // by version index
  std::uint16_t highest = 1;      // highest index in a record
};

// Follows vn_next, vna_next and vd_next to the end, as glibc does (elf/dl-version.c). DT_VERNEEDNUM, vn_cnt and similar
// counts are only compared.
template <class ELFT>
Versions read_versions(const Image& image, const DynamicTable& table, Strings& strings, const Limits& limits,
                       Flaws& flaws);

}  // namespace wheelcheck::elf
