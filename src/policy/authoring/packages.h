// A root that lies in archives: packages of a distribution, or a tar of its file system. libarchive reads them; nothing
// is unpacked to disk.
#pragma once

#include <string>
#include <string_view>

#include "policy/authoring/provided_symbols.h"
#include "wheelcheck/result.h"

namespace wheelcheck::sysroot {

bool is_package(std::string_view file);  // by its ending: .deb, .rpm, .apk
Result<void> read_package(const std::string& file, const Limits& limits, Offers& offers);

}  // namespace wheelcheck::sysroot
