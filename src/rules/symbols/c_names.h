// The names that a C library provides to a file that imports them without a version, from data/c_names. They are those
// of x86-64; other architectures have the same names except for a few compiler helper functions.
#pragma once

#include <optional>
#include <string_view>

#include "wheelcheck/platform.h"

namespace wheelcheck::rules {

struct CName {
  std::string_view since;       // musl: the first release with the name, if newer than 1.1; else ""
  std::string_view dropped_in;  // glibc: the release from which a lookup without a version no longer finds it; else ""
};
// `libc` is Glibc or Musl. nullopt if the library does not have the name.
std::optional<CName> c_name(Libc libc, std::string_view symbol);

}  // namespace wheelcheck::rules
