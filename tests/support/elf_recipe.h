// Creates ELF files for tests from a description: any class, byte order and machine; valid ones that a real ld.so
// loads, and with patches invalid ones.
//
//   ElfRecipe recipe{.soname = "libfoo.so.1", .needed = {"libc.so.6"}};
//   recipe.needs = {{.library = "libc.so.6", .version = "GLIBC_2.17", .symbols = {{.name = "memcpy"}}}};
//   recipe.exports = {{.name = "PyInit_foo"}};
//   const std::string bytes = make_elf(recipe);
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wheelcheck/elf.h"

namespace wheelcheck::test {

struct RecipeSymbol {
  std::string name;
  SymbolKind kind = SymbolKind::Function;
  bool weak = false;    // STB_WEAK
  bool unique = false;  // STB_GNU_UNIQUE
  Visibility visibility = Visibility::Default;
  // The kind of relocation for the symbol. nullopt: for an imported function a jump slot, for another import a GOT
  // entry, for an export none.
  std::optional<Bound> bound;
  bool default_version = true;  // exports of a version: name@@VERSION rather than name@VERSION
  std::uint64_t size = 16;      // st_size of an export
  std::uint32_t returns = 0;    // return value of an exported function of x86 and AArch64
};
struct RecipeNeed {
  std::string library, version;
  bool weak = false;  // VER_FLG_WEAK
  std::vector<RecipeSymbol> symbols;
};
struct RecipeDefinition {
  std::string version;
  bool weak = false;
  std::vector<RecipeSymbol> symbols;
};
// Bytes that replace those of the finished file at a place of ElfImage::offsets ("" is the start of the file), plus an
// offset.
struct RecipePatch {
  std::string at;
  std::int64_t plus = 0;
  std::string bytes;
};
// A program header that is added after the others, unchanged.
struct RecipeSegment {
  std::uint32_t type = 0, flags = 4;
  std::uint64_t offset = 0, address = 0, file_size = 0, memory_size = 0, align = 0;
};
// A section without a field in the recipe: .rodata, .comment, .nv_fatbin. With SHF_ALLOC (2) it is in the segment of
// the tables, with also SHF_WRITE (1) in that of the data, without either in no segment.
struct RecipeSection {
  std::string name, bytes;
  std::uint64_t flags = 2;
  std::uint32_t type = 1;  // SHT_PROGBITS
};
enum class HashTables { Gnu, Sysv, Both, None };
enum class SplitDebug {
  No,
  NoBytes,       // as by objcopy --only-keep-debug: p_filesz 0, sections are SHT_NOBITS
  SectionsOnly,  // as by older tools: program headers unchanged, but with other bytes
};

struct ElfRecipe {
  std::uint16_t machine = 62;  // EM_X86_64
  int bits = 64;
  bool big_endian = false;
  std::uint16_t type = 3;              // ET_DYN
  std::optional<std::uint32_t> flags;  // e_flags; nullopt: those of the machine's usual ABI
  std::uint8_t os_abi = 0;

  std::optional<std::string> interp, soname, rpath, runpath;
  std::vector<std::string> needed, filters, auxiliaries;
  std::vector<RecipeNeed> needs;
  std::vector<RecipeDefinition> defines;
  std::vector<RecipeSymbol> imports, exports;  // without a version
  HashTables hash = HashTables::Gnu;

  std::uint64_t dt_flags = 0, dt_flags_1 = 0;                               // DF_*, DF_1_*
  bool symbolic = false, textrel = false, bind_now = false, debug = false;  // DT_SYMBOLIC ...
  std::vector<std::pair<std::uint64_t, std::uint64_t>> extra_dynamic;       // before DT_NULL

  std::optional<std::uint32_t> gnu_stack = 6;  // PF_R | PF_W; nullopt: no PT_GNU_STACK
  bool relro = false;
  bool writable_code = false;
  std::optional<std::uint64_t> load_align;  // nullopt: 64 KiB if the machine has such pages, otherwise 4 KiB
  std::string build_id;                     // hex
  std::uint32_t x86_isa_needed = 0, x86_isa_used = 0, x86_features = 0;
  std::uint32_t android_api = 0;         // an Android note
  std::optional<unsigned> arm_cpu_arch;  // in the section .ARM.attributes
  std::vector<RecipeSection> sections;
  bool dynamic = true;  // false: a static program, or ET_REL

  bool strip_sections = false;
  SplitDebug split_debug = SplitDebug::No;
  std::vector<RecipeSegment> extra_segments;
  std::vector<RecipePatch> patches;
  std::optional<std::uint64_t> cut_at;  // number of bytes that are kept of the file
};

struct ElfImage {
  std::string bytes;
  // Places in the file and in memory: "ehdr", "phdr:PT_DYNAMIC" (the first of the type), ".dynsym" and other section
  // names, "dynamic:5" (the value of the first entry of that tag; only in `offsets`).
  std::map<std::string, std::uint64_t> offsets, addresses;
};

ElfImage build_elf(const ElfRecipe& recipe);
std::string make_elf(const ElfRecipe& recipe);
// A number in the encoding of a file of that recipe, for patches.
std::string encoded(const ElfRecipe& recipe, std::uint64_t value, int bytes);

// {"machine": 62, "bits": 64, "soname": "x", "needs": [{"library": "libc.so.6", "version": "GLIBC_2.17", "symbols":
// ["memcpy", {"name": "x", "weak": true, "kind": "object"}]}], ...}: the names of the fields above. A symbol is a name
// or an object; the bytes of a section are "text" or "hex"; a patch is {"at", "plus", "hex"} or {"at", "plus",
// "u16"|"u32"|"u64"}. Throws std::invalid_argument for an unknown field, so that a typo does not go unnoticed.
ElfRecipe elf_recipe_from_json(const nlohmann::json& json);

}  // namespace wheelcheck::test
