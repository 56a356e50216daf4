// Symbol versions (LSB Core "Symbol Versioning"): which versions of which libraries a file asks for, which it defines,
// and what a number in DT_VERSYM stands for.
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
  struct Meaning {  // positions in `needs` and `provides`
    std::int32_t need = none, provided = none;
  };
  std::vector<VersionNeed> needs;
  std::vector<VersionDefinition> provides;
  std::vector<Meaning> meanings;  // by version index
  std::uint16_t highest = 1;      // index that some record gives out
};

// Follows vn_next, vna_next and vd_next to their end as glibc does (elf/dl-version.c); DT_VERNEEDNUM, vn_cnt and their
// like are compared only.
template <class ELFT>
Versions read_versions(const Image& image, const DynamicTable& table, Strings& strings, const Limits& limits,
                       Flaws& flaws);

}  // namespace wheelcheck::elf
