// Facts that are only in sections: the texts of the compilers, and the size of the debug information.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

SectionFacts section_facts(const File& file, std::span<const Section> sections, StringPool& pool);

// --- ranges of data -----------------------------------------------------------------------------------------------

// The ranges of a file that contain data but no table of the loader. Texts, device code and module slots are searched
// there. They come from the section headers, or from the segments if there are none.

// Each list is sorted, disjoint and inside the file, because a malicious file may name one range a million times.
struct DataRanges {
  std::vector<FileRange> data;      // not executable, and in none of the other lists
  std::vector<FileRange> writable;  // the part of `data` that is writable, at least before RELRO
  std::vector<FileRange> nvidia, amd;
};

// `names` is the dynamic string table. It is excluded, because segments do not show that it is not data.
DataRanges find_places(std::uint64_t file_size, std::span<const Segment> segments, std::span<const Section> sections,
                       std::optional<FileRange> names);

// True if a PT_LOAD may contain data, judging by the segments.
bool holds_data(const Segment& segment, std::span<const Segment> segments);

}  // namespace wheelcheck::elf
