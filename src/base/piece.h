// Text of tables that are compiled into the program. A pointer to it would have to be relocated at each start, and the
// page that it stands in copied; a place in one common text is a constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck {

struct Piece {
  std::uint32_t at = 0, size = 0;  // bytes of the text

  bool operator==(const Piece&) const = default;

  // Not checked: the build wrote both.
  constexpr std::string_view of(std::string_view text) const { return {text.data() + at, size}; }
};

// The parts of a list whose items stand apart by `separator`, in order.
template <class Text = std::string>
std::vector<Text> parts_of(std::string_view list, char separator) {
  static thread_local std::vector<std::string_view> parts;  // tells how many there are
  parts.clear();
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at != end) {
    const auto left = static_cast<std::size_t>(end - at);
    const auto* const found = static_cast<const char*>(std::memchr(at, separator, left));
    const char* const stop = found == nullptr ? end : found;
    parts.emplace_back(at, static_cast<std::size_t>(stop - at));
    at = found == nullptr ? end : found + 1;
  }
  return {parts.begin(), parts.end()};
}

}  // namespace wheelcheck
