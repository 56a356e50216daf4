// The entry point of the ELF reader: from the bytes of one file to ElfFacts. Reading never fails; what cannot be read
// is reported as a Flaw in the facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/sparse.h"
#include "elf/page_filter.h"
#include "wheelcheck/elf.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// True if the bytes start with 7F 'E' 'L' 'F'.
bool has_elf_magic(std::span<const std::byte> head);

// `image` is the whole file.
ElfFacts read_elf(std::span<const std::byte> image, const Limits& limits);
// Reads a file that was streamed through `sieve`. The facts take over the pages of the string table. Error: a page
// could not be fetched.
Result<ElfFacts> read_elf(std::unique_ptr<SparseBytes> pages, const PageFilter& page_filter, const Limits& limits);

}  // namespace wheelcheck::elf
