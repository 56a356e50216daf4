// The mutator of fuzz_wheel. It mutates a member according to its type, or the list of members, or the name.
#include <algorithm>
#include <iterator>
#include <string>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/pack.h"

namespace wheelcheck::fuzz {
namespace {

constexpr std::string_view files[] = {"made-1.0-cp311-cp311-manylinux_2_17_x86_64.whl",
                                      "made-1.0-cp311-cp311-manylinux_2_28_aarch64.manylinux2014_aarch64.whl",
                                      "made-1.0-cp39-abi3-musllinux_1_2_x86_64.whl",
                                      "made-1.0-cp313-cp313t-manylinux_2_5_i686.manylinux1_i686.whl",
                                      "made-1.0-cp313-cp313-android_24_arm64_v8a.whl",
                                      "made-1.0-py3-none-any.whl",
                                      "made-1.0-1-pp310-pypy310_pp73-linux_s390x.whl",
                                      "made-1.0-py3-none-manylinux_2_999_riscv64.whl"};
constexpr std::string_view names[] = {"made/core.abi3.so",
                                      "made/core.cpython-311-x86_64-linux-gnu.so",
                                      "made.libs/libmade.so.1",
                                      "made/libc.so.6",
                                      "made/libstdc++.so.6",
                                      "made/__init__.py",
                                      "made/tables.py",
                                      "made-1.0.data/scripts/made",
                                      "made-1.0.data/purelib/made/core.so",
                                      "made-1.0.data/other/x",
                                      "made-1.0.dist-info/WHEEL",
                                      "made-1.0.dist-info/METADATA",
                                      "made-1.0.dist-info/RECORD",
                                      "made-1.0.dist-info/RECORD.jws",
                                      "made-2.0.dist-info/WHEEL",
                                      "libmade.so",
                                      "made/"};

bool is_elf(const PackMember& member) {
  return member.bytes.starts_with(
      "\x7f"
      "ELF");
}

void mutate_member(PackMember& member, std::size_t room, Dice& dice) {
  if (is_elf(member) && !dice.once_in(3)) return mutate_elf(member.bytes, dice);
  mutate_bytes(member.bytes, room);
}

void mutate_list(Pack& pack, Dice& dice) {
  const std::size_t at = dice.below(pack.members.size());
  PackMember copy = pack.members[at];
  switch (dice.below(5)) {
    case 0:
      pack.members.erase(pack.members.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      copy.name = names[dice.below(std::size(names))];
      pack.members.push_back(std::move(copy));
      break;
    case 2:
      pack.members[at].name = names[dice.below(std::size(names))];
      break;
    case 3:
      mutate_bytes(pack.members[at].name, 8);
      break;
    default:
      pack.members[at].bytes = pack.members[dice.below(pack.members.size())].bytes;
  }
}

std::size_t put(const Pack& pack, std::uint8_t* data, std::size_t max) {
  const std::string bytes = written_pack(pack);
  if (bytes.size() > max) return 0;
  std::ranges::copy(bytes, data);
  return bytes.size();
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max, unsigned seed) {
  using namespace wheelcheck::fuzz;
  Dice dice(seed);
  Pack pack = read_pack(text_of(data, size));
  if (pack.members.empty() || dice.once_in(50)) return LLVMFuzzerMutate(data, size, max);
  const std::size_t room = std::min<std::size_t>(max - std::min(max, size), 512);
  if (dice.once_in(12))
    pack.file = files[dice.below(std::size(files))];
  else if (dice.once_in(30))
    mutate_bytes(pack.file, 8);
  else if (dice.once_in(8))
    mutate_list(pack, dice);
  else
    mutate_member(pack.members[dice.below(pack.members.size())], room, dice);
  const std::size_t done = put(pack, data, max);
  return done > 0 ? done : LLVMFuzzerMutate(data, size, max);
}

// Replaces a member by one of the other wheel.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2, std::uint8_t* out,
                                                 std::size_t max, unsigned seed) {
  using namespace wheelcheck::fuzz;
  Dice dice(seed);
  Pack pack = read_pack(text_of(data1, size1));
  const Pack other = read_pack(text_of(data2, size2));
  if (pack.members.empty() || other.members.empty()) return 0;
  const PackMember& taken = other.members[dice.below(other.members.size())];
  if (dice.once_in(2))
    pack.members.push_back(taken);
  else
    pack.members[dice.below(pack.members.size())].bytes = taken.bytes;
  return put(pack, out, max);
}
