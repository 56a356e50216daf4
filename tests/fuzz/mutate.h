// Mutations that know the structure of their input, for libFuzzer's custom mutators. The same seed gives the same
// result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// libFuzzer's own mutation of the first `size` bytes, to at most `most` bytes.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

namespace wheelcheck::fuzz {

// xorshift64*: the same numbers on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::uint64_t number() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1DU;
  }
  std::uint64_t below(std::uint64_t end) { return end == 0 ? 0 : (number() >> 11) % end; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

 private:
  std::uint64_t state_;
};

// libFuzzer's own mutation of a text that may grow by `room` bytes.
void mutate_bytes(std::string& bytes, std::size_t room);
// Mutates a field of the header, of a program header, of the dynamic section, or of a table that it points to.
void mutate_elf(std::string& elf, Dice& dice);

}  // namespace wheelcheck::fuzz
