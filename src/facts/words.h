// The words of the form, in one place for writer and reader. What has no word is what most symbols are.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "wheelcheck/elf.h"

namespace wheelcheck::facts {

template <class Enum, std::size_t n>
using Words = std::array<std::pair<Enum, std::string_view>, n>;

inline constexpr Words<ElfKind, 5> kind_words{{{ElfKind::SharedObject, "library"},
                                               {ElfKind::Executable, "program"},
                                               {ElfKind::Relocatable, "relocatable"},
                                               {ElfKind::Core, "core"},
                                               {ElfKind::Other, "other"}}};
inline constexpr Words<SymbolKind, 7> symbol_words{{{SymbolKind::Function, ""},
                                                    {SymbolKind::NoType, "notype"},
                                                    {SymbolKind::Object, "object"},
                                                    {SymbolKind::Tls, "tls"},
                                                    {SymbolKind::Ifunc, "ifunc"},
                                                    {SymbolKind::Common, "common"},
                                                    {SymbolKind::Other, "other"}}};
inline constexpr Words<Binding, 3> binding_words{
    {{Binding::Global, ""}, {Binding::Weak, "weak"}, {Binding::Unique, "unique"}}};
inline constexpr Words<Visibility, 3> visibility_words{
    {{Visibility::Default, ""}, {Visibility::Protected, "protected"}, {Visibility::Hidden, "hidden"}}};
inline constexpr Words<LookUp, 3> look_up_words{{{LookUp::Data, "data"}, {LookUp::Plt, "plt"}, {LookUp::Copy, "copy"}}};

inline constexpr std::string_view old_word = "old";              // name@VERSION, not the default one
inline constexpr std::string_view canonical_word = "canonical";  // Import::canonical
inline constexpr std::string_view lazy_word = "lazy";            // Reference::at_first_call

inline constexpr std::pair<bool LoaderFlags::*, std::string_view> flag_words[] = {
    {&LoaderFlags::symbolic, "symbolic"},
    {&LoaderFlags::bind_now, "bind_now"},
    {&LoaderFlags::text_relocations, "text_relocations"},
    {&LoaderFlags::static_tls, "static_tls"},
    {&LoaderFlags::global, "global"},
    {&LoaderFlags::nodelete, "nodelete"},
    {&LoaderFlags::noopen, "noopen"},
    {&LoaderFlags::pie, "pie"},
    {&LoaderFlags::relr, "relr"}};

template <class Enum, std::size_t n>
constexpr std::string_view word_of(const Words<Enum, n>& words, Enum value) {
  for (const auto& [each, word] : words)
    if (each == value) return word;
  return {};
}
template <class Enum, std::size_t n>
constexpr std::optional<Enum> meaning_of(const Words<Enum, n>& words, std::string_view word) {
  for (const auto& [each, known] : words)
    if (known == word) return each;
  return std::nullopt;
}

}  // namespace wheelcheck::facts
