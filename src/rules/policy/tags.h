// Two checks of platform tags: levels whose build image no longer gets updates, and tags that no installer accepts.
// Both depend only on the tag, not on the content of the wheel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/common.h"
#include "wheelcheck/platform.h"

namespace wheelcheck::rules {

// A build image of pypa/manylinux, from data/images.txt.
struct BuildImage {
  PlatformTag::Family family;
  Version libc;
  std::string_view name;
  std::vector<Arch> archs;
  std::string_view ended, next, base;  // "" for an image that is maintained
};
// Newest first in each family.
const std::vector<BuildImage>& build_images();
// The retired image of the tag's level; null if the image is maintained, or never existed.
const BuildImage* retired_image(const PlatformTag& tag);

// Which platform tags installers accept: those that packaging.tags generates for the architectures of Linux.

// Why no installer accepts the tag; "" if some installer on Linux accepts it, or if it is for another system.
std::string installer_refusal(const PlatformTag& tag);
// The tag that was probably meant: linux_x86_64 for linux_amd64; "" if unknown.
std::string corrected_spelling(const PlatformTag& tag);

}  // namespace wheelcheck::rules
