// Facts that only sections hold: what compilers wrote about themselves, and how much of the file is for debuggers.
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

// Which bytes of a file are data that no table of the loader claims: where texts, device code and module slots lie. By
// section headers where there are any, else by segments.

// Each list is sorted and disjoint, and lies within the file: a hostile file may name one range a million times.
struct DataRanges {
  std::vector<FileRange> data;      // not executable, and none of the others
  std::vector<FileRange> writable;  // of `data`: what the loader may write to, before RELRO at least
  std::vector<FileRange> nvidia, amd;
};

// `names`: the dynamic string table, which is no data even where only segments tell.
DataRanges find_places(std::uint64_t file_size, std::span<const Segment> segments, std::span<const Section> sections,
                       std::optional<FileRange> names);

// Whether a PT_LOAD may hold data, as far as segments tell.
bool holds_data(const Segment& segment, std::span<const Segment> segments);

}  // namespace wheelcheck::elf
