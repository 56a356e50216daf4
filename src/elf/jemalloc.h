// The page size that a jemalloc in the file was compiled for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// A text near the message in the data of jemalloc. It has a character that the search for texts looks for.
constexpr std::string_view jemalloc_hint = "/proc/sys/vm/overcommit_memory";

// The size in bytes. nullopt: no jemalloc, or its code has another form. AArch64 and little-endian ppc64; the machines
// for which kernels with other pages than 4 KiB exist.
std::optional<std::uint64_t> read_jemalloc_page(const File& file, const Image& image, std::span<const Segment> segments,
                                                const Header& header, const TextFacts& texts);

}  // namespace wheelcheck::elf
