// The dynamic symbol table: the imports and the exports of a file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "elf/relocations.h"
#include "elf/strings.h"
#include "elf/versions.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// The number of symbols that fit into the mapped memory after DT_SYMTAB.
template <class ELFT>
std::uint64_t most_symbols(const Image& image, const DynamicTable& table);

// The number of symbols. No field contains it. DT_HASH and DT_GNU_HASH imply it; if they do not cover the undefined
// symbols, the relocations are used.
template <class ELFT>
std::uint64_t count_symbols(const Image& image, const DynamicTable& table, const Header& header,
                            std::span<const Bound> bound, const Limits& limits, Flaws& flaws);

// Fills imports, exports, references and symbol_count. `at_zero`: exported functions with the absolute value 0; the
// first 100.
template <class ELFT>
void read_symbols(const Image& image, const DynamicTable& table, std::uint64_t count, const Header& header,
                  const Versions& versions, Relocations relocations, Strings& strings, bool library,
                  DynamicFacts& facts, std::vector<std::string_view>& at_zero, Flaws& flaws);

}  // namespace wheelcheck::elf
