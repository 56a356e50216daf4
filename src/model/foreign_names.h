// How members that are no ELF files, and yet code or archives, are called in every report.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "wheelcheck/member.h"

namespace wheelcheck {

inline constexpr std::array<std::pair<ForeignKind, std::string_view>, 22> foreign_names{{
    {ForeignKind::None, ""},
    {ForeignKind::Zip, "zip archive"},
    {ForeignKind::Gzip, "gzip data"},
    {ForeignKind::Bzip2, "bzip2 data"},
    {ForeignKind::Xz, "xz data"},
    {ForeignKind::Zstandard, "zstandard data"},
    {ForeignKind::SevenZip, "7z archive"},
    {ForeignKind::Ar, "ar archive"},
    {ForeignKind::MachO, "Mach-O file"},
    {ForeignKind::WindowsProgram, "Windows program"},
    {ForeignKind::WebAssembly, "WebAssembly"},
    {ForeignKind::LlvmBitcode, "LLVM bitcode"},
    {ForeignKind::CudaFatBinary, "CUDA fat binary"},
    {ForeignKind::Ptx, "PTX"},
    {ForeignKind::OffloadBundle, "offload bundle"},
    {ForeignKind::SpirV, "SPIR-V"},
    {ForeignKind::JavaClass, "Java class"},
    {ForeignKind::Inside, "data with an ELF file inside"},
    {ForeignKind::EmptyLibrary, "empty file named as a library"},
    {ForeignKind::LinkerScript, "linker script"},
    {ForeignKind::TextLibrary, "text named as a library"},
    {ForeignKind::DataLibrary, "data named as a library"},
}};

}  // namespace wheelcheck
