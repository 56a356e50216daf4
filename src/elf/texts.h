// Texts in the data of a file: names of libraries to open, versions, build paths, and the texts of import checks. They
// show what a file uses beyond its symbols.
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

// A text is a line of printable ASCII and tabs that ends with a NUL or a line feed. There are two limitations: if the
// linker merged strings ("libcuda.so.1" is the tail of "/usr/lib/libcuda.so.1"), only the longest is found; and texts
// without a terminator (str of Rust, StringRef of a table) are found as one text.
struct DataTexts {
  TextFacts texts;
  InterfaceFacts interfaces;      // what the texts alone say
  bool checks_sizes = false;      // Cython's message about a type of another size
  bool names_overcommit = false;  // jemalloc_hint
};
DataTexts read_texts(const File& file, std::span<const FileRange> data, const Limits& limits, StringPool& pool);

// Calls `visit` for each offset in bytes[begin, end) that may be a significant character of a text, independent of the
// bytes around `bytes`. It may also be called for other offsets.
void each_text_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                    const std::function<void(std::uint64_t)>& visit);

}  // namespace wheelcheck::elf
