// Reads names from the dynamic string table as the loader does, and counts names that other readers would not see.
#include "elf/strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/byte_scan.h"
#include "base/text.h"

namespace wheelcheck::elf {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// True if all bytes are printable ASCII or NUL.
bool is_plain(std::string_view table) {
  const auto is_odd = [](const auto& c, const auto&, auto& marks) { marks = (c - 1 < 0x1F) | (c > 0x7E); };
  return !any_pair(table, 0, table.size(), is_odd, [](std::size_t) { return true; });
}

bool is_odd_name(std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    const std::uint32_t c = next_code_point(name, at);
    if (c == 0xFFFFFFFF || is_deceptive(c)) return true;
  }
  return false;
}

}  // namespace

Strings::Strings(const File& file, const Image& image, std::optional<std::uint64_t> address, std::uint64_t size,
                 StringPool& symbol_names, StringPool& pool, const Limits& limits)
    : image_(image),
      symbol_names_(symbol_names),
      pool_(pool),
      address_(address.value_or(0)),
      left_to_name_(limits.library_names) {
  if (!address) return;
  const std::uint64_t available = image.available(address_);
  usable_ = available > 0;
  cut_ = size > available;
  const std::uint64_t length = std::min(size, available);
  const auto range = image.place(address_);
  const bool in_one_piece = range && length <= range->end - range->begin;
  if (file.lasts() && in_one_piece) {
    place_ = FileRange{range->begin, range->begin + length};
    file.hold(*place_);
    table_ = as_text(file.bytes(range->begin, length));
  } else {
    const auto whole = image.bytes(address_, length);
    table_ = symbol_names.add(as_text(whole ? *whole : image.from(address_, length)));
  }
  plain_ = is_plain(table_);
  // Tail merging shares a few bytes. A table of which every byte is read twice is built to slow readers down.
  left_ = (std::uint64_t{1} << 20) + 2 * std::uint64_t{table_.size()};
}

std::optional<std::string_view> Strings::at(std::uint64_t offset) {
  if (offset < table_.size()) {
    const char* const begin = table_.data() + offset;
    const std::size_t max = std::min<std::uint64_t>(table_.size() - offset, left_);
    if (const auto* const end = static_cast<const char*>(std::memchr(begin, 0, max)); end != nullptr) {
      left_ -= static_cast<std::uint64_t>(end - begin);
      return looked_at({begin, end});
    }
    if (max == left_) {
      left_ = 0;  // so many were searched
      exhausted_ = true;
      return std::nullopt;
    }
  }
  return beyond(offset);
}

std::optional<std::string_view> Strings::kept(std::uint64_t offset) {
  const auto name = at(offset);
  return name ? std::optional(pool_.add(*name)) : std::nullopt;
}

bool Strings::may_name(std::size_t bytes) {
  if (bytes <= left_to_name_) return left_to_name_ -= bytes, true;
  named_too_much_ = true;
  return false;
}

std::optional<std::string_view> Strings::named(std::uint64_t offset) {
  const auto name = at(offset);
  return name && may_name(name->size()) ? std::optional(pool_.add(*name)) : std::nullopt;
}

std::string_view Strings::looked_at(std::string_view name) {
  if (!plain_ && is_odd_name(name)) ++odd_;
  return name;
}

std::optional<std::string_view> Strings::beyond(std::uint64_t offset) {
  // The loader adds two pointers: DT_STRTAB may be before the file, and its strings inside.
  const std::uint64_t place = image_.wrapped(address_ + offset);
  const std::uint64_t max = std::min<std::uint64_t>(image_.available(place), left_beyond_);
  // Read page by page, because the string may span pieces that are adjacent in memory only.
  std::string text;
  for (std::uint64_t done = 0; done < max;) {
    const std::uint64_t part = std::min<std::uint64_t>(max - done, page_size);
    const auto bytes = image_.bytes(place + done, part);
    if (!bytes) break;
    const std::string_view chunk = as_text(*bytes);
    const std::size_t end = chunk.find('\0');
    text.append(chunk.substr(0, end));
    left_beyond_ -= std::min<std::uint64_t>(left_beyond_, end == chunk.npos ? part : end + 1);
    if (end != chunk.npos) {
      ++beyond_;
      if (is_odd_name(text)) ++odd_;
      return symbol_names_.add(text);
    }
    done += part;
  }
  if (left_beyond_ == 0)
    exhausted_ = true;
  else
    ++lost_;
  return std::nullopt;
}

void Strings::report(Flaws& flaws) const {
  const auto area = ElfArea::Strings;
  if (cut_) flaws.odd(area, "DT_STRSZ is larger than what is mapped of the string table");
  if (beyond_ > 0)
    flaws.odd(area, fmt::format("{} strings lie or end beyond DT_STRSZ, where the loader finds them", beyond_));
  if (odd_ > 0)
    flaws.odd(area, fmt::format("{} names contain control or invisible characters, or are not UTF-8", odd_));
  if (lost_ > 0) flaws.fatal(area, fmt::format("{} strings are not in memory or have no end", lost_));
  if (named_too_much_)
    flaws.fatal(area,
                "the names of libraries and versions are longer than what is read of them in all; raise it with "
                "--limit library-name-bytes=N");
  if (exhausted_) flaws.fatal(area, "the names are longer than what is read of them in all");
}

}  // namespace wheelcheck::elf
