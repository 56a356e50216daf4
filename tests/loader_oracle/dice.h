// Random choices that are the same in every run.
#pragma once

#include <cstdint>

namespace wheelcheck::oracle {

// xorshift64*: the same numbers with every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
  unsigned below(unsigned bound) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<unsigned>((state_ * 0x2545f4914f6cdd1d) >> 33) % bound;
  }
  bool one_in(unsigned count) { return below(count) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace wheelcheck::oracle
