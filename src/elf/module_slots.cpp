// The slots of a module: what it tells CPython when it is imported. One of them declares that the module works without
// the GIL (PEP 703). Most modules have an array of slots in their data; pybind11 3 fills one at run time.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>

#include "elf/code.h"
#include "elf/interfaces.h"
#include "model/each_symbol.h"
#include "model/module_names.h"

namespace wheelcheck::elf {
namespace {

// A slot is {int id, pointer}, two words because of the padding (CPython Include/moduleobject.h); in the array that
// PyModExport returns it is {uint16 id, uint16 flags, uint32 0, 8 bytes} (Include/slots.h, since 3.15). The second
// number of Py_mod_gil is that of the headers of 3.15 without an older limited API (Include/slots_generated.h). Every
// array ends with the id 0.
constexpr std::uint64_t gil_not_used = 1;
constexpr std::uint64_t export_slot = 16;  // size in bytes

bool is_gil_id(std::uint64_t id) { return id == mod_gil || id == mod_gil_of_3_15; }
bool is_module_id(std::uint64_t id) {
  return (id >= mod_create && id <= mod_multiple_interpreters) || is_slot_of_3_15(id);
}

class SlotReader {
 public:
  SlotReader(std::span<const std::byte> bytes, std::uint64_t word, bool little_endian)
      : bytes_(bytes), word_(word), swaps_((std::endian::native == std::endian::little) != little_endian) {}

  // Whether {Py_mod_gil, Py_MOD_GIL_NOT_USED} may start there; of an array that PyModExport returns, if `exported`.
  bool is_mark(std::uint64_t at, bool exported) const {
    if (word_at(at + (exported ? 8 : word_)) != gil_not_used) return false;  // most words
    const auto id = id_at(at, exported);
    return id && is_gil_id(*id);
  }
  // The slot is the last one, or another slot of a module follows.
  bool is_slot(std::uint64_t at, bool exported) const {
    const std::uint64_t next = at + (exported ? export_slot : 2 * word_);
    const auto id = id_at(next, exported);
    if (!id || !is_mark(at, exported)) return false;
    const auto value = word_at(next + (exported ? 8 : word_));
    return is_module_id(*id) || (*id == 0 && value == 0U);
  }

 private:
  template <class Number>
  std::optional<std::uint64_t> number_at(std::uint64_t at) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(Number)) return std::nullopt;
    Number value = 0;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return swaps_ ? std::byteswap(value) : value;
  }
  std::optional<std::uint64_t> word_at(std::uint64_t at) const {
    return word_ == 8 ? number_at<std::uint64_t>(at) : number_at<std::uint32_t>(at);
  }
  std::optional<std::uint64_t> id_at(std::uint64_t at, bool exported) const {
    if (!exported) return word_at(at);
    const auto flags = number_at<std::uint16_t>(at + 2), reserved = number_at<std::uint32_t>(at + 4);
    if (!flags || *flags > max_slot_flags || reserved != 0U) return std::nullopt;
    return number_at<std::uint16_t>(at);
  }

  std::span<const std::byte> bytes_;
  std::uint64_t word_;
  bool swaps_;
};

}  // namespace

bool exports_module_init(const std::optional<DynamicFacts>& dynamic) {
  return dynamic && any_symbol(dynamic->exports, [](const Export& symbol) { return is_module_hook(symbol.name); });
}

void each_slot_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t word,
                    bool little_endian, const std::function<void(std::uint64_t)>& visit) {
  const SlotReader reader(bytes.first(end), word, little_endian);
  for (std::uint64_t at = (begin + word - 1) / word * word; at + 2 * word <= end; at += word)
    if (reader.is_mark(at, false) || reader.is_mark(at, true)) visit(at);
}

bool has_gil_slot(const File& file, std::span<const FileRange> writable, unsigned bits, bool little_endian) {
  const std::uint64_t word = bits / 8;
  bool found = false;
  for (const FileRange& range : writable) {
    // Words are aligned in memory, and the loader maps whole pages, so they are aligned in the file too.
    const auto bytes = file.unchecked().first(range.end);
    const SlotReader reader(bytes, word, little_endian);
    file.search(range, 2 * export_slot, File::Search::Marks, [&](FileRange part) {
      const std::uint64_t last = std::min(range.end, part.end + export_slot);
      each_slot_mark(bytes, part.begin, last, word, little_endian,
                     [&](std::uint64_t at) { found = found || reader.is_slot(at, false) || reader.is_slot(at, true); });
      return part.end;
    });
  }
  return found;
}

namespace {

// pybind11 3 (include/pybind11/detail/common.h, init_slots) fills a static array of PyModuleDef_Slot when PyInit_ runs
// first. Compilers write each number and each constant with mov, the address relative to the instruction.
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
std::vector<std::uint32_t> slots_from(const Writes& writes, std::uint64_t at) {
  std::vector<std::uint32_t> slots;
  bool executes = false;
  for (std::uint32_t count = 0; count < 8; ++count, at += slot_size) {
    const auto number = writes.find(at);
    if (number == writes.end()) return {};
    if (number->second == 0) return executes ? slots : std::vector<std::uint32_t>();
    if (!is_slot_number(number->second)) return {};
    executes = executes || number->second == mod_exec;
    const auto value = writes.find(at + value_offset);
    if (number->second != mod_gil || (value != writes.end() && value->second == 1)) slots.push_back(number->second);
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> read_code_slots(const File& file, const Image& image, std::span<const Segment> segments,
                                           const DynamicTable& table, const Header& header, const DynamicFacts& facts) {
  std::vector<std::uint32_t> found;
  if (!is_x86_64(header)) return found;
  const std::vector<Code> codes = code_of(file, image, segments, header);
  std::size_t inits = 0;
  std::uint64_t left = longest_init + file.size();  // bytes of code: functions may lie over each other
  each_code_symbol(image, table, facts.symbol_count, [&](const CodeSymbol& symbol) {
    constexpr std::size_t max_inits = 64;
    if (!found.empty() || left == 0 || !symbol.is_module_init() || ++inits > max_inits) return;
    for (const Code& code : codes) {
      if (!code.contains(symbol.value)) continue;
      left -= std::min<std::uint64_t>(left, longest_init);
      const Writes writes = writes_of(code, static_cast<std::size_t>(symbol.value - code.address));
      for (const auto& [address, number] : writes)
        if (found.empty() && is_slot_number(number)) found = slots_from(writes, address);
    }
  });
  return found;
}

}  // namespace wheelcheck::elf
