// The symbols that the relocations of a file look up, and when; and the number of relocations for static TLS.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"

namespace wheelcheck::elf {

struct Relocations {
  std::vector<Bound> bound;  // by symbol index, up to the highest index in a relocation
  // Without duplicates, in table order; Reference::symbol is an index into the symbol table.
  std::vector<Reference> references;
  std::uint32_t static_tls = 0;  // relocations with an offset from the thread pointer, which is fixed at load time
};

// `most`: number of symbols that fit into the mapped memory, at most Reference::most_symbols. `segments` contain the
// code that the functions of DT_INIT_ARRAY and DT_FINI_ARRAY must be in; empty if addresses of functions are those of
// descriptors.
template <class ELFT>
Relocations read_relocations(const Image& image, const DynamicTable& table, const Header& header, bool bind_now,
                             std::uint64_t most, std::span<const Segment> segments, Flaws& flaws);

}  // namespace wheelcheck::elf
