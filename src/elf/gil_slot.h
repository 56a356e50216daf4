// Whether an extension module says that it does without the GIL (PEP 703).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "elf/image.h"
#include "elf/sections.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// PyInit_x: else nobody reads a slot.
bool exports_module_init(const std::optional<DynamicFacts>& dynamic);

// A likeness, since nothing in a file says what its words mean: {Py_mod_gil, Py_MOD_GIL_NOT_USED} in an array of
// PyModuleDef_Slot. Any table of words that goes 4, 1, 0, 0 looks the same. Arrays that the program fills in as it runs
// are not seen, nor is PyUnstable_Module_SetGIL, which is an import.
bool has_gil_slot(const File& file, std::span<const FileRange> writable, unsigned bits, bool little_endian);

// Calls `visit` for each place in bytes[begin, end) at which a slot may start: words of `word` bytes, aligned to them
// in `bytes`.
void each_slot_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t word,
                    bool little_endian, const std::function<void(std::uint64_t)>& visit);

}  // namespace wheelcheck::elf
