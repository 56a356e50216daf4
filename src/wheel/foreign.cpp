// Kinds by the first bytes, from each format's own specification; then by the name of a library that is none.
#include "wheel/foreign.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/text.h"

namespace wheelcheck::wheel {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  ForeignKind kind;
};
constexpr Magic magics[] = {
    {"PK\x03\x04"sv, ForeignKind::Zip},
    {"PK\x05\x06"sv, ForeignKind::Zip},  // without a member
    {"\x1F\x8B\x08"sv, ForeignKind::Gzip},
    {"BZh"sv, ForeignKind::Bzip2},
    {"\xFD"
     "7zXZ\0"sv,
     ForeignKind::Xz},
    {"\x28\xB5\x2F\xFD"sv, ForeignKind::Zstandard},
    {"7z\xBC\xAF\x27\x1C"sv, ForeignKind::SevenZip},
    {"!<arch>\n"sv, ForeignKind::Ar},
    {"!<thin>\n"sv, ForeignKind::Ar},
    {"\xCE\xFA\xED\xFE"sv, ForeignKind::MachO},
    {"\xCF\xFA\xED\xFE"sv, ForeignKind::MachO},
    {"\xFE\xED\xFA\xCE"sv, ForeignKind::MachO},
    {"\xFE\xED\xFA\xCF"sv, ForeignKind::MachO},
    {"\0asm"sv, ForeignKind::WebAssembly},
    {"BC\xC0\xDE"sv, ForeignKind::LlvmBitcode},
    {"\xDE\xC0\x17\x0B"sv, ForeignKind::LlvmBitcode},    // with a header around it
    {"\x50\xED\x55\xBA"sv, ForeignKind::CudaFatBinary},  // as elf/fatbin.cpp finds it in host files
    {"__CLANG_OFFLOAD_BUNDLE__"sv, ForeignKind::OffloadBundle},
    {"CCOB"sv, ForeignKind::OffloadBundle},  // packed
    {"\x03\x02\x23\x07"sv, ForeignKind::SpirV},
    {".version "sv, ForeignKind::Ptx},
};

// A fat Mach-O file and a Java class begin alike; what follows is a small number of architectures, or a version of 45
// and more.
ForeignKind cafebabe(std::string_view start) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(start[i]); };
  const bool small = byte(4) == 0 && byte(5) == 0 && byte(6) == 0 && byte(7) < 45;
  return small ? ForeignKind::MachO : ForeignKind::JavaClass;
}

// e_lfanew, the offset of the "PE" header, is at 60; where the first bytes do not reach that far, MZ alone says little.
bool is_windows_program(std::string_view start, std::uint64_t size) {
  if (!start.starts_with("MZ") || start.size() < 64) return false;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < 4; ++i) at |= std::uint32_t{static_cast<unsigned char>(start[60 + i])} << (8 * i);
  return at >= 4 && at < size;
}

// libfoo.so, libfoo.so.1.2: what a loader is given.
bool is_library_name(std::string_view name) {
  const std::size_t at = name.rfind(".so");
  if (at == std::string_view::npos) return false;
  const std::string_view rest = name.substr(at + 3);
  return rest.empty() ||
         (rest.front() == '.' && std::ranges::all_of(rest, [](char c) { return is_digit(c) || c == '.'; }));
}

bool is_text(std::string_view start) {
  return std::ranges::all_of(start, [](char c) { return (c >= ' ' && c != 0x7F) || is_blank(c); }) || is_utf8(start);
}

ForeignKind fake_library(std::string_view start, std::uint64_t size) {
  if (size == 0) return ForeignKind::EmptyLibrary;
  for (const std::string_view word : {"/* GNU ld script"sv, "GROUP"sv, "INPUT"sv, "OUTPUT_FORMAT"sv})
    if (start.starts_with(word)) return ForeignKind::LinkerScript;
  return is_text(start) && start.find('\0') == start.npos ? ForeignKind::TextLibrary : ForeignKind::DataLibrary;
}

}  // namespace

ForeignKind foreign_kind(std::string_view name, std::uint64_t size, const archive::Start& head, bool elf_inside) {
  const std::string_view start = Bytes(head.bytes()).as_text();
  const auto known = std::ranges::find_if(magics, [&](const Magic& magic) { return start.starts_with(magic.bytes); });
  if (known != std::end(magics)) return known->kind;
  if (start.starts_with("\xCA\xFE\xBA\xBE") && start.size() >= 8) return cafebabe(start);
  if (is_windows_program(start, size)) return ForeignKind::WindowsProgram;
  if (name.ends_with(".ptx")) return ForeignKind::Ptx;
  if (elf_inside) return ForeignKind::Inside;
  return is_library_name(name) ? fake_library(start, size) : ForeignKind::None;
}

}  // namespace wheelcheck::wheel
