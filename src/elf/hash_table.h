// The hash table through which the loader finds a definition by its name (gABI 5, "Hash Table"; glibc elf/dl-lookup.c,
// do_lookup_x, and elf/dl-setup_hash.c).
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"

namespace wheelcheck::elf {

std::uint32_t gnu_hash(std::string_view name);
std::uint32_t sysv_hash(std::string_view name);

// glibc and musl use DT_HASH only if there is no DT_GNU_HASH. Without either they find no symbol.
template <class ELFT>
class HashTable {
 public:
  // `symbols`: number of symbols. The bytes of the table are used as long as this object exists.
  HashTable(const Image& image, const DynamicTable& table, const Header& header, std::uint64_t symbols);

  // Whether a look-up of the name comes to this symbol, if it is not satisfied earlier.
  bool finds(std::string_view name, std::uint64_t symbol) const {
    return is_gnu_ ? gnu_finds(name, symbol) : sysv_finds(name, symbol);
  }

  // Whether some name may lead to this symbol.
  bool contains(std::uint64_t symbol) const {
    return is_gnu_ ? symbol >= first_ && symbol < chain_begin_.size()
                   : symbol < chain_of_.size() && chain_of_[symbol] != none;
  }
  // Whether a look-up that comes to both symbols comes to `a` first.
  bool precedes(std::uint64_t a, std::uint64_t b) const {
    if (is_gnu_) return a < b;
    // A chain that meets another one continues in that of an earlier bucket.
    return chain_of_[a] != chain_of_[b] ? chain_of_[a] > chain_of_[b] : place_[a] < place_[b];
  }
  // Two chains of DT_HASH have a symbol in common; or a chain has no end, so that a look-up of another name has none.
  bool chains_meet() const { return meets_; }
  bool is_endless() const { return endless_; }
  // The number of bytes that were used, from the address of the table.
  std::uint64_t size() const { return bytes_.size(); }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint64_t gnu_head = 4;  // words

  void read_gnu(const Image& image, std::uint64_t address, std::uint64_t symbols);
  void read_sysv(const Image& image, std::uint64_t address, std::uint64_t symbols);
  bool gnu_finds(std::string_view name, std::uint64_t symbol) const;
  bool sysv_finds(std::string_view name, std::uint64_t symbol) const;
  // nullopt: not in memory
  template <class Record>
  std::optional<std::uint64_t> at(std::uint64_t offset) const;
  std::optional<std::uint64_t> word(std::uint64_t index) const;
  // nullopt: not in memory. DT_GNU_HASH has words of 32 bits on every machine.
  std::optional<std::uint32_t> gnu_word(std::uint64_t index) const {
    if (index >= bytes_.size() / 4) return std::nullopt;
    typename ELFT::Word value;
    std::memcpy(&value, bytes_.data() + index * 4, sizeof value);
    return value;
  }
  // The loader does not check that a bucket leads to a hashed symbol, so a chain may begin in the words before.
  std::optional<std::uint32_t> chain_word(std::uint64_t symbol) const {
    return gnu_word(bucket_at_ + buckets_ + symbol - first_);
  }

  bool is_gnu_ = false, wide_ = false, meets_ = false, endless_ = false;
  std::uint32_t buckets_ = 0;
  std::span<const std::byte> bytes_;
  // DT_GNU_HASH
  std::uint32_t masks_ = 0, shift_ = 0, first_ = 0;
  std::uint64_t bucket_at_ = 0;             // index of a word
  std::vector<std::uint32_t> chain_begin_;  // by symbol
  // DT_HASH
  std::vector<std::uint32_t> chain_of_, place_;  // by symbol: the bucket whose chain came to it first; where in it
  std::vector<std::uint32_t> joined_;            // by bucket: the symbol of another chain in which its chain continues
};

}  // namespace wheelcheck::elf
