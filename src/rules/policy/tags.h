// Levels whose build image gets no updates any more.
#pragma once

#include <string>
#include <string_view>

#include "rules/common.h"
#include "wheelcheck/platform.h"

namespace wheelcheck::rules {

struct RetiredImage {
  PlatformTag::Family family;
  Version libc;
  std::string_view name, ended, next;
};

// The image of that tag's level; null while it is kept up, and where it never was one.
const RetiredImage* retired_image(const PlatformTag& tag);

// Which platform tags installers accept: what packaging.tags generates for the machines that Linux runs on.

// "" for a tag that some installer on Linux accepts, and for tags of other systems; else why none does.
std::string installer_refusal(const PlatformTag& tag);
// The tag that was probably meant, linux_x86_64 for linux_amd64; "" where that is unknown.
std::string corrected_spelling(const PlatformTag& tag);

}  // namespace wheelcheck::rules
