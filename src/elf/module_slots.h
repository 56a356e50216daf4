// The numbers of the slots that define a module (CPython Include/moduleobject.h), and those that headers of
// CPython 3.15 give them without an older limited API (Include/slots_generated.h).
#pragma once

#include <cstdint>

namespace wheelcheck::elf {

inline constexpr std::uint64_t mod_create = 1, mod_exec = 2, mod_multiple_interpreters = 3, mod_gil = 4;
inline constexpr std::uint64_t mod_create_of_3_15 = 84, mod_exec_of_3_15 = 85, mod_gil_of_3_15 = 87;
inline constexpr std::uint64_t most_slot_flags = 7;  // of an array that PyModExport returns (Include/slots.h)

inline bool is_slot_of_3_15(std::uint64_t id) { return id >= mod_create_of_3_15 && id <= 110; }

}  // namespace wheelcheck::elf
