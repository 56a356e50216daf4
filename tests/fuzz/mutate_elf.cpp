// Finds the significant fields of an ELF file, and writes values that often break readers: limits, values next to the
// current one, and addresses of other tables.
#include <algorithm>
#include <iterator>
#include <vector>

#include "tests/fuzz/mutate.h"

namespace wheelcheck::fuzz {
namespace {

constexpr std::uint64_t edges[] = {0,
                                   1,
                                   2,
                                   3,
                                   4,
                                   7,
                                   8,
                                   16,
                                   24,
                                   0x40,
                                   0x7F,
                                   0xFF,
                                   0x100,
                                   0xFFF,
                                   0x1000,
                                   0x7FFF,
                                   0xFFFF,
                                   0x10000,
                                   0x7FFFFFFF,
                                   0x80000000,
                                   0xFFFFFFF0,
                                   0xFFFFFFFF,
                                   std::uint64_t{1} << 47,
                                   std::uint64_t{1} << 60,
                                   ~std::uint64_t{0} >> 1,
                                   ~std::uint64_t{0} - 15,
                                   ~std::uint64_t{0}};
// gABI and GNU tags of tables, counts and flags.
constexpr std::uint64_t tags[] = {
    0,          1,          2,          4,          5,          6,          7,          8,          9,
    10,         11,         14,         15,         16,         17,         18,         19,         20,
    22,         23,         24,         29,         30,         35,         36,         37,         0x6FFFFEF5,
    0x6FFFFFF0, 0x6FFFFFF9, 0x6FFFFFFB, 0x6FFFFFFC, 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF, 0x7FFFFFFD, 0x7FFFFFFF};

struct Place {
  std::uint64_t offset = 0, record = 4, count = 1;  // records of that many bytes
  bool has_tags = false;                            // pairs of tag and value
};

class Elf {
 public:
  explicit Elf(std::string& bytes) : bytes_(bytes), wide_(bytes.at(4) != 1), big_(bytes.at(5) == 2) {}

  std::uint64_t word() const { return wide_ ? 8 : 4; }
  std::uint64_t get(std::uint64_t at, std::uint64_t size) const {
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < size && at < bytes_.size() && i < bytes_.size() - at; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes_[at + i])} << 8 * (big_ ? size - 1 - i : i);
    return value;
  }
  void put(std::uint64_t at, std::uint64_t size, std::uint64_t value) {
    for (std::uint64_t i = 0; i < size && at < bytes_.size() && i < bytes_.size() - at; ++i)
      bytes_[at + i] = static_cast<char>(value >> 8 * (big_ ? size - 1 - i : i) & 0xFF);
  }

  std::vector<Place> places() {
    std::vector<Place> found = {{.offset = 16, .record = 2, .count = 24}};
    const std::uint64_t start = get(wide_ ? 32 : 28, word()), entry = wide_ ? 56 : 32;
    const std::uint64_t count = std::min<std::uint64_t>(get(wide_ ? 56 : 44, 2), 32);
    found.push_back({.offset = start, .record = 4, .count = count * entry / 4});
    for (std::uint64_t i = 0; i < count; ++i) add_segment(start + i * entry, found);
    std::erase_if(found, [&](const Place& place) { return place.offset >= bytes_.size() || place.count == 0; });
    return found;
  }
  const std::vector<std::uint64_t>& addresses() const { return addresses_; }

 private:
  void add_segment(std::uint64_t at, std::vector<Place>& found) {
    const std::uint64_t type = get(at, 4), offset = get(at + (wide_ ? 8 : 4), word()),
                        address = get(at + (wide_ ? 16 : 8), word()), size = get(at + (wide_ ? 32 : 16), word());
    if (type == 1) loads_.push_back({offset, address, size});
    if (type == 4) found.push_back({.offset = offset, .record = 4, .count = std::min<std::uint64_t>(size / 4, 64)});
    if (type != 2) return;
    const std::uint64_t entries = std::min<std::uint64_t>(size / (2 * word()), 64);
    found.push_back({.offset = offset, .record = word(), .count = 2 * entries, .has_tags = true});
    for (std::uint64_t i = 0; i < entries; ++i) {
      const std::uint64_t value = get(offset + (2 * i + 1) * word(), word());
      addresses_.push_back(value);
      for (const Load& load : loads_)
        if (value >= load.address && value - load.address < load.size)
          found.push_back({.offset = load.offset + (value - load.address), .record = 2, .count = 128});
    }
  }

  struct Load {
    std::uint64_t offset, address, size;
  };
  std::string& bytes_;
  bool wide_, big_;
  std::vector<Load> loads_;
  std::vector<std::uint64_t> addresses_;
};

std::uint64_t other_value(std::uint64_t old, const Elf& elf, Dice& dice) {
  const std::vector<std::uint64_t>& addresses = elf.addresses();
  switch (dice.below(5)) {
    case 0:
      return edges[dice.below(std::size(edges))];
    case 1:
      return old + dice.below(33) - 16;
    case 2:
      return addresses.empty() ? dice.below(0x10000) : addresses[dice.below(addresses.size())] + 8 * dice.below(3);
    case 3:
      return old ^ std::uint64_t{1} << dice.below(64);
    default:
      return dice.below(0x4000);
  }
}

}  // namespace

void mutate_elf(std::string& bytes, Dice& dice) {
  if (bytes.size() < 64) return mutate_bytes(bytes, 64);
  Elf elf(bytes);
  const std::vector<Place> places = elf.places();
  for (std::uint64_t left = 1 + dice.below(3); left > 0; --left) {
    const Place& place = places[dice.below(places.size())];
    const std::uint64_t number = dice.below(place.count), at = place.offset + number * place.record;
    const std::uint64_t size = place.record == 2 && dice.once_in(2) ? 4 : place.record;
    const bool is_tag = place.has_tags && number % 2 == 0;
    elf.put(at, size, is_tag ? tags[dice.below(std::size(tags))] : other_value(elf.get(at, size), elf, dice));
  }
}

}  // namespace wheelcheck::fuzz
