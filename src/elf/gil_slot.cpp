// Searches the words of the writable data for the module slot.
#include "elf/gil_slot.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "model/each_symbol.h"

namespace wheelcheck::elf {
namespace {

// CPython Include/moduleobject.h. A slot is {int, void*}: two words, because of the padding.
constexpr std::uint64_t mod_create = 1, mod_multiple_interpreters = 3, mod_gil = 4, gil_not_used = 1;

template <class Word>
std::uint64_t in_order(std::uint64_t value, bool little_endian) {
  const bool swap = (std::endian::native == std::endian::little) != little_endian;
  return swap ? std::byteswap(static_cast<Word>(value)) : value;
}

template <class Word>
void each_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end, bool little_endian,
               const std::function<void(std::uint64_t)>& visit) {
  const std::uint64_t slot = in_order<Word>(mod_gil, little_endian),
                      value = in_order<Word>(gil_not_used, little_endian);
  const auto word = [&](std::uint64_t at) {
    Word out = 0;
    std::memcpy(&out, bytes.data() + at, sizeof out);
    return std::uint64_t{out};
  };
  for (std::uint64_t at = (begin + sizeof(Word) - 1) / sizeof(Word) * sizeof(Word); at + 2 * sizeof(Word) <= end;
       at += sizeof(Word))
    if (word(at) == slot && word(at + sizeof(Word)) == value) visit(at);
}

template <class Word>
bool is_slot(const Bytes& bytes, std::uint64_t at) {
  const auto word = [&](std::uint64_t i) { return bytes.read<Word>(at + i * sizeof(Word)); };
  const auto next = word(2), after = word(3);
  if (!next || !after) return false;
  // The slot is the last one, or the next slot is Py_mod_create, Py_mod_exec or Py_mod_multiple_interpreters.
  return (*next == 0 && *after == 0) || (*next >= mod_create && *next <= mod_multiple_interpreters);
}

}  // namespace

bool exports_module_init(const std::optional<DynamicFacts>& dynamic) {
  return dynamic &&
         any_symbol(dynamic->exports, [](const Export& symbol) { return symbol.name.starts_with("PyInit_"); });
}

void each_slot_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t word,
                    bool little_endian, const std::function<void(std::uint64_t)>& visit) {
  if (word == 8)
    each_mark<std::uint64_t>(bytes, begin, end, little_endian, visit);
  else
    each_mark<std::uint32_t>(bytes, begin, end, little_endian, visit);
}

bool has_gil_slot(const File& file, std::span<const FileRange> writable, unsigned bits, bool little_endian) {
  const std::endian order = little_endian ? std::endian::little : std::endian::big;
  const std::uint64_t word = bits / 8;
  bool found = false;
  for (const FileRange& range : writable) {
    // Words are aligned in memory, and the loader maps whole pages, so they are aligned in the file too.
    const Bytes bytes(file.unchecked().first(range.end), order);
    file.search(range, 4 * word, File::Search::Marks, [&](FileRange part) {
      const std::uint64_t last = std::min(range.end, part.end + word);
      each_slot_mark(bytes.data(), part.begin, last, word, little_endian, [&](std::uint64_t at) {
        found = found || (bits == 64 ? is_slot<std::uint64_t>(bytes, at) : is_slot<std::uint32_t>(bytes, at));
      });
      return part.end;
    });
  }
  return found;
}

}  // namespace wheelcheck::elf
