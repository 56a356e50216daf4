// LLVM's record types for the four kinds of ELF file (class and byte order), and the constants of the gABI. Records are
// copied out of the file with memcpy and never cast in place, because the file may be unaligned.
#pragma once

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"

// Instantiates a template for every ELF type: expands MACRO(type) four times.
#define WHEELCHECK_FOR_EACH_ELF_TYPE(MACRO) \
  MACRO(llvm::object::ELF32LE)              \
  MACRO(llvm::object::ELF32BE)              \
  MACRO(llvm::object::ELF64LE)              \
  MACRO(llvm::object::ELF64BE)

namespace wheelcheck::elf {

// Calls a template for the class and the byte order of a file.
template <class Run>
auto as_elf(bool wide, bool little_endian, Run run) {
  using namespace llvm::object;
  if (wide) return little_endian ? run.template operator()<ELF64LE>() : run.template operator()<ELF64BE>();
  return little_endian ? run.template operator()<ELF32LE>() : run.template operator()<ELF32BE>();
}

}  // namespace wheelcheck::elf
