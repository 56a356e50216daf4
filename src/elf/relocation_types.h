// Relocation types by machine (psABI supplements; glibc's sysdeps/*/dl-machine.h). All bits are set where a machine has
// no such type, or its type is not known here.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace wheelcheck::elf {

// The type that only adds the load address.
std::uint32_t relative_type(std::uint16_t machine);
std::uint32_t irelative_type(std::uint16_t machine);
std::uint32_t jump_slot(std::uint16_t machine);
std::uint32_t descriptor_type(std::uint16_t machine);
std::span<const std::uint32_t> static_tls_types(std::uint16_t machine);
std::uint64_t taken_types(std::uint16_t machine);
bool is_tls_module(std::uint16_t machine, std::uint32_t type);

// glibc's elf_machine_type_class by machine (sysdeps/*/dl-machine.h). Jump slots and TLS skip undefined symbols that
// have an address; copies skip the program.
struct Classes {
  std::uint16_t machine;
  std::uint32_t copy;
  std::array<std::uint32_t, 6> plt;  // padded with 0
};
const Classes& classes_of(std::uint16_t machine);

}  // namespace wheelcheck::elf
