// The mutator of targets with an ELF file as input; in half of the cases it uses libFuzzer's own mutations.
#include <algorithm>
#include <string>

#include "tests/fuzz/mutate.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max, unsigned seed) {
  using namespace wheelcheck::fuzz;
  Dice dice(seed);
  if (size < 64 || dice.once_in(2)) return LLVMFuzzerMutate(data, size, max);
  std::string elf(reinterpret_cast<const char*>(data), size);
  mutate_elf(elf, dice);
  size = std::min(elf.size(), max);
  std::ranges::copy(elf.substr(0, size), data);
  return size;
}
