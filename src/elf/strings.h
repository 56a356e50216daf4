// The dynamic string table: converts offsets to views into the pool of the facts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// Reads DT_STRSZ bytes of DT_STRTAB. glibc does not use DT_STRSZ, so a string beyond it is read as well, stored
// separately and reported as a flaw. The total number of bytes read is limited: four million names with one long common
// tail would otherwise take hours.
class Strings {
 public:
  // `symbol_names` receives the table; `pool` receives the copies that kept() and named() return. If File::lasts() is
  // true, the table is not copied, and the owner of the facts must keep place().
  Strings(const File& file, const Image& image, std::optional<std::uint64_t> address, std::uint64_t size,
          StringPool& symbol_names, StringPool& pool, const Limits& limits);

  // nullopt if the string is not in memory or is not terminated.
  std::optional<std::string_view> at(std::uint64_t offset);
  // The same, copied into the pool.
  std::optional<std::string_view> kept(std::uint64_t offset);
  // The name of a library or version, copied into the pool. Reports repeat these names, so their total size is limited:
  // a thousand tails of one long name would otherwise make a report of a gigabyte. nullopt if the limit is exceeded.
  std::optional<std::string_view> named(std::uint64_t offset);
  // Counts a repeated use of such a name. Returns false if the limit would be exceeded.
  bool may_name(std::size_t bytes);
  // at() in two steps, for names that are not read in the order of the requests. start() returns an empty view at the
  // start of a string without reading it; whole() reads the string. Both return an empty view with a null pointer if
  // there is none.
  std::string_view start(std::uint64_t offset) {
    if (offset < table_.size()) return table_.substr(offset, 0);
    const auto name = at(offset);
    return name && !name->empty() ? *name : std::string_view();
  }
  std::string_view whole(std::string_view start) {
    if (!start.empty() || start.data() == nullptr) return start;
    return at(offset(start)).value_or(std::string_view());
  }
  // The offset of such a start or name in the table; size() if it is not in the table.
  std::uint64_t offset(std::string_view start) const {
    const auto at = reinterpret_cast<std::uintptr_t>(start.data()) - reinterpret_cast<std::uintptr_t>(table_.data());
    return std::min<std::uint64_t>(at, table_.size());
  }
  std::uint64_t size() const { return table_.size(); }
  bool usable() const { return usable_; }
  // The range of the file that views point into; nullopt if all names are in the pool.
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
  bool plain_ = true;                                               // the table contains only printable ASCII and NUL
  std::uint64_t beyond_ = 0, lost_ = 0, odd_ = 0;                   // counts of strings
  std::uint64_t left_ = 0, left_beyond_ = std::uint64_t{16} << 20;  // bytes that may still be read
};

}  // namespace wheelcheck::elf
