// The symbols that the relocations of a file look up, and when; and the number of relocations for static TLS.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"

namespace wheelcheck::elf {

struct Relocations {
  std::vector<Bound> bound;           // by symbol index, up to the highest that a relocation names
  std::vector<Reference> references;  // each once, in the order of the tables; `symbol` is an index into all symbols
  std::uint32_t static_tls = 0;       // offsets from the thread pointer, fixed when the library is loaded
  std::uint32_t own_static_tls = 0;   // of those, the ones of the file's own variables
  std::uint32_t own_descriptors = 0;  // TLS descriptors of the file's own variables
  std::uint32_t own_tls_modules = 0;  // requests for the number of the file's own TLS block
  std::vector<std::uint32_t> not_in_musl;  // types that musl's loader refuses; sorted, the first 8 that were met
};

// `max`: number of symbols that fit into the mapped memory, at most Reference::max_symbols; `hashed`: of those that the
// hash tables count.
template <class ELFT>
Relocations read_relocations(const Image& image, const DynamicTable& table, const Header& header, bool bind_now,
                             std::uint64_t max, std::uint64_t hashed, Flaws& flaws);

// Relocation types by machine (psABI supplements; glibc's sysdeps/*/dl-machine.h). All bits are set where a machine has
// no such type, or its type is not known here.

// The type that only adds the load address.
std::uint32_t relative_type(std::uint16_t machine);
std::uint32_t irelative_type(std::uint16_t machine);
std::uint32_t jump_slot(std::uint16_t machine);
std::uint32_t descriptor_type(std::uint16_t machine);
std::span<const std::uint32_t> static_tls_types(std::uint16_t machine);
std::uint64_t taken_types(std::uint16_t machine);
// Empty: not known.
std::span<const std::uint32_t> types_of_musl(std::uint16_t machine);
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
