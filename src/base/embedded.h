// Files of the source tree that the build compiled into the program.
#pragma once

#include <cstddef>
#include <string_view>

namespace wheelcheck {

struct EmbeddedFile {
  std::string_view name;  // base name
  std::string_view text;
};

}  // namespace wheelcheck
