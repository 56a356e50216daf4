// Reads names out of the dynamic string table as the loader does, and counts what other readers would not see.
#include "elf/strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace wheelcheck::elf {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Strings::Strings(const File& file, const Image& image, std::optional<std::uint64_t> address, std::uint64_t size,
                 StringPool& pool)
    : image_(image), pool_(pool), address_(address.value_or(0)) {
  if (!address) return;
  const std::uint64_t room = image.room(address_);
  usable_ = room > 0;
  cut_ = size > room;
  const std::uint64_t length = std::min(size, room);
  const auto range = image.place(address_);
  const bool in_one_piece = range && length <= range->end - range->begin;
  if (file.lasts() && in_one_piece) {
    place_ = FileRange{range->begin, range->begin + length};
    table_ = as_text(file.bytes(range->begin, length));
  } else {
    const auto whole = image.bytes(address_, length);
    table_ = pool.add(as_text(whole ? *whole : image.from(address_, length)));
  }
  // Tail merging shares a few bytes; a table of which every byte is read 16 times is made to be slow.
  left_ = (std::uint64_t{1} << 24) + 16 * std::uint64_t{table_.size()};
}

std::optional<std::string_view> Strings::at(std::uint64_t offset) {
  if (offset < table_.size()) {
    const char* const begin = table_.data() + offset;
    const std::size_t most = std::min<std::uint64_t>(table_.size() - offset, left_);
    if (const auto* const end = static_cast<const char*>(std::memchr(begin, 0, most)); end != nullptr) {
      left_ -= static_cast<std::uint64_t>(end - begin);
      return std::string_view(begin, end);
    }
    if (most == left_) {
      exhausted_ = true;
      return std::nullopt;
    }
  }
  return beyond(offset);
}

std::optional<std::string_view> Strings::beyond(std::uint64_t offset) {
  std::uint64_t place = 0;
  const bool wraps = __builtin_add_overflow(address_, offset, &place);
  const std::uint64_t most = wraps ? 0 : std::min<std::uint64_t>(image_.room(place), left_beyond_);
  // One page at a time: the string may run over pieces that adjoin in memory only.
  std::string text;
  for (std::uint64_t done = 0; done < most;) {
    const std::uint64_t part = std::min<std::uint64_t>(most - done, page_size);
    const auto bytes = image_.bytes(place + done, part);
    if (!bytes) break;
    const std::string_view chunk = as_text(*bytes);
    const std::size_t end = chunk.find('\0');
    text.append(chunk.substr(0, end));
    left_beyond_ -= std::min<std::uint64_t>(left_beyond_, end == chunk.npos ? part : end + 1);
    if (end != chunk.npos) {
      ++beyond_;
      return pool_.add(text);
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
  if (lost_ > 0) flaws.fatal(area, fmt::format("{} strings are not in memory or have no end", lost_));
  if (exhausted_) flaws.fatal(area, "the names are longer than what is read of them in all");
}

}  // namespace wheelcheck::elf
