// LLVM's record types for the four kinds of ELF file (class times byte order), and the numbers of the gABI. Records are
// copied out of the file with memcpy, never cast in place.
#pragma once

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"

// Instantiates a template for every ELF type; MACRO takes the type.
#define WHEELCHECK_FOR_EACH_ELF_TYPE(MACRO) \
  MACRO(llvm::object::ELF32LE)              \
  MACRO(llvm::object::ELF32BE)              \
  MACRO(llvm::object::ELF64LE)              \
  MACRO(llvm::object::ELF64BE)
