// Counts the dynamic symbols without section headers: from the hash tables (gABI 5, "Hash Table"; for DT_GNU_HASH glibc
// elf/dl-lookup.c), or else from the relocations and from the entries that look like undefined symbols.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "elf/llvm_types.h"
#include "elf/symbols.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

struct SysvCount {
  std::optional<std::uint64_t> declared;  // nchain
  std::uint64_t reached = 0;              // the highest symbol index in a chain, plus one
  bool broken = false;                    // a chain leads out of the tables
};

// The loader follows the chains and does not use nchain (glibc elf/dl-lookup.c, do_lookup_x). Words have 64 bits on two
// machines (gABI supplements of Alpha and s390x).
template <class ELFT>
SysvCount by_hash(const Image& image, std::uint64_t address, const Header& header, bool follow, std::uint64_t mapped,
                  std::uint64_t max, Flaws& flaws) {
  const bool wide = header.bits == 64 && (header.machine == EM_S390 || header.machine == EM_ALPHA);
  const std::uint64_t size = wide ? 8 : 4;
  const auto word = [&](std::uint64_t index) -> std::optional<std::uint64_t> {
    if (wide) {
      const auto value = image.read<typename ELFT::Xword>(address + index * size);
      return value ? std::optional<std::uint64_t>(*value) : std::nullopt;
    }
    const auto value = image.read<typename ELFT::Word>(address + index * size);
    return value ? std::optional<std::uint64_t>(*value) : std::nullopt;
  };
  const auto buckets = word(0);
  SysvCount out{.declared = word(1)};
  if (!follow || !buckets || !out.declared) return out;
  if (*buckets > max)
    flaws.fatal(ElfArea::Symbols, fmt::format("DT_HASH has {} buckets, more than the {} that are read; the limits are "
                                              "--limit symbols=N and the symbols that fit into the file",
                                              *buckets, max));
  std::vector<bool> seen;
  // The memory may be much larger than the file: zeros, or pages that are mapped many times.
  const std::uint64_t end = std::min({*buckets, image.available(address) / size, max});
  const std::uint64_t most = std::min(mapped, max);
  for (std::uint64_t bucket = 0; bucket < end; ++bucket) {
    auto symbol = word(2 + bucket);
    for (; symbol && *symbol != 0 && *symbol < most; symbol = word(2 + *buckets + *symbol)) {
      if (*symbol >= seen.size()) seen.resize(std::min(most, std::max<std::uint64_t>(*symbol + 1, seen.size() * 2)));
      if (seen[*symbol]) break;
      seen[*symbol] = true;
      out.reached = std::max(out.reached, *symbol + 1);
    }
    out.broken = out.broken || !symbol || *symbol >= mapped;
  }
  return out;
}

struct GnuCount {
  std::uint64_t first_hashed = 0;        // symbols before it are not in the hash table
  std::optional<std::uint64_t> symbols;  // nullopt: the table contains no symbol and does not show the count
  bool broken = false;
};

template <class ELFT>
GnuCount by_gnu_hash(const Image& image, std::uint64_t address, std::uint64_t max, std::uint64_t max_read) {
  struct Head {
    typename ELFT::Word buckets, first, masks, shift;
  };
  GnuCount out;
  const auto head = image.read<Head>(address);
  if (!head) return {.broken = true};
  // The loader asserts that the number of words of the Bloom filter is a power of two (glibc elf/dl-setup_hash.c).
  const std::uint32_t masks = head->masks;
  if ((masks & (masks - 1)) != 0) return {.broken = true};
  out.first_hashed = head->first;
  const std::uint64_t buckets = address + sizeof(Head) + std::uint64_t{masks} * sizeof(typename ELFT::uint);
  const std::uint64_t size = std::uint64_t{head->buckets} * 4, chains = buckets + size;
  if (size > image.available(buckets)) return {.broken = true};
  if (head->buckets > max_read) {  // too many, even if most are empty
    out.symbols = head->buckets;
    return out;
  }
  std::uint64_t last = 0;
  // Not Image::walk, which drops the pages: HashTable reads the table again.
  const auto bytes = image.bytes(buckets, size);
  if (!bytes) return {.broken = true};
  for (std::size_t at = 0; at < bytes->size(); at += 4) {
    typename ELFT::Word bucket;
    std::memcpy(&bucket, bytes->data() + at, 4);
    last = std::max<std::uint64_t>(last, bucket);
  }
  if (last == 0) return out;
  if (last >= max) return {.broken = true};
  // The loader does not compare them: such a chain begins in the words before the chains.
  out.broken = last < out.first_hashed;
  // The chain of the last bucket ends with the last symbol; bit 0 marks the end.
  for (std::uint64_t symbol = last; symbol < max; ++symbol) {
    if (symbol > max_read) {  // too many, wherever the chain ends
      out.symbols = symbol + 1;
      return out;
    }
    const auto word = image.read<typename ELFT::Word>(chains + (symbol - out.first_hashed) * 4);
    if (!word) break;
    if ((*word & 1) != 0) {
      out.symbols = symbol + 1;
      return out;
    }
  }
  return {.broken = true};
}

// The number of symbols between DT_SYMTAB and the next table of the loader, an upper limit.
template <class ELFT>
std::uint64_t by_gap(const DynamicTable& table, std::uint64_t max) {
  const std::uint64_t symbols = table.get(DT_SYMTAB).value_or(0);
  for (const std::uint64_t tag : {DT_STRTAB, DT_VERSYM})
    if (const auto next = table.get(tag); next && *next > symbols)
      max = std::min<std::uint64_t>(max, (*next - symbols) / sizeof(typename ELFT::Sym));
  return max;
}

// If no symbol is hashed, all are undefined: count the entries that look undefined.
template <class ELFT>
std::uint64_t while_undefined(const Image& image, const DynamicTable& table, std::uint64_t from, std::uint64_t max) {
  using Sym = typename ELFT::Sym;
  const std::uint64_t start = table.get(DT_SYMTAB).value_or(0), strings = table.get(DT_STRSZ).value_or(0);
  std::uint64_t count = std::max<std::uint64_t>(from, 1);
  for (; count < max; ++count) {
    const auto symbol = image.read<Sym>(start + count * sizeof(Sym));
    if (!symbol || symbol->st_shndx != SHN_UNDEF || symbol->st_name == 0 || symbol->st_name >= strings ||
        symbol->st_value != 0 || (symbol->getBinding() != STB_GLOBAL && symbol->getBinding() != STB_WEAK))
      break;
  }
  return count;
}

// Whether the symbol is a definition that a hash table would lead to.
template <class ELFT>
bool is_definition(const Image& image, const DynamicTable& table, std::uint64_t index) {
  using Sym = typename ELFT::Sym;
  const auto symbol = image.read<Sym>(table.get(DT_SYMTAB).value_or(0) + index * sizeof(Sym));
  return symbol && symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 && symbol->st_name != 0 &&
         symbol->st_name < table.get(DT_STRSZ).value_or(0) && symbol->getBinding() == STB_GLOBAL;
}

}  // namespace

template <class ELFT>
std::uint64_t max_symbols(const Image& image, const DynamicTable& table) {
  const auto start = table.get(DT_SYMTAB);
  return start ? image.available(*start) / sizeof(typename ELFT::Sym) : 0;
}

template <class ELFT>
HashCounts count_hashed(const Image& image, const DynamicTable& table, const Header& header, const Limits& limits,
                        Flaws& flaws) {
  const auto area = ElfArea::Symbols;
  const std::uint64_t mapped = max_symbols<ELFT>(image, table);
  if (mapped == 0) return {};
  const auto sysv_address = table.get(DT_HASH), gnu_address = table.get(DT_GNU_HASH);
  // glibc uses DT_HASH only if there is no DT_GNU_HASH (elf/dl-setup_hash.c).
  const SysvCount sysv = sysv_address
                             ? by_hash<ELFT>(image, *sysv_address, header, !gnu_address, mapped, limits.symbols, flaws)
                             : SysvCount{};
  const GnuCount gnu = gnu_address ? by_gnu_hash<ELFT>(image, *gnu_address, mapped, limits.symbols) : GnuCount{};
  if (sysv.broken) flaws.fatal(area, "a chain of DT_HASH leads out of the symbol table");
  if (gnu.broken) flaws.fatal(area, "DT_GNU_HASH does not fit the symbol table");
  if (sysv_address && !sysv.declared) flaws.fatal(area, "DT_HASH leads out of what is mapped");
  if (sysv.declared && gnu.symbols && *sysv.declared != *gnu.symbols)
    flaws.odd(area, fmt::format("DT_HASH counts {} symbols, DT_GNU_HASH {}", *sysv.declared, *gnu.symbols));
  if (sysv.declared && sysv.reached > *sysv.declared)
    flaws.odd(area, fmt::format("DT_HASH counts {} symbols, but its chains lead the loader to symbol {}",
                                *sysv.declared, sysv.reached - 1));
  return {.declared = sysv.declared, .reached = sysv.reached, .gnu = gnu.symbols};
}

template <class ELFT>
std::uint64_t count_symbols(const Image& image, const DynamicTable& table, const HashCounts& hashed,
                            std::span<const Bound> bound, const Limits& limits, Flaws& flaws) {
  const auto area = ElfArea::Symbols;
  const std::uint64_t mapped = max_symbols<ELFT>(image, table), gap = by_gap<ELFT>(table, mapped);
  if (mapped == 0) return 0;
  const std::optional<std::uint64_t> hash = hashed.declared, gnu = hashed.gnu;
  // A symbol that a look-up finds exists, even if another table is in between.
  const std::uint64_t found = std::max(gnu.value_or(0), hashed.reached);
  if (found > gap)
    flaws.odd(area, fmt::format("another table lies within the {} symbols that the loader finds", found));
  std::uint64_t count = 0;
  if (hash && *hash > gap)
    flaws.odd(area, fmt::format("DT_HASH counts {} symbols, but there is room for {}", *hash, gap));
  else if (hash)
    count = *hash;
  count = std::max<std::uint64_t>({count, found, bound.size()});
  const bool counted = gnu || (hash && *hash <= gap);
  if (counted && bound.size() > std::max(hash.value_or(0), gnu.value_or(0)))
    flaws.fatal(area,
                fmt::format("relocations name symbol {}, beyond those that the hash table counts", bound.size() - 1));
  if (!counted) count = while_undefined<ELFT>(image, table, count, std::min<std::uint64_t>(gap, limits.symbols + 1));
  if (!table.get(DT_HASH) && !table.get(DT_GNU_HASH) && count < gap && is_definition<ELFT>(image, table, count))
    flaws.odd(area, "there is neither DT_HASH nor DT_GNU_HASH: no look-up finds a symbol of the file");
  if (count > limits.symbols) {
    flaws.fatal(
        area,
        fmt::format("there are {} symbols, more than the {} that are read; the limits are --limit symbols=N and the "
                    "symbols that fit into the file",
                    count, limits.symbols));
    count = limits.symbols;
  }
  return std::min(count, mapped);
}

#define WHEELCHECK_FOR(ELFT)                                                                                       \
  template std::uint64_t max_symbols<ELFT>(const Image&, const DynamicTable&);                                     \
  template HashCounts count_hashed<ELFT>(const Image&, const DynamicTable&, const Header&, const Limits&, Flaws&); \
  template std::uint64_t count_symbols<ELFT>(const Image&, const DynamicTable&, const HashCounts&,                 \
                                             std::span<const Bound>, const Limits&, Flaws&);
WHEELCHECK_FOR_EACH_ELF_TYPE(WHEELCHECK_FOR)
#undef WHEELCHECK_FOR

}  // namespace wheelcheck::elf
