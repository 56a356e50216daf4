// The dynamic section: which tables there are, and what it says in so many words.
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
  // By tag. The last entry of a tag counts (glibc elf/get-dynamic-info.h).
  std::map<std::uint64_t, std::uint64_t> last;
  // DT_NEEDED, DT_FILTER, DT_AUXILIARY in file order: the loader walks these (glibc elf/dl-deps.c).
  std::vector<std::pair<std::uint64_t, std::uint64_t>> libraries;
  std::vector<std::uint64_t> repeated;  // tags given more than once with different values
  std::uint64_t entries = 0;            // before DT_NULL
  bool ended = false;                   // DT_NULL was met
  bool cut = false;                     // Limits::dynamic_entries were read and there are more

  std::optional<std::uint64_t> get(std::uint64_t tag) const {
    const auto at = last.find(tag);
    return at == last.end() ? std::nullopt : std::optional(at->second);
  }
};

std::string tag_name(std::uint64_t tag);  // "DT_STRTAB"

// The PT_DYNAMIC that the loader takes: the last one that has bytes in the file.
const Segment* find_dynamic(std::span<const Segment> segments);
// Reads to DT_NULL whatever p_filesz says, as the loader does.
template <class ELFT>
DynamicTable read_dynamic(const Image& image, const Segment& segment, const Limits& limits);
// Remarks on what readers of p_offset or p_filesz would see otherwise, and on what the loader refuses.
template <class ELFT>
void check_dynamic(const DynamicTable& table, std::span<const Segment> segments, std::uint16_t machine, Flaws& flaws);
// Whether the loader of the machine reads DT_REL; all of them read DT_RELA.
bool reads_rel(std::uint16_t machine);

// What the loader calls as soon as the file is relocated, and when it lets it go (glibc elf/dl-init.c, dl-fini.c).
void check_calls(const DynamicTable& table, const Image& image, bool descriptors, Flaws& flaws);

// Names, search paths and flags.
DynamicFacts dynamic_facts(const DynamicTable& table, Strings& strings, Flaws& flaws);

}  // namespace wheelcheck::elf
