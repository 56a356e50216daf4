// Text of tables that are compiled into the program. A pointer to it would have to be relocated at each start, and the
// page that it stands in copied; a place in one common text is a constant.
#pragma once

#include <cstdint>
#include <string_view>

namespace wheelcheck {

struct Piece {
  std::uint32_t at = 0, size = 0;  // bytes of the text

  constexpr std::string_view of(std::string_view text) const { return text.substr(at, size); }
};

}  // namespace wheelcheck
