// pybind11 3 (include/pybind11/detail/common.h, init_slots) fills a static array of PyModuleDef_Slot when PyInit_ runs
// first. Compilers write each number and each constant with mov, the address relative to the instruction.
#include "elf/code_slots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "elf/code.h"
#include "elf/module_slots.h"

namespace wheelcheck::elf {
namespace {

constexpr std::size_t longest_init = 4096;  // bytes of code
constexpr std::uint64_t slot_size = 16, value_offset = 8;

using Writes = std::map<std::uint64_t, std::uint32_t>;  // constants by address

Writes writes_of(const Code& code, std::size_t begin) {
  Writes writes;
  // mov dword [rip + disp32], imm32; with REX.W in front it is a qword
  for (std::size_t i = begin; i < begin + longest_init && i + 10 <= code.bytes.size(); ++i)
    if (code.at(i) == 0xC7 && code.at(i + 1) == 0x05) writes.emplace(code.relative(i + 2) + 4, code.word(i + 6));
  return writes;
}

bool is_slot_number(std::uint32_t number) { return number >= mod_create && number <= mod_gil; }

// The slots of an array that begins there and ends with a slot 0.
std::string slots_from(const Writes& writes, std::uint64_t at) {
  std::string slots;
  bool executes = false;
  for (std::uint32_t count = 0; count < 8; ++count, at += slot_size) {
    const auto number = writes.find(at);
    if (number == writes.end()) return {};
    if (number->second == 0) return executes ? slots : std::string();
    if (!is_slot_number(number->second)) return {};
    executes = executes || number->second == mod_exec;
    const auto value = writes.find(at + value_offset);
    if (number->second != mod_gil || (value != writes.end() && value->second == 1))
      slots += fmt::format(" {}", number->second);
  }
  return {};
}

}  // namespace

std::string read_code_slots(const File& file, const Image& image, std::span<const Segment> segments,
                            const DynamicTable& table, const Header& header, const DynamicFacts& facts) {
  std::string found;
  if (!is_x86_64(header)) return found;
  const std::vector<Code> codes = code_of(file, image, segments, header);
  std::size_t inits = 0;
  std::uint64_t left = longest_init + file.size();  // bytes of code: functions may lie over each other
  each_code_symbol(image, table, facts.symbol_count, [&](const CodeSymbol& symbol) {
    constexpr std::size_t most_inits = 64;
    if (!found.empty() || left == 0 || !symbol.is_module_init() || ++inits > most_inits) return;
    for (const Code& code : codes) {
      if (!code.contains(symbol.value)) continue;
      left -= std::min<std::uint64_t>(left, longest_init);
      const Writes writes = writes_of(code, static_cast<std::size_t>(symbol.value - code.address));
      for (const auto& [address, number] : writes)
        if (found.empty() && is_slot_number(number)) found = slots_from(writes, address);
    }
  });
  return found.empty() ? found : "slots made" + found;
}

}  // namespace wheelcheck::elf
