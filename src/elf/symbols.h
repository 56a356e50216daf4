// The dynamic symbol table: what a file asks of others and what it offers them.
#pragma once

#include <cstdint>
#include <span>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "elf/relocations.h"
#include "elf/strings.h"
#include "elf/versions.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// Symbols that fit into what is mapped from DT_SYMTAB on.
template <class ELFT>
std::uint64_t most_symbols(const Image& image, const DynamicTable& table);

// How many symbols there are. No field says so: DT_HASH and DT_GNU_HASH tell it by the way, and where they do not
// count the undefined ones, the relocations do.
template <class ELFT>
std::uint64_t count_symbols(const Image& image, const DynamicTable& table, const Header& header,
                            std::span<const Bound> bound, const Limits& limits, Flaws& flaws);

// Fills imports, exports, references and symbol_count.
template <class ELFT>
void read_symbols(const Image& image, const DynamicTable& table, std::uint64_t count, const Versions& versions,
                  Relocations relocations, Strings& strings, bool library, DynamicFacts& facts, Flaws& flaws);

}  // namespace wheelcheck::elf
