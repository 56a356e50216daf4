// The glibc release that introduced a symbol, from data/glibc_added.txt. It is used for imports without a version.
#pragma once

#include <string_view>

namespace wheelcheck::policy {

struct GlibcSymbol {
  std::string_view library, version;  // "libc.so.6", "GLIBC_2.36"
};
// Null for a name that glibc 2.5 already has, or that no glibc has.
const GlibcSymbol* first_with(std::string_view symbol);

}  // namespace wheelcheck::policy
