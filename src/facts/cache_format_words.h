// The words and letters of kept facts (facts/cache_format.h), in one place for writer and reader.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "facts/words.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::facts {

inline constexpr Words<Arch, 11> arch_words{{{Arch::x86_64, "x86_64"},
                                             {Arch::i686, "i686"},
                                             {Arch::aarch64, "aarch64"},
                                             {Arch::armv7l, "armv7l"},
                                             {Arch::armv6l, "armv6l"},
                                             {Arch::ppc64le, "ppc64le"},
                                             {Arch::ppc64, "ppc64"},
                                             {Arch::s390x, "s390x"},
                                             {Arch::riscv64, "riscv64"},
                                             {Arch::loongarch64, "loongarch64"},
                                             {Arch::Other, "other"}}};
inline constexpr Words<Libc, 4> libc_words{
    {{Libc::None, "none"}, {Libc::Glibc, "glibc"}, {Libc::Musl, "musl"}, {Libc::Bionic, "bionic"}}};
inline constexpr Words<MachineUse, 2> use_words{{{MachineUse::Host, "host"}, {MachineUse::Device, "device"}}};
inline constexpr Words<Relro, 3> relro_words{
    {{Relro::None, "none"}, {Relro::Partial, "partial"}, {Relro::Full, "full"}}};
inline constexpr Words<ElfArea, 8> elf_area_words{{{ElfArea::Header, "header"},
                                                   {ElfArea::ProgramHeaders, "program_headers"},
                                                   {ElfArea::Dynamic, "dynamic"},
                                                   {ElfArea::Strings, "strings"},
                                                   {ElfArea::Versions, "versions"},
                                                   {ElfArea::Symbols, "symbols"},
                                                   {ElfArea::Relocations, "relocations"},
                                                   {ElfArea::Notes, "notes"}}};
inline constexpr Words<WheelArea, 8> wheel_area_words{{{WheelArea::Name, "name"},
                                                       {WheelArea::DistInfo, "dist_info"},
                                                       {WheelArea::Wheel, "wheel"},
                                                       {WheelArea::Metadata, "metadata"},
                                                       {WheelArea::Record, "record"},
                                                       {WheelArea::Member, "member"},
                                                       {WheelArea::Variant, "variant"},
                                                       {WheelArea::Sbom, "sbom"}}};
inline constexpr Words<DeviceImage::Kind, 4> image_words{{{DeviceImage::Kind::Cubin, "cubin"},
                                                          {DeviceImage::Kind::Ptx, "ptx"},
                                                          {DeviceImage::Kind::AmdGpu, "amdgpu"},
                                                          {DeviceImage::Kind::Other, "other"}}};
inline constexpr Words<LoadCall, 4> call_words{{{LoadCall::SetDlopenFlags, "setdlopenflags"},
                                                {LoadCall::Cdll, "cdll"},
                                                {LoadCall::CffiDlopen, "cffi"},
                                                {LoadCall::FindLibrary, "find_library"}}};
inline constexpr Words<Reach, 3> reach_words{
    {{Reach::Possible, "possible"}, {Reach::Likely, "likely"}, {Reach::Certain, "certain"}}};
inline constexpr Words<PythonAction, 8> action_words{{{PythonAction::Import, "import"},
                                                      {PythonAction::Call, "call"},
                                                      {PythonAction::Enter, "enter"},
                                                      {PythonAction::Leave, "leave"},
                                                      {PythonAction::Pause, "pause"},
                                                      {PythonAction::SaveFlags, "save_flags"},
                                                      {PythonAction::SetFlags, "set_flags"},
                                                      {PythonAction::Load, "load"}}};

// A letter a symbol, in a text as long as the table; the first is what most symbols are.
template <class Enum, std::size_t n>
using Letters = std::array<std::pair<Enum, char>, n>;

inline constexpr Letters<SymbolKind, 7> kind_letters{{{SymbolKind::Function, 'f'},
                                                      {SymbolKind::NoType, 'n'},
                                                      {SymbolKind::Object, 'o'},
                                                      {SymbolKind::Tls, 't'},
                                                      {SymbolKind::Ifunc, 'i'},
                                                      {SymbolKind::Common, 'c'},
                                                      {SymbolKind::Other, 'x'}}};
inline constexpr Letters<Binding, 3> binding_letters{
    {{Binding::Global, 'g'}, {Binding::Weak, 'w'}, {Binding::Unique, 'u'}}};
inline constexpr Letters<Visibility, 3> visibility_letters{
    {{Visibility::Default, 'd'}, {Visibility::Protected, 'p'}, {Visibility::Hidden, 'h'}}};
inline constexpr Letters<Bound, 3> bound_letters{
    {{Bound::Never, 'n'}, {Bound::AtFirstCall, 'c'}, {Bound::AtLoad, 'l'}}};
inline constexpr Letters<LookUp, 3> look_up_letters{{{LookUp::Data, 'd'}, {LookUp::Plt, 'p'}, {LookUp::Copy, 'c'}}};
inline constexpr Letters<bool, 2> no_letters{{{false, 'n'}, {true, 'y'}}};   // most say no
inline constexpr Letters<bool, 2> yes_letters{{{true, 'y'}, {false, 'n'}}};  // most say yes

template <class Enum, std::size_t n>
constexpr char letter_of(const Letters<Enum, n>& letters, Enum value) {
  for (const auto& [each, letter] : letters)
    if (each == value) return letter;
  return letters[0].second;
}
template <class Enum, std::size_t n>
constexpr std::optional<Enum> meaning_of(const Letters<Enum, n>& letters, char letter) {
  for (const auto& [each, known] : letters)
    if (known == letter) return each;
  return std::nullopt;
}

}  // namespace wheelcheck::facts
