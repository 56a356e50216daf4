// Where a library must lie for the loader to find it without being told.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelcheck::sysroot {

// A path in a root without the "./" or "/" that archives write before it.
std::string_view in_root(std::string_view path);

// Of the directory of a file: 0 where the loader looks first. nullopt: it does not look there. The trusted directories
// of glibc (elf/Makefile, rtld-default-dirs; Debian's multiarch patch puts lib/TRIPLET before lib) and of musl
// (ldso/dynlink.c: /lib, /usr/local/lib, /usr/lib).
std::optional<unsigned> rank_of(std::string_view path);

}  // namespace wheelcheck::sysroot
