// The dynamic string table: offsets in, views into the pool of the facts out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// Reads DT_STRTAB, DT_STRSZ bytes of it. glibc never looks at DT_STRSZ, so a string beyond it is
// read as the loader would, kept by itself, and remarked upon. What may be read in all is bounded: four million names
// that share one long tail would else cost hours.
class Strings {
 public:
  // `symbol_names` gets the table, `pool` copies of what kept() and named() return. Where the file lasts, the table is
  // not copied: the owner of the facts must keep place().
  Strings(const File& file, const Image& image, std::optional<std::uint64_t> address, std::uint64_t size,
          StringPool& symbol_names, StringPool& pool, const Limits& limits);

  // Nothing where the string is not in memory or has no end.
  std::optional<std::string_view> at(std::uint64_t offset);
  // The same, copied.
  std::optional<std::string_view> kept(std::uint64_t offset);
  // A name of a library or a version, which reports show wherever it counts. Nothing once those have more bytes in all
  // than any honest file's: a thousand tails of one long name would else make a report of a gigabyte.
  std::optional<std::string_view> named(std::uint64_t offset);
  // False where `bytes` more would be too much: such a name once again, in another place.
  bool may_name(std::size_t bytes);
  // at() in two steps, for names that are not read in the order in which they are asked for: where a string starts, no
  // byte of it read yet, and the whole of what starts there; empty where there is none.
  std::string_view start(std::uint64_t offset) {
    if (offset < table_.size()) return table_.substr(offset, 0);
    const auto name = at(offset);
    return name && !name->empty() ? *name : std::string_view();
  }
  std::string_view whole(std::string_view start) {
    if (!start.empty() || start.data() == nullptr) return start;
    return at(offset(start)).value_or(std::string_view());
  }
  // Of such a start or name in the table; size() for what is not in it.
  std::uint64_t offset(std::string_view start) const {
    const auto at = reinterpret_cast<std::uintptr_t>(start.data()) - reinterpret_cast<std::uintptr_t>(table_.data());
    return std::min<std::uint64_t>(at, table_.size());
  }
  std::uint64_t size() const { return table_.size(); }
  bool usable() const { return usable_; }
  // Where views into the file lead; nothing where all names are in the pool.
  std::optional<FileRange> place() const { return place_; }
  void report(Flaws& flaws) const;

 private:
  std::optional<std::string_view> beyond(std::uint64_t offset);
  std::string_view looked_at(std::string_view name);

  const Image& image_;
  StringPool &symbol_names_, &pool_;
  std::uint64_t address_ = 0;
  std::string_view table_;
  std::optional<FileRange> place_;
  std::uint64_t left_to_name_;  // bytes
  bool usable_ = false, cut_ = false, exhausted_ = false, named_too_much_ = false;
  bool plain_ = true;                                               // the table is printable ASCII
  std::uint64_t beyond_ = 0, lost_ = 0, odd_ = 0;                   // strings
  std::uint64_t left_ = 0, left_beyond_ = std::uint64_t{16} << 20;  // bytes that may still be read
};

}  // namespace wheelcheck::elf
