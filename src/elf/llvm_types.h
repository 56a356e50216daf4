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
