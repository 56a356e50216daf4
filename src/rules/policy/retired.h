// Levels whose build image gets no updates any more.
#pragma once

#include <string_view>

#include "rules/common.h"

namespace wheelcheck::rules {

struct RetiredImage {
  PlatformTag::Family family;
  Version libc;
  std::string_view name, ended, next;
};

// The image of that tag's level; null while it is kept up, and where it never was one.
const RetiredImage* retired_image(const PlatformTag& tag);

}  // namespace wheelcheck::rules
