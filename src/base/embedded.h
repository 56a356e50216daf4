// Files of the source tree that the build compiles into the program, so that it needs no data files at run time.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace wheelcheck {

struct EmbeddedFile {
  std::string_view name;  // base name
  std::string_view text;
};

// A large file, compressed as DEFLATE data.
struct PackedFile {
  std::string_view name;  // base name without extension
  std::string_view bytes;
  std::size_t size = 0;  // bytes of the uncompressed text
};

}  // namespace wheelcheck
