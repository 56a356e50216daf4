// Trampolines: code that a function writes to the stack and passes on as the address of a nested function, so that this
// one finds the variables of the outer function (nested functions of GNU C, internal procedures of Fortran). Without an
// executable stack such a program crashes. What compilers write is always the same, except for two addresses:
//   gcc, x86-64: the last store is the constant `rex.WB jmp r11; nop` (gcc/config/i386/i386.cc, ix86_trampoline_init).
//   LLVM, x86-64: 16-bit constants, the starts of `movabs r11, imm64` and `movabs r10, imm64`
//     (llvm/lib/Target/X86/X86ISelLowering.cpp, LowerINIT_TRAMPOLINE).
//   gcc, AArch64: a copy of `ldr x17, .; ldr x18, .; br x17`, which lies in the code
//     (gcc/config/aarch64/aarch64.cc, aarch64_asm_trampoline_template).
// gcc 14 and newer can write them to memory of their own instead (-ftrampoline-impl=heap).
#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/byte_scan.h"
#include "elf/code.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t max_distance = 64;  // bytes between the two constants of LLVM

std::uint8_t byte_at(std::string_view file, std::size_t at) {
  return at < file.size() ? static_cast<std::uint8_t>(file[at]) : 0;
}

// Whether `mov word ptr [...], imm16` ends with the two bytes at `at`: 66, perhaps REX, C7, and 1 to 6 bytes of
// operand.
bool stores_word(std::string_view file, std::size_t at) {
  for (std::size_t back = 3; back <= 9 && back <= at; ++back) {
    if (byte_at(file, at - back) != 0x66) continue;
    const std::uint8_t next = byte_at(file, at - back + 1);
    if (next == 0xC7 || ((next & 0xF0) == 0x40 && byte_at(file, at - back + 2) == 0xC7)) return true;
  }
  return false;
}

bool writes_x86(std::string_view file, FileRange part) {
  constexpr std::string_view jump = "\x49\xFF\xE3\x90", other = "\x49\xBA";
  const auto matches = [](const auto& c, const auto& d, auto& marks) {
    marks = (c == 0x49) & ((d == 0xFF) | (d == 0xBB));
  };
  return any_pair(file, part.begin, part.end, matches, [&](std::size_t at) {
    if (byte_at(file, at + 1) == 0xFF) return file.substr(at).starts_with(jump);
    if (!stores_word(file, at)) return false;
    const std::size_t begin = at - std::min(at, max_distance), end = std::min(at + max_distance, file.size());
    for (std::size_t next = begin; next < end; ++next)
      if (file.substr(next).starts_with(other) && stores_word(file, next)) return true;
    return false;
  });
}

bool copies_arm(std::string_view file, FileRange part) {
  for (std::size_t at = (part.begin + 3) / 4 * 4; at < part.end && at + 12 <= file.size(); at += 4) {
    std::uint32_t words[3];
    std::memcpy(words, file.data() + at, sizeof words);
    if (words[2] == 0xD61F0220 && (words[0] & 0xFF00001F) == 0x58000011 && (words[1] & 0xFF00001F) == 0x58000012)
      return true;
  }
  return false;
}

}  // namespace

std::optional<bool> read_trampolines(const File& file, std::span<const Segment> segments, const Header& header) {
  const bool arm = header.machine == llvm::ELF::EM_AARCH64 && header.bits == 64 && header.little_endian;
  if (!arm && !is_x86_64(header)) return std::nullopt;
  const std::string_view text = Bytes(file.unchecked()).as_text();
  bool found = false;
  for (const FileRange& range : executable_ranges(segments, file.size()))
    file.search(range, max_distance, File::Search::Everything, [&](FileRange part) {
      found = found || (arm ? copies_arm(text, part) : writes_x86(text, part));
      return found ? range.end : part.end;
    });
  return found;
}

}  // namespace wheelcheck::elf
