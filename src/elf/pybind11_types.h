// The C++ types that a module registers with pybind11 for all modules of the process.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"

namespace wheelcheck::elf {

// "pybind11 type 15gptj_gpt_params", the name of the std::type_info; sorted, each once. Not the types that are
// registered with py::module_local. x86-64, files up to most_code_bytes, pybind11 2 (internals v4 and v5).
std::vector<std::string> read_pybind11_types(const File& file, const Image& image, std::span<const Segment> segments,
                                             const DynamicTable& table, const Header& header, const ElfFacts& facts);

}  // namespace wheelcheck::elf
