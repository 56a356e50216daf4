// The file name of a library without what a repair tool put into it.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck {

// "libssl-1a2b3c4d.so.1.1" and "libssl.1a2b3c4d.so.1.1" -> "libssl.so.1.1": auditwheel and its kin write eight hex
// digits of a hash before the first dot, so that no other wheel has the name; some wheels were repaired twice.
std::string plain_library_name(std::string_view name);

}  // namespace wheelcheck
