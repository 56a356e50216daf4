// Files of the source tree that the build compiled into the program.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace wheelcheck {

struct EmbeddedFile {
  std::string_view name;  // base name
  std::string_view text;
};

// One that is large, as DEFLATE data.
struct PackedFile {
  std::string_view name;  // base name without its ending
  std::string_view bytes;
  std::size_t size = 0;  // of the text
};

}  // namespace wheelcheck
