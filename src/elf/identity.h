// What kind of file this is: machine, C library, shared object or program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "elf/header.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

struct Machine {
  Arch arch = Arch::Other;
  MachineUse use = MachineUse::Host;
  std::string name;  // "ARM soft-float"
};
// arm_architecture: Tag_CPU_arch of the ARM build attributes, where the file has them.
Machine identify(const Header& header, std::optional<unsigned> arm_architecture);

// Tag_CPU_arch out of .ARM.attributes or PT_ARM_ATTRIBUTES (Addenda to, and Errata in, the ABI for the Arm
// Architecture).
std::optional<unsigned> arm_architecture(const File& file, const Header& header, std::span<const Segment> segments,
                                         std::span<const Section> sections);

ElfKind kind_of(const Header& header, bool has_interpreter, const std::optional<DynamicFacts>& dynamic, bool has_debug);
// By PT_INTERP, the Android mark and DT_NEEDED. `libc.so` by itself is musl's or bionic's: nothing is said.
Libc libc_of(std::optional<std::string_view> interpreter, bool android_note,
             const std::optional<DynamicFacts>& dynamic);

}  // namespace wheelcheck::elf
