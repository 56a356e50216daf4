// The words of the format, used by writer and reader. The most frequent value has no word.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "model/enum_names.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::facts {

inline constexpr EnumTable<ElfKind, 5> kind_words{{{ElfKind::SharedObject, "library"},
                                                   {ElfKind::Executable, "program"},
                                                   {ElfKind::Relocatable, "relocatable"},
                                                   {ElfKind::Core, "core"},
                                                   {ElfKind::Other, "other"}}};
inline constexpr EnumTable<SymbolKind, 7> symbol_words{{{SymbolKind::Function, ""},
                                                        {SymbolKind::NoType, "notype"},
                                                        {SymbolKind::Object, "object"},
                                                        {SymbolKind::Tls, "tls"},
                                                        {SymbolKind::Ifunc, "ifunc"},
                                                        {SymbolKind::Common, "common"},
                                                        {SymbolKind::Other, "other"}}};
inline constexpr EnumTable<Binding, 3> binding_words{
    {{Binding::Global, ""}, {Binding::Weak, "weak"}, {Binding::Unique, "unique"}}};
inline constexpr EnumTable<Visibility, 3> visibility_words{
    {{Visibility::Default, ""}, {Visibility::Protected, "protected"}, {Visibility::Hidden, "hidden"}}};
inline constexpr EnumTable<LookUp, 3> look_up_words{
    {{LookUp::Data, "data"}, {LookUp::Plt, "plt"}, {LookUp::Copy, "copy"}}};

inline constexpr std::string_view old_word = "old";              // name@VERSION, not the default version
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

}  // namespace wheelcheck::facts
