// Tests the kind of a member by its first bytes, and which first bytes are sufficient to exclude every kind.
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "wheel/roles.h"

namespace wheelcheck::wheel {
namespace {

using namespace std::string_view_literals;

ForeignKind kind_of(std::string_view name, std::string_view start) {
  return foreign_kind(name, 1000, archive::FirstBytes(std::as_bytes(std::span(start))), false);
}

std::string windows_program() {
  std::string out(64, '\0');
  out.replace(0, 2, "MZ");
  out[60] = '\x40';
  return out;
}

TEST(ForeignKind, IsKnownByItsFirstBytes) {
  const struct {
    std::string bytes;
    ForeignKind kind;
  } all[] = {{"PK\3\4", ForeignKind::Zip},
             {"PK\5\6", ForeignKind::Zip},
             {"\x1F\x8B\x08", ForeignKind::Gzip},
             {"BZh91AY", ForeignKind::Bzip2},
             {std::string("\xFD"
                          "7zXZ\0"sv),
              ForeignKind::Xz},
             {"\x28\xB5\x2F\xFD", ForeignKind::Zstandard},
             {"7z\xBC\xAF\x27\x1C", ForeignKind::SevenZip},
             {"!<arch>\n", ForeignKind::Ar},
             {"<bigaf>\n", ForeignKind::Ar},
             {"!<thin>\n", ForeignKind::Ar},
             {"\xCE\xFA\xED\xFE", ForeignKind::MachO},
             {"\xCF\xFA\xED\xFE", ForeignKind::MachO},
             {"\xFE\xED\xFA\xCE", ForeignKind::MachO},
             {"\xFE\xED\xFA\xCF", ForeignKind::MachO},
             {std::string("\xCA\xFE\xBA\xBE\0\0\0\2"sv), ForeignKind::MachO},
             {std::string("\xCA\xFE\xBA\xBE\0\0\0\x34"sv), ForeignKind::JavaClass},
             {windows_program(), ForeignKind::WindowsProgram},
             {std::string("\0asm"sv), ForeignKind::WebAssembly},
             {"BC\xC0\xDE", ForeignKind::LlvmBitcode},
             {"\xDE\xC0\x17\x0B", ForeignKind::LlvmBitcode},
             {"\x50\xED\x55\xBA", ForeignKind::CudaFatBinary},
             {"__CLANG_OFFLOAD_BUNDLE__", ForeignKind::OffloadBundle},
             {"CCOB", ForeignKind::OffloadBundle},
             {"\x03\x02\x23\x07", ForeignKind::SpirV},
             {".version 8.0", ForeignKind::Ptx}};
  for (const auto& one : all) EXPECT_EQ(kind_of("data.bin", one.bytes), one.kind) << one.bytes;
}

TEST(ForeignKind, OfALibrarysNameDependsOnAllItsStart) {
  for (const std::string_view name : {"libfoo.so"sv, "libfoo.so.1.2"sv}) {
    EXPECT_EQ(kind_of(name, "GROUP ( libc.so.6 )"), ForeignKind::LinkerScript);
    EXPECT_EQ(kind_of(name, "GONE"), ForeignKind::TextLibrary);
    EXPECT_EQ(kind_of(name, "G\1\0\2"sv), ForeignKind::DataLibrary);
  }
}

}  // namespace
}  // namespace wheelcheck::wheel
