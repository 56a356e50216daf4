// Whether an extension module declares that it works without the GIL (PEP 703, Py_mod_gil).
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

// True if there is a PyInit_ or PyModExport_ function. Only such a module has slots.
bool exports_module_init(const std::optional<DynamicFacts>& dynamic);

// Searches the writable data for {Py_mod_gil, Py_MOD_GIL_NOT_USED} in an array of PyModuleDef_Slot or PySlot. This is a
// heuristic: any table with the words 4, 1, 0, 0 looks the same. It does not find arrays that are filled in at run
// time, nor PyUnstable_Module_SetGIL, which is an import.
bool has_gil_slot(const File& file, std::span<const FileRange> writable, unsigned bits, bool little_endian);

// Calls `visit` for each offset in bytes[begin, end) at which such a slot may start. `word` is the size of a word in
// bytes; only offsets aligned to it are tested.
void each_slot_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t word,
                    bool little_endian, const std::function<void(std::uint64_t)>& visit);

}  // namespace wheelcheck::elf
