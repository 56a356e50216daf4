// Looks for the module slot among the words of the writable data.
#include "elf/gil_slot.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"

namespace wheelcheck::elf {
namespace {

// CPython Include/moduleobject.h; a slot is {int, void*}, so two words where a pointer has the size of a word.
constexpr std::uint64_t mod_create = 1, mod_multiple_interpreters = 3, mod_gil = 4, gil_not_used = 1;

template <class Word>
bool slot_in(std::span<const std::byte> data, std::endian order) {
  const Bytes bytes(data, order);
  const std::uint64_t words = data.size() / sizeof(Word);
  const auto word = [&](std::uint64_t i) -> std::uint64_t { return *bytes.read<Word>(i * sizeof(Word)); };
  const auto is_other_slot = [&](std::uint64_t i) {
    return word(i) >= mod_create && word(i) <= mod_multiple_interpreters;
  };
  for (std::uint64_t i = 0; i + 3 < words; ++i) {
    if (word(i) != mod_gil || word(i + 1) != gil_not_used) continue;
    // It is the last slot, or one for creating, executing or interpreters comes next.
    const bool last = word(i + 2) == 0 && word(i + 3) == 0;
    if (last || is_other_slot(i + 2)) return true;
  }
  return false;
}

}  // namespace

bool exports_module_init(const std::optional<DynamicFacts>& dynamic) {
  return dynamic &&
         std::ranges::any_of(dynamic->exports, [](const Export& symbol) { return symbol.name.starts_with("PyInit_"); });
}

bool has_gil_slot(std::span<const std::byte> file, std::span<const FileRange> writable, unsigned bits,
                  bool little_endian) {
  const std::endian order = little_endian ? std::endian::little : std::endian::big;
  return std::ranges::any_of(writable, [&](const FileRange& range) {
    // Words are aligned in memory, and a loader maps whole pages, so they are aligned in the file.
    const std::uint64_t word = bits / 8, begin = std::min((range.begin + word - 1) / word * word, range.end);
    const auto data = file.subspan(begin, range.end - begin);
    return bits == 64 ? slot_in<std::uint64_t>(data, order) : slot_in<std::uint32_t>(data, order);
  });
}

}  // namespace wheelcheck::elf
