// The dynamic section (gABI 5, "Dynamic Section"): a list of tags with values that the loader reads first. It contains
// the needed libraries, the search paths, flags, and the addresses of all other tables of the loader.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "elf/header.h"
#include "elf/image.h"
#include "elf/strings.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

struct DynamicTable {
  // Value by tag. If a tag is repeated, the last entry is used, as in glibc (elf/get-dynamic-info.h).
  std::map<std::uint64_t, std::uint64_t> last;
  // DT_NEEDED, DT_FILTER and DT_AUXILIARY in file order, which is the order of the loader (glibc elf/dl-deps.c).
  std::vector<std::pair<std::uint64_t, std::uint64_t>> libraries;
  std::vector<std::uint64_t> repeated;  // tags with several different values
  std::optional<std::uint64_t> debug;   // the address of the last DT_DEBUG entry
  std::uint64_t address = 0;            // where the loader finds the table
  std::uint64_t entries = 0;            // number of entries before DT_NULL
  bool ended = false;                   // DT_NULL was found
  bool cut = false;                     // Limits::dynamic_entries was reached, and more entries exist

  std::optional<std::uint64_t> get(std::uint64_t tag) const {
    const auto at = last.find(tag);
    return at == last.end() ? std::nullopt : std::optional(at->second);
  }
};

std::string tag_name(std::uint64_t tag);  // "DT_STRTAB"

// The PT_DYNAMIC that the loader uses: the last one with a p_filesz above 0. Null if there is none.
const Segment* find_dynamic(std::span<const Segment> segments);
// Reads up to DT_NULL, regardless of p_filesz, as the loader does.
template <class ELFT>
DynamicTable read_dynamic(const Image& image, const Segment& segment, const Limits& limits);
// Adds flaws for everything that the loader rejects, and for everything that a reader of p_offset or p_filesz would see
// differently.
template <class ELFT>
void check_dynamic(const DynamicTable& table, std::span<const Segment> segments, std::uint16_t machine, Flaws& flaws);
// Whether the loader of the machine reads DT_REL; all of them read DT_RELA.
bool reads_rel(std::uint16_t machine);

// Checks the functions that the loader calls after relocation and when it unloads the file (glibc elf/dl-init.c,
// dl-fini.c).
void check_calls(const DynamicTable& table, const Image& image, bool descriptors, Flaws& flaws);

// Converts the entries to names, search paths and flags.
DynamicFacts dynamic_facts(const DynamicTable& table, Strings& strings, Flaws& flaws);

}  // namespace wheelcheck::elf
