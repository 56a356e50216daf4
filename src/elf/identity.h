// The identity of a file: its machine, its C library, and whether it is a shared object or a program.
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
  std::string name;  // for messages: "ARM soft-float"
};
// arm_architecture: Tag_CPU_arch of the ARM build attributes, if the file has them.
Machine identify(const Header& header, std::optional<unsigned> arm_architecture);

// Tag_CPU_arch from .ARM.attributes or PT_ARM_ATTRIBUTES (Addenda to, and Errata in, the ABI for the Arm Architecture).
std::optional<unsigned> arm_architecture(const File& file, const Header& header, std::span<const Segment> segments,
                                         std::span<const Section> sections);

ElfKind kind_of(const Header& header, bool has_interpreter, const std::optional<DynamicFacts>& dynamic, bool has_debug);
// Determined by PT_INTERP, the Android note and DT_NEEDED. The name `libc.so` alone is ambiguous (musl or bionic), and
// the result is None.
Libc libc_of(std::optional<std::string_view> interpreter, bool android_note,
             const std::optional<DynamicFacts>& dynamic);

}  // namespace wheelcheck::elf
