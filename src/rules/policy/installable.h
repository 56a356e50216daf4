// Which platform tags installers accept: what packaging.tags generates for the machines that Linux runs on.
#pragma once

#include <string>

#include "wheelcheck/platform.h"

namespace wheelcheck::rules {

// "" for a tag that some installer on Linux accepts, and for tags of other systems; else why none does.
std::string installer_refusal(const PlatformTag& tag);
// The tag that was probably meant, linux_x86_64 for linux_amd64; "" where that is unknown.
std::string corrected_spelling(const PlatformTag& tag);

}  // namespace wheelcheck::rules
