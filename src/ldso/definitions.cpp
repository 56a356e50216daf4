// Joins references and definitions by sorting. Both are sorted by the hash of their name, so that equal names become
// neighbours. No text is copied and there is no allocation per symbol. Different names with the same hash are sorted by
// text as well, so malicious collisions cost n log n instead of n squared.
#include "ldso/definitions.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace wheelcheck::resolver {
namespace {

using process::ObjectIndex;

// Processes eight bytes per step. The hash distributes well; it does not have to resist collisions.
std::uint64_t hash_of(std::string_view name) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t hash = name.size() * odd;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * odd;
    hash ^= hash >> 32;
  };
  for (; name.size() >= 8; name.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, name.data(), 8);
    mix(word);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, name.data(), name.size());
  mix(word);
  return hash;
}

// A Bloom filter of the required names. Most exports are not required by any file, and the filter removes them before
// the sort.
class Filter {
 public:
  explicit Filter(std::size_t expected) {
    std::size_t words = 1;
    while (words * 8 < expected) words *= 2;
    words_.resize(words);
  }
  void add(std::uint64_t hash) { words_[place(hash)] |= bits(hash); }
  bool may_hold(std::uint64_t hash) const { return (words_[place(hash)] & bits(hash)) == bits(hash); }

 private:
  std::size_t place(std::uint64_t hash) const { return (hash >> 12) & (words_.size() - 1); }
  static std::uint64_t bits(std::uint64_t hash) {
    return std::uint64_t{1} << (hash & 63) | std::uint64_t{1} << (hash >> 6 & 63);
  }
  std::vector<std::uint64_t> words_;
};

constexpr std::uint32_t item_mask = (1U << 30) - 1;
struct NamedItem {
  enum Kind : std::uint8_t { Reference, Export, Canonical };
  std::uint64_t hash = 0;
  std::uint32_t file = 0;
  std::uint32_t item : 30 = 0;  // index into the list of that kind; limited by Limits::symbols
  Kind kind : 2 = Reference;
};

// A stable radix sort by the upper half of the hash.
void sort_by_upper_half(std::vector<NamedItem>& entries) {
  constexpr unsigned bits = 11, passes = 3;
  constexpr std::uint64_t mask = (1U << bits) - 1;
  std::vector<NamedItem> other(entries.size());
  for (unsigned pass = 0; pass < passes; ++pass) {
    const unsigned shift = 64 - bits * (passes - pass);
    std::array<std::uint32_t, std::size_t{1} << bits> next{};
    for (const NamedItem& entry : entries) ++next[entry.hash >> shift & mask];
    std::uint32_t sum = 0;
    for (std::uint32_t& slot : next) sum += std::exchange(slot, sum);
    for (const NamedItem& entry : entries) other[next[entry.hash >> shift & mask]++] = entry;
    entries.swap(other);
  }
}
std::uint64_t upper_half(const NamedItem& entry) { return entry.hash >> 31; }

class DefinedNames {
 public:
  explicit DefinedNames(std::span<const process::File> files) : files_(files) {}

  std::string_view of(const NamedItem& entry) const {
    const DynamicFacts& dynamic = *files_[entry.file].facts->dynamic;
    if (entry.kind == NamedItem::Export) return dynamic.exports[entry.item].name;
    if (entry.kind == NamedItem::Canonical) return dynamic.imports[entry.item].name;
    const wheelcheck::Reference& reference = dynamic.references[entry.item];
    return reference.own ? dynamic.exports[reference.symbol].name : dynamic.imports[reference.symbol].name;
  }

 private:
  std::span<const process::File> files_;
};

std::vector<NamedItem> gather(std::span<const process::File> files) {
  const DefinedNames names(files);
  std::vector<NamedItem> out;
  std::size_t references = 0;
  const auto each = [&](auto&& action) {
    for (std::uint32_t i = 0; i < files.size(); ++i)
      if (files[i].facts != nullptr && files[i].facts->dynamic) action(i, *files[i].facts->dynamic);
  };
  each([&](std::uint32_t, const DynamicFacts& dynamic) { references += dynamic.references.size(); });
  out.reserve(references * 2);
  Filter has_requests(references);
  each([&](std::uint32_t file, const DynamicFacts& dynamic) {
    for (std::uint32_t i = 0; i < dynamic.references.size(); ++i) {
      NamedItem entry{.file = file, .item = i & item_mask, .kind = NamedItem::Reference};
      entry.hash = hash_of(names.of(entry));
      has_requests.add(entry.hash);
      out.push_back(entry);
    }
  });
  const auto offer = [&](std::string_view name, std::uint32_t file, NamedItem::Kind kind, std::uint32_t item) {
    const std::uint64_t hash = hash_of(name);
    if (has_requests.may_hold(hash))
      out.push_back({.hash = hash, .file = file, .item = item & item_mask, .kind = kind});
  };
  constexpr std::size_t ahead = 8;
  each([&](std::uint32_t file, const DynamicFacts& dynamic) {
    for (std::uint32_t i = 0; i < dynamic.imports.size(); ++i)
      if (dynamic.imports[i].canonical) offer(dynamic.imports[i].name, file, NamedItem::Canonical, i);
    for (std::uint32_t i = 0; i < dynamic.exports.size(); ++i) {
      if (i + ahead < dynamic.exports.size()) __builtin_prefetch(dynamic.exports[i + ahead].name.data());
      offer(dynamic.exports[i].name, file, NamedItem::Export, i);
    }
  });
  return out;
}

}  // namespace

Definitions::Definitions(std::span<const process::File> files) {
  const DefinedNames names(files);
  for (const process::File& file : files) {
    first_reference_.push_back(static_cast<std::uint32_t>(names_.size()));
    if (file.facts != nullptr && file.facts->dynamic)
      names_.resize(names_.size() + file.facts->dynamic->references.size());
  }
  std::vector<NamedItem> entries = gather(files);
  sort_by_upper_half(entries);
  const auto number = [&](std::span<const NamedItem> equal) {
    if (std::ranges::none_of(equal, [](const NamedItem& entry) { return entry.kind == NamedItem::Reference; })) return;
    const SymbolNumber name{static_cast<std::uint32_t>(first_.size() - 1)};
    for (const NamedItem& entry : equal)
      if (entry.kind == NamedItem::Reference)
        names_[first_reference_[entry.file] + entry.item] = name;
      else
        definitions_.push_back({ObjectIndex{entry.file}, entry.item, entry.kind == NamedItem::Canonical});
    first_.push_back(static_cast<std::uint32_t>(definitions_.size()));
    texts_.push_back(names.of(equal.front()));
  };
  for (auto from = entries.begin(); from != entries.end();) {
    const auto to = std::find_if(from, entries.end(),
                                 [&](const NamedItem& entry) { return upper_half(entry) != upper_half(*from); });
    const std::string_view text = names.of(*from);
    if (std::all_of(from + 1, to, [&](const NamedItem& entry) { return names.of(entry) == text; })) {
      number({from, to});
    } else {
      std::stable_sort(from, to, [&](const NamedItem& a, const NamedItem& b) { return names.of(a) < names.of(b); });
      for (auto run = from; run != to;) {
        const std::string_view name = names.of(*run);
        const auto end = std::find_if(run, to, [&](const NamedItem& entry) { return names.of(entry) != name; });
        number({run, end});
        run = end;
      }
    }
    from = to;
  }
}

}  // namespace wheelcheck::resolver
