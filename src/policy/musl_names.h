// Names of libraries that a loader gives whatever files there are.
#pragma once

#include <algorithm>
#include <string_view>

#include "wheelcheck/platform.h"

namespace wheelcheck::policy {

// The names that musl's loader takes for itself (ldso/dynlink.c, load_library), as musllinux levels list them.
inline bool is_given_by_loader(std::string_view soname, PlatformTag::Family family) {
  constexpr std::string_view reserved[] = {"libc.", "libpthread.", "librt.", "libm.", "libdl.", "libutil.", "libxnet."};
  return family == PlatformTag::Family::Musllinux && soname.ends_with(".so") &&
         std::ranges::any_of(reserved, [&](std::string_view start) { return soname.starts_with(start); });
}

}  // namespace wheelcheck::policy
