// The slots of a module that its PyInit function writes, as pybind11 3 makes it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// "slots made 1 2 3 4": the numbers of the slots, with 4 (Py_mod_gil) only if its value is Py_MOD_GIL_NOT_USED. "" if
// no such code is found. x86-64, files up to most_code_bytes.
std::string read_code_slots(const File& file, const Image& image, std::span<const Segment> segments,
                            const DynamicTable& table, const Header& header, const DynamicFacts& facts);

}  // namespace wheelcheck::elf
