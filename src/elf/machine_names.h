// The names that LLVM has for values of e_machine, as a table that the build asks of it (cmake/tools).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wheelcheck::elf {

struct MachineName {
  std::uint16_t machine = 0;
  std::string_view name;  // "x86_64", "CUDA"
};
extern const std::span<const MachineName> machine_names;  // by machine; the values without a name are left out

}  // namespace wheelcheck::elf
