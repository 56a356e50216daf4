// What is kept of a symbol's name beside where it lies. The names of a large file are in no cache, and a rule that
// seeks a few of half a million reads of most no more than this.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace wheelcheck {

class NameSketch {
 public:
  static constexpr unsigned hash_bits = 22;

  NameSketch() = default;  // of a name that nobody sketched
  explicit NameSketch(std::string_view name) {
    const std::uint32_t all = hash_of(name) | (name.starts_with("_Z") ? mangled_bit : 0) | known_bit;
    bytes_ = {static_cast<std::uint8_t>(all), static_cast<std::uint8_t>(all >> 8U),
              static_cast<std::uint8_t>(all >> 16U)};
  }

  bool known() const { return (all() & known_bit) != 0; }
  // Itanium C++ ABI 5.1.2: the name begins with "_Z".
  bool mangled() const { return (all() & mangled_bit) != 0; }
  // Of the name's length and its last eight bytes; `hash_bits` bits.
  std::uint32_t hash() const { return all() & (mangled_bit - 1); }

 private:
  static constexpr std::uint32_t mangled_bit = 1U << hash_bits, known_bit = mangled_bit << 1U;

  static std::uint32_t hash_of(std::string_view name) {
    std::uint64_t end = 0;
    if (name.size() >= sizeof end)  // in one instruction
      std::memcpy(&end, name.data() + (name.size() - sizeof end), sizeof end);
    else if (!name.empty())
      std::memcpy(&end, name.data(), name.size());
    return static_cast<std::uint32_t>(((end ^ std::uint64_t{name.size()} << 56U) * 0x9E3779B97F4A7C15U) >>
                                      (64 - hash_bits));
  }
  std::uint32_t all() const { return bytes_[0] | std::uint32_t{bytes_[1]} << 8U | std::uint32_t{bytes_[2]} << 16U; }

  std::array<std::uint8_t, 3> bytes_{};  // the room that a symbol's other facts leave
};

// Of an Import or an Export.
template <class Symbol>
NameSketch sketch_of(const Symbol& symbol) {
  return symbol.sketch.known() ? symbol.sketch : NameSketch(symbol.name);
}

}  // namespace wheelcheck
