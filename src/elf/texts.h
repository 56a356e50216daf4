// Texts in the data that tell more than symbols do: names of libraries to open, versions, paths of the build machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "elf/image.h"
#include "elf/sections.h"
#include "wheelcheck/elf.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// A text is a line of printable ASCII and tabs that ends with a NUL or a line feed. Two limits follow from how linkers
// store constants: of strings that the linker merged ("libcuda.so.1" is the tail of "/usr/lib/libcuda.so.1") only the
// longest is seen, and texts without an end of their own (str of Rust, StringRef of a table) hang together.
TextFacts read_texts(const File& file, std::span<const FileRange> data, const Limits& limits, StringPool& pool);

// Calls `visit` for each place in bytes[begin, end) that may be the telling character of a text, whatever lies around
// `bytes`; a few that are none are among them.
void each_text_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                    const std::function<void(std::uint64_t)>& visit);

}  // namespace wheelcheck::elf
