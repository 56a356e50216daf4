// The symbols that the relocations of a file look up, and when; and the number of relocations for static TLS.
#pragma once

#include <cstdint>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"

namespace wheelcheck::elf {

// The type by which the loader adds the base address only; all bits where it is not known.
std::uint32_t relative_type(std::uint16_t machine);

struct Relocations {
  std::vector<Bound> bound;           // by symbol index, up to the highest that a relocation names
  std::vector<Reference> references;  // each once, in the order of the tables; `symbol` is an index into all symbols
  std::uint32_t static_tls = 0;       // offsets from the thread pointer, fixed when the library is loaded
  std::uint32_t own_static_tls = 0;   // of those, the ones of the file's own variables
  std::uint32_t own_descriptors = 0;  // TLS descriptors of the file's own variables
};

// `most`: number of symbols that fit into the mapped memory, at most Reference::most_symbols.
template <class ELFT>
Relocations read_relocations(const Image& image, const DynamicTable& table, const Header& header, bool bind_now,
                             std::uint64_t most, Flaws& flaws);

}  // namespace wheelcheck::elf
