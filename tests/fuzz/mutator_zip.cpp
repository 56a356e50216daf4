// The mutator of fuzz_zip_index. In half of the cases it mutates a field of one structure of the archive, or the same
// field in both headers of a member, which a mutation of bytes rarely keeps equal.
#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"

namespace wheelcheck::fuzz {
namespace {

struct Structure {
  std::string_view signature;
  std::vector<unsigned> fields;  // size of each field in bytes, starting with the signature (APPNOTE 4.3)
};
const Structure structures[] = {{"PK\3\4", {4, 2, 2, 2, 2, 2, 4, 4, 4, 2, 2}},
                                {"PK\1\2", {4, 2, 2, 2, 2, 2, 2, 4, 4, 4, 2, 2, 2, 2, 2, 4, 4}},
                                {"PK\5\6", {4, 2, 2, 2, 2, 4, 4, 2}},
                                {"PK\6\6", {4, 8, 2, 2, 4, 4, 8, 8, 8, 8}},
                                {"PK\6\7", {4, 4, 8, 4}},
                                {"PK\7\x08", {4, 4, 4, 4}}};
struct Found {
  std::size_t offset;
  const Structure* structure;
};

std::vector<Found> structures_of(std::string_view zip) {
  std::vector<Found> found;
  for (std::size_t at = zip.find("PK"); at != zip.npos && found.size() < 4000; at = zip.find("PK", at + 2))
    for (const Structure& each : structures)
      if (zip.substr(at).starts_with(each.signature)) found.push_back({at, &each});
  return found;
}

std::uint64_t get(std::string_view zip, std::size_t at, unsigned size) {
  return Input(zip.substr(std::min(at, zip.size()))).number(size);
}
void put(std::string& zip, std::size_t at, unsigned size, std::uint64_t value) {
  for (unsigned i = 0; i < size && at + i < zip.size(); ++i) zip[at + i] = static_cast<char>(value >> 8 * i & 0xFF);
}

std::uint64_t other_value(std::uint64_t old, std::size_t size, Dice& dice) {
  constexpr std::uint64_t edges[] = {0, 1, 8, 20, 45, 0x7F, 0xFF, 0x800, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF};
  switch (dice.below(4)) {
    case 0:
      return edges[dice.below(std::size(edges))];
    case 1:
      return old + dice.below(65) - 32;
    case 2:
      return old ^ std::uint64_t{1} << dice.below(32);
    default:
      return dice.below(size + 64);
  }
}

// Fields that both headers of a member have: index in the local and in the central header.
constexpr std::pair<unsigned, unsigned> shared[] = {{1, 2}, {2, 3}, {3, 4}, {6, 7}, {7, 8}, {8, 9}, {9, 10}};

std::size_t offset_of(const Structure& structure, std::size_t field) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < field; ++i) at += structure.fields[i];
  return at;
}

// Mutates the n-th member: its n-th local and its n-th central header.
void mutate_both(std::string& zip, std::span<const Found> found, Dice& dice) {
  std::vector<std::size_t> local, central;
  for (const Found& each : found) {
    if (each.structure == &structures[0]) local.push_back(each.offset);
    if (each.structure == &structures[1]) central.push_back(each.offset);
  }
  const std::size_t members = std::min(local.size(), central.size());
  if (members == 0) return;
  const std::size_t member = dice.below(members);
  const auto [in_local, in_central] = shared[dice.below(std::size(shared))];
  const std::size_t here = local[member] + offset_of(structures[0], in_local);
  const unsigned size = structures[0].fields[in_local];
  const std::uint64_t value = other_value(get(zip, here, size), zip.size(), dice);
  put(zip, here, size, value);
  put(zip, central[member] + offset_of(structures[1], in_central), size, value);
}

void mutate_zip(std::string& zip, Dice& dice) {
  const std::vector<Found> found = structures_of(zip);
  if (found.empty()) return mutate_bytes(zip, 64);
  for (std::uint64_t left = 1 + dice.below(2); left > 0; --left) {
    if (dice.once_in(2)) {
      mutate_both(zip, found, dice);
      continue;
    }
    const Found& one = found[dice.below(found.size())];
    const std::size_t field = dice.below(one.structure->fields.size());
    const std::size_t at = one.offset + offset_of(*one.structure, field);
    const unsigned size = one.structure->fields[field];
    put(zip, at, size, other_value(get(zip, at, size), zip.size(), dice));
  }
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max, unsigned seed) {
  using namespace wheelcheck::fuzz;
  Dice dice(seed);
  if (size < 22 || dice.once_in(2)) return LLVMFuzzerMutate(data, size, max);
  std::string zip(text_of(data, size));
  mutate_zip(zip, dice);
  size = std::min(zip.size(), max);
  std::ranges::copy(zip.substr(0, size), data);
  return size;
}
