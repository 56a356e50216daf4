// The machine code of a file and the symbols that lead into it, for the readers that look for calls and instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "code/instruction.h"
#include "elf/code_scan.h"
#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "elf/llvm_types.h"
#include "elf/sections.h"
#include "model/module_names.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// In larger files the readers of interfaces and of calls of the loader search no code: this bounds the time.
constexpr std::uint64_t max_code_bytes = std::uint64_t{12} << 20;

// Part of an executable segment, without the bytes that are not in the file.
struct Code {
  std::uint64_t address = 0;
  std::span<const std::byte> bytes;
  std::string_view text() const { return Bytes(bytes).as_text(); }
  bool contains(std::uint64_t at) const { return at - address < bytes.size(); }
  std::uint8_t at(std::size_t i) const { return static_cast<std::uint8_t>(bytes[i]); }
  std::uint32_t word(std::size_t i) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    return value;
  }
  // A signed 32-bit offset from the address behind it.
  std::uint64_t relative(std::size_t i) const {
    return address + i + 4 + static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word(i))});
  }
};

// The first 16 executable segments, together at most as many bytes as the file has, because segments may lie over each
// other. Empty for a larger file than max_code_bytes and for machines other than x86-64 and AArch64.
std::vector<Code> code_of(const File& file, const Image& image, std::span<const Segment> segments,
                          const Header& header);
inline bool is_x86_64(const Header& header) {
  return header.machine == llvm::ELF::EM_X86_64 && header.bits == 64 && header.little_endian;
}
// A library or a program that is loaded like one.
inline bool is_x86_64_library(const Header& header) { return is_x86_64(header) && header.type == llvm::ELF::ET_DYN; }
// The same, of a machine whose code is followed from its entries.
inline bool has_followed_code(const Header& header) {
  const bool arm = header.machine == llvm::ELF::EM_AARCH64 && header.bits == 64 && header.little_endian;
  return (is_x86_64(header) || arm) && header.type == llvm::ELF::ET_DYN;
}

// Starts of functions, by PT_GNU_EH_FRAME's sorted table (LSB Core, "The .eh_frame_hdr section"); empty where there is
// none of the usual form.
std::vector<std::uint64_t> function_starts(const Image& image, std::span<const Segment> segments);

// Whether the file imports what tells a program what the processor has.
bool tests_processor(const DynamicFacts& facts);

// An entry of the dynamic symbol table.
struct CodeSymbol {
  std::uint32_t index = 0;
  std::string_view tail;  // the string table from the name on
  std::uint64_t value = 0, size = 0;
  std::uint8_t type = 0;
  bool defined = false;

  std::string_view name() const { return tail.substr(0, tail.substr(0, 128).find('\0')); }  // at most 128 bytes
  bool is_module_init() const { return defined && is_module_hook(tail); }
};
// 64-bit little-endian files only. Without the null symbol and symbols whose name lies outside the string table.
void each_code_symbol(const Image& image, const DynamicTable& table, std::uint32_t count,
                      const std::function<void(const CodeSymbol&)>& visit);

// The entries of DT_JMPREL and DT_RELA. 64-bit little-endian files only.
template <class Visit>
void each_relocation(const Image& image, const DynamicTable& table, Visit visit) {
  using namespace llvm::ELF;
  using Rela = llvm::object::ELF64LE::Rela;
  for (const auto& [start, size] : {std::pair(DT_JMPREL, DT_PLTRELSZ), std::pair(DT_RELA, DT_RELASZ)})
    if (const auto at = table.get(start))
      image.walk(*at, table.get(size).value_or(0), sizeof(Rela), [&](std::span<const std::byte> bytes) {
        for (std::size_t i = 0; i + sizeof(Rela) <= bytes.size(); i += sizeof(Rela)) {
          Rela record;
          std::memcpy(&record, bytes.data() + i, sizeof record);
          visit(record);
        }
      });
}

// Calls of dlopen, dlmopen and dlsym(RTLD_NEXT) in the machine code of x86-64 and AArch64.

// Sorted, each once.
std::vector<LoaderCall> read_loader_calls(const File& file, const Image& image, std::span<const Segment> segments,
                                          const DynamicTable& table, const Header& header, const DynamicFacts& facts);

// A direct call in machine code, and those of its arguments that are constants.
struct CodeCall {
  using Arguments = std::array<std::optional<std::uint64_t>, 6>;
  std::uint64_t address = 0;
  Arguments arguments;
};

// The code that runs when a file is loaded: instructions for newer processors, and calls with a constant argument.
struct StartupCode {
  std::vector<StartupInstruction> instructions;  // one for each feature
  std::vector<CodeCall> calls;                   // sorted
  bool cut = false;                              // the search ended at its limit
};

// The code of a library for x86-64, which is searched when an answer is asked for.
class SearchedCode {
 public:
  struct Part {
    FileRange range;
    std::uint64_t address = 0;
  };
  SearchedCode(const File& file, const Header& header, std::span<const Segment> segments,
               std::span<const Section> sections);
  // Whether CPUID or XGETBV is in it. True also where that cannot be seen.
  bool tests_processor() const;
  bool has_much_avx() const;
  // The sections with code, without the PLT, or the executable segments if there are no such sections; in the order of
  // the file. Empty for other files.
  const std::vector<Part>& parts() const { return parts_; }
  // Where AVX is most frequent, an offset.
  std::uint64_t richest() const { return pairs().richest(); }

 private:
  const PairCount& pairs() const;
  template <class Search>
  void feed(Search& search) const;

  const File& file_;
  std::vector<FileRange> executable_, ranges_;
  std::vector<Part> parts_;
  mutable std::optional<PairCount> pairs_;
  mutable std::optional<TestSearch> tests_;
};

// all_calls: `calls` is filled, also if the code tests the processor.
StartupCode read_startup_code(const File& file, const Image& image, std::span<const Segment> segments,
                              std::span<const Section> sections, const DynamicTable& table, const Header& header,
                              const DynamicFacts& facts, const SearchedCode& searched, bool all_calls);

// AVX instructions in files that do not test the processor.
std::optional<VectorCode> read_vector_code(const File& file, const Image& image, const SearchedCode& code,
                                           const DynamicTable& table, const DynamicFacts& facts);

// Whether the code writes code to the stack and runs it there. nullopt for machines other than x86-64 and AArch64.
std::optional<bool> read_trampolines(const File& file, std::span<const Segment> segments, const Header& header);

}  // namespace wheelcheck::elf
