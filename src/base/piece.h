// Text of tables that are compiled into the program. A pointer to it would have to be relocated at each start, and the
// page that it stands in copied; a place in one common text is a constant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck {

struct Piece {
  std::uint32_t at = 0, size = 0;  // bytes of the text

  constexpr std::string_view of(std::string_view text) const { return text.substr(at, size); }
};

// Calls take(part) for each part of a list whose items stand apart by `separator`, in order.
void each_part(std::string_view list, char separator, auto take) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    take(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

inline std::vector<std::string> parts_of(std::string_view list, char separator) {
  static thread_local std::vector<std::string_view> parts;  // tells how many there are
  parts.clear();
  each_part(list, separator, [](std::string_view part) { parts.push_back(part); });
  return {parts.begin(), parts.end()};
}

}  // namespace wheelcheck
