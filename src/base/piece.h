// A slice of one large constant text: offset and size. Tables that are compiled into the program use it instead of
// pointers. A pointer needs a relocation at each start of the program, and the relocation makes the kernel copy the
// page; an offset is a constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck {

struct Piece {
  std::uint32_t at = 0, size = 0;  // bytes in the text

  bool operator==(const Piece&) const = default;

  // Not checked against the size of the text: the build generated both.
  constexpr std::string_view of(std::string_view text) const { return {text.data() + at, size}; }
};

// The items of a list that are separated by `separator`, in order.
template <class Text = std::string>
std::vector<Text> parts_of(std::string_view list, char separator) {
  // collected here first, so that the result is allocated once
  static thread_local std::vector<std::string_view> parts;
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
