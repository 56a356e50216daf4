// The process of a system with musl, of which no reference is compiled in: an interpreter of which only the C API is
// known, and the C library with the names of its newest release (data/c_names/musl.txt).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "wheelcheck/process.h"

namespace wheelcheck::environment {

// True if the program starts musl's loader.
bool is_musl_program(const ElfFacts& program);

// "/lib/ld-musl-x86_64.so.1" for EM_X86_64. For a machine that is not listed any name serves, because only the model
// uses it.
std::string_view musl_interpreter(const ElfFacts& machine);

// The C library, with the name of the program's interpreter.
process::File musl_library(const ElfFacts& program, std::vector<std::unique_ptr<const ElfFacts>>& facts);

// The default of ldso/dynlink.c, load_library.
inline constexpr std::string_view musl_directories[] = {"/lib", "/usr/local/lib", "/usr/lib"};

}  // namespace wheelcheck::environment
