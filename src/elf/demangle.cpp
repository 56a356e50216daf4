#include "elf/demangle.h"

#include "llvm/Demangle/Demangle.h"

namespace wheelcheck::elf {

std::string demangle(std::string_view symbol) {
  if (symbol.size() > longest_mangled) return std::string(symbol);
  return llvm::demangle(symbol);
}

}  // namespace wheelcheck::elf
