// Which symbols a file's relocations ask the loader to look up, and when.
#pragma once

#include <cstdint>
#include <vector>

#include "elf/dynamic.h"
#include "elf/flaws.h"
#include "elf/header.h"
#include "elf/image.h"

namespace wheelcheck::elf {

// By symbol index, up to the highest that a relocation names. `most`: symbols that fit into what is mapped.
template <class ELFT>
std::vector<Bound> read_relocations(const Image& image, const DynamicTable& table, const Header& header, bool bind_now,
                                    std::uint64_t most, Flaws& flaws);

}  // namespace wheelcheck::elf
