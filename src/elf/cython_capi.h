// The C functions that a module of Cython offers to other modules, and the functions and types that it takes from them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// Whether a file may export or import C functions, or import types.
bool may_have_cython_capi(const DynamicFacts& facts, const TextFacts& texts);

// "capi export f: int (int, double)", "capi import f: int (int, double)"; sorted, each once. Modules of Cython
// before 3.2, whose code names each function with its signature, for x86-64. Newer modules keep them in one compressed
// text without marks where a name begins.
// "import type numpy.dtype 96": the module refuses a type whose objects are smaller; "... 96 exact": or larger.
// loads: StartupCode::loads.
std::vector<std::string> read_cython_capi(const File& file, const Image& image, std::span<const Segment> segments,
                                          const Header& header, const TextFacts& texts,
                                          std::span<const std::uint64_t> loads);

}  // namespace wheelcheck::elf
