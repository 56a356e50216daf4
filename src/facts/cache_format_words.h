// The words and letters of the cache format, used by writer and reader.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "model/enum_names.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::facts {

// In the order of the enumerators.
inline const auto arch_words = [] {
  EnumTable<Arch, static_cast<std::size_t>(Arch::Other) + 1> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = {static_cast<Arch>(i), name_of(static_cast<Arch>(i))};
  return words;
}();
inline constexpr EnumTable<ElfKind, 5> kind_words{{{ElfKind::SharedObject, "library"},
                                                   {ElfKind::Executable, "program"},
                                                   {ElfKind::Relocatable, "relocatable"},
                                                   {ElfKind::Core, "core"},
                                                   {ElfKind::Other, "other"}}};
inline constexpr EnumTable<Libc, 4> libc_words{
    {{Libc::None, "none"}, {Libc::Glibc, "glibc"}, {Libc::Musl, "musl"}, {Libc::Bionic, "bionic"}}};

// One letter per symbol, in a text with the length of the table. The first one is the most frequent.
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
inline constexpr Letters<bool, 2> no_letters{{{false, 'n'}, {true, 'y'}}};   // mostly false
inline constexpr Letters<bool, 2> yes_letters{{{true, 'y'}, {false, 'n'}}};  // mostly true

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
