#include "elf/hash_table.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "elf/llvm_types.h"

namespace wheelcheck::elf {

using namespace llvm::ELF;

// Four characters at a time, because each step waits for the one before: half the time for names of C++.
std::uint32_t gnu_hash(std::string_view name) {
  constexpr std::uint32_t m = 33, m2 = m * m, m3 = m2 * m, m4 = m3 * m;
  std::uint32_t hash = 5381;
  std::size_t i = 0;
  const auto c = [&](std::size_t at) { return std::uint32_t{static_cast<unsigned char>(name[at])}; };
  for (; i + 4 <= name.size(); i += 4) hash = hash * m4 + (c(i) * m3 + c(i + 1) * m2 + c(i + 2) * m + c(i + 3));
  for (; i < name.size(); ++i) hash = hash * m + c(i);
  return hash;
}

std::uint32_t sysv_hash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    hash = (hash ^ ((hash & 0xF0000000) >> 24)) & 0x0FFFFFFF;
  }
  return hash;
}

template <class ELFT>
HashTable<ELFT>::HashTable(const Image& image, const DynamicTable& table, const Header& header, std::uint64_t symbols) {
  if (const auto address = table.get(DT_GNU_HASH)) {
    is_gnu_ = true;
    read_gnu(image, *address, symbols);
  } else if (const auto sysv = table.get(DT_HASH)) {
    // Words have 64 bits on two machines (gABI supplements of Alpha and s390x).
    wide_ = header.bits == 64 && (header.machine == EM_S390 || header.machine == EM_ALPHA);
    read_sysv(image, *sysv, symbols);
  }
}

template <class ELFT>
template <class Record>
std::optional<std::uint64_t> HashTable<ELFT>::at(std::uint64_t offset) const {
  if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Record)) return std::nullopt;
  Record value;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return static_cast<std::uint64_t>(value);
}

template <class ELFT>
std::optional<std::uint64_t> HashTable<ELFT>::word(std::uint64_t index) const {
  return wide_ ? at<typename ELFT::Xword>(index * 8) : at<typename ELFT::Word>(index * 4);
}

template <class ELFT>
void HashTable<ELFT>::read_gnu(const Image& image, std::uint64_t address, std::uint64_t symbols) {
  bytes_ = image.from(address, gnu_head * 4);
  const auto field = [&](std::uint64_t index) { return gnu_word(index).value_or(0); };
  buckets_ = field(0), first_ = field(1), masks_ = field(2), shift_ = field(3);
  bucket_at_ = gnu_head + std::uint64_t{masks_} * (sizeof(typename ELFT::uint) / 4);
  bytes_ = image.from(address, (bucket_at_ + buckets_ + symbols) * 4);
  chain_begin_.resize(symbols);
  for (std::uint64_t symbol = 1; symbol < symbols; ++symbol) {
    const auto before = chain_word(symbol - 1);
    const bool ends = !before || (*before & 1) != 0;  // bit 0 marks the last symbol of a chain
    chain_begin_[symbol] = ends ? static_cast<std::uint32_t>(symbol) : chain_begin_[symbol - 1];
  }
}

template <class ELFT>
bool HashTable<ELFT>::gnu_finds(std::string_view name, std::uint64_t symbol) const {
  using Mask = std::conditional_t<ELFT::Is64Bits, typename ELFT::Xword, typename ELFT::Word>;
  constexpr std::uint32_t bits = sizeof(Mask) * 8;
  if (buckets_ == 0 || symbol >= chain_begin_.size()) return false;
  const std::uint32_t hash = gnu_hash(name);
  const auto hashed = chain_word(symbol);
  if (!hashed || ((*hashed ^ hash) >> 1) != 0) return false;
  const auto filter = at<Mask>(gnu_head * 4 + std::uint64_t{(hash / bits) & (masks_ - 1)} * sizeof(Mask));
  if (!filter || ((*filter >> (hash % bits)) & (*filter >> ((hash >> (shift_ & 31)) % bits)) & 1) == 0) return false;
  const auto bucket = gnu_word(bucket_at_ + hash % buckets_);
  return bucket && *bucket != 0 && chain_begin_[symbol] <= *bucket && *bucket <= symbol;
}

template <class ELFT>
void HashTable<ELFT>::read_sysv(const Image& image, std::uint64_t address, std::uint64_t symbols) {
  bytes_ = image.from(address, wide_ ? 16 : 8);
  const std::uint64_t buckets = word(0).value_or(0);
  buckets_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(buckets, none - 1));
  bytes_ = image.from(address, (2 + std::uint64_t{buckets_} + symbols) * (wide_ ? 8 : 4));
  chain_of_.assign(symbols, none);
  place_.resize(symbols);
  // Buckets behind the bytes of the file are zeros: empty.
  joined_.assign(std::min<std::uint64_t>(buckets_, bytes_.size() / (wide_ ? 8 : 4)), none);
  for (std::uint32_t bucket = 0; bucket < joined_.size(); ++bucket) {
    std::uint32_t place = 0;
    for (auto symbol = word(2 + bucket); symbol && *symbol != 0 && *symbol < symbols;
         symbol = word(2 + std::uint64_t{buckets_} + *symbol)) {
      if (chain_of_[*symbol] != none) {
        joined_[bucket] = static_cast<std::uint32_t>(*symbol);
        meets_ = true;
        endless_ = endless_ || chain_of_[*symbol] == bucket;
        break;
      }
      chain_of_[*symbol] = bucket;
      place_[*symbol] = place++;
    }
  }
}

template <class ELFT>
bool HashTable<ELFT>::sysv_finds(std::string_view name, std::uint64_t symbol) const {
  if (buckets_ == 0 || symbol >= chain_of_.size() || chain_of_[symbol] == none) return false;
  std::uint32_t bucket = sysv_hash(name) % buckets_, from = 0;
  // Chains of real files never meet. So many of them that a look-up takes longer are a flaw anyway.
  for (int steps = 0; steps < 64; ++steps) {
    if (chain_of_[symbol] == bucket && place_[symbol] >= from) return true;
    const std::uint32_t joined = bucket < joined_.size() ? joined_[bucket] : none;
    if (joined == none || (chain_of_[joined] == bucket && place_[joined] >= from)) return false;
    bucket = chain_of_[joined];
    from = place_[joined];
  }
  return true;
}

template class HashTable<llvm::object::ELF32LE>;
template class HashTable<llvm::object::ELF32BE>;
template class HashTable<llvm::object::ELF64LE>;
template class HashTable<llvm::object::ELF64BE>;

}  // namespace wheelcheck::elf
