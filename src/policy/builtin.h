// The policies of policies/, compiled into the program as tables: no JSON is parsed for them at run time.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/piece.h"
#include "policy/level.h"

namespace wheelcheck::policy {

// One level for one architecture. Texts are pieces of builtin_text; lists are words with blanks between them; a list of
// lists has a line for each, whose first word is its key: "GLIBC 2.2.5 2.3\nGCC 3.0".
struct BuiltinRow {
  Piece name, aliases;
  PlatformTag::Family family;
  Version libc;
  Arch arch;
  bool allows_libpython;
  Piece libraries, denied_symbols, versions;
};

// Written by the build from policies/*.json (cmake/EmbedTables.cmake); rows of one level stand together.
extern const std::string_view builtin_text;
extern const BuiltinRow builtin_rows[];
extern const std::size_t builtin_row_count;

std::vector<Level> builtin_levels();
// Those of one C library, each for one architecture alone.
std::vector<Level> builtin_levels(PlatformTag::Family family, Arch arch);

}  // namespace wheelcheck::policy
