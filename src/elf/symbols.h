// The dynamic symbol table: the imports and the exports of a file, and their versions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "elf/relocations.h"
#include "elf/strings.h"
#include "wheelcheck/elf.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// Symbol versions (LSB Core "Symbol Versioning"): the versions that a file requires of other libraries, the versions
// that it defines, and the meaning of the indices in DT_VERSYM.
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

// Exported variables whose name ends in "version": they contain the version of a library that is linked statically.

// Each such variable that is a pointer to a string or an array of characters: xmlParserVersion, "21404". Sorted; copied
// into `pool`. `count`: symbols of the table.
template <class ELFT>
std::vector<VersionVariable> read_version_objects(const Image& image, const DynamicTable& table, const Header& header,
                                                  std::uint64_t count, const DynamicFacts& facts,
                                                  const Strings& strings, StringPool& pool);

// The dynamic symbol table: the imports and the exports of a file.

// What the hash tables say of the number of symbols.
struct HashCounts {
  // DT_HASH
  std::optional<std::uint64_t> declared;  // nchain
  std::uint64_t reached = 0;              // the highest symbol index in a chain, plus one
  // DT_GNU_HASH; nullopt: the table contains no symbol and does not show the count
  std::optional<std::uint64_t> gnu;
};
template <class ELFT>
HashCounts count_hashed(const Image& image, const DynamicTable& table, const Header& header, const Limits& limits,
                        Flaws& flaws);

// The number of symbols that fit into the mapped memory after DT_SYMTAB.
template <class ELFT>
std::uint64_t max_symbols(const Image& image, const DynamicTable& table);

// The number of symbols. No field contains it. DT_HASH and DT_GNU_HASH imply it; if they do not cover the undefined
// symbols, the relocations are used.
template <class ELFT>
std::uint64_t count_symbols(const Image& image, const DynamicTable& table, const HashCounts& hashed,
                            std::span<const Bound> bound, const Limits& limits, Flaws& flaws);

// Fills imports, exports, exports_at_zero, references and symbol_count. `tls_size`: p_memsz of PT_TLS.
template <class ELFT>
void read_symbols(const Image& image, const DynamicTable& table, std::uint64_t count, const Header& header,
                  const Versions& versions, Relocations relocations, Strings& strings, bool library,
                  std::uint64_t tls_size, DynamicFacts& facts, Flaws& flaws);

}  // namespace wheelcheck::elf
