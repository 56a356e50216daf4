// The tables of the dynamic section as bytes, and the properties of machines: the parts of elf_recipe.cpp that do not
// depend on the layout of the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/elf_recipe.h"

namespace wheelcheck::test {

// Writes numbers in the byte order of a file.
class ElfOut {
 public:
  ElfOut(int bits, bool big_endian) : bits_(bits), big_(big_endian) {}
  ElfOut& u8(std::uint64_t value) { return put(value, 1); }
  ElfOut& u16(std::uint64_t value) { return put(value, 2); }
  ElfOut& u32(std::uint64_t value) { return put(value, 4); }
  ElfOut& u64(std::uint64_t value) { return put(value, 8); }
  ElfOut& word(std::uint64_t value) { return put(value, bits_ / 8); }  // Elf_Addr, Elf_Off, Elf_Xword where class-sized
  ElfOut& raw(std::string_view text) {
    bytes.append(text);
    return *this;
  }
  ElfOut& pad(std::uint64_t align) {
    while (bytes.size() % align != 0) bytes.push_back('\0');
    return *this;
  }
  ElfOut& put(std::uint64_t value, int size);
  std::string bytes;

 private:
  int bits_;
  bool big_;
};

class StringTable {
 public:
  std::uint32_t add(const std::string& text);
  std::string bytes = std::string(1, '\0');

 private:
  std::map<std::string, std::uint32_t> known_;
};

struct PlacedSymbol {
  RecipeSymbol symbol;
  bool defined = false;
  std::uint32_t name = 0;     // offset in .dynstr
  std::uint16_t version = 1;  // in .gnu.version
  std::uint64_t place = 0;    // of an export, offset in .text or .data
  Bound bound = Bound::Never;
};

struct MachineHabits {
  bool rela = true;
  std::uint32_t glob_dat = 0, jump_slot = 0, flags = 0;
  std::uint64_t page = 4096;
  bool wide_hash = false;  // 64-bit words in DT_HASH
};
MachineHabits habits_of(const ElfRecipe& recipe);

struct Tables {
  StringTable strings;
  std::vector<PlacedSymbol> symbols;  // symbols[0] is the null symbol; exports last, in the order of DT_GNU_HASH
  std::string versym, verneed, verdef, hash, gnu_hash;
  std::uint64_t need_count = 0, definition_count = 0;
};
Tables make_tables(const ElfRecipe& recipe);
std::string function_code(const ElfRecipe& recipe, std::uint32_t returns);  // 16 bytes
std::string notes_of(const ElfRecipe& recipe, bool properties);             // the content of one section
std::string arm_attributes(const ElfRecipe& recipe);

}  // namespace wheelcheck::test
