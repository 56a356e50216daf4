// The door of this room: the bytes of one ELF file in, what it says to the loader out. Reading never fails; what cannot
// be read is a Flaw among the facts.
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

// 7F 'E' 'L' 'F', whatever follows.
bool has_elf_magic(std::span<const std::byte> head);

// `image` is the whole file. A Flaw is fatal where ld.so would refuse the file or bind it wrongly because of it.
ElfFacts read_elf(std::span<const std::byte> image, const Limits& limits);
// Of a file that `sieve` saw pass; the facts keep the pages of its string table. Error: bytes could not be fetched.
Result<ElfFacts> read_elf(std::unique_ptr<SparseBytes> pages, const PageFilter& page_filter, const Limits& limits);

}  // namespace wheelcheck::elf
