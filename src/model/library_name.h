// What the name of a library says: it is one of glibc, or a repair tool added a hash to it. auditwheel and similar
// tools rename a bundled library so that its soname is unique in a process; reports need the original name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "wheelcheck/knowledge.h"

namespace wheelcheck {

// "libssl-1a2b3c4d.so.1.1" and "libssl.1a2b3c4d.so.1.1" -> "libssl.so.1.1". auditwheel and similar tools insert eight
// hex digits of a hash before the first dot. All such parts are removed, because some wheels were repaired twice.
std::string plain_library_name(std::string_view name);

// True for libraries that glibc installs (from its shlib-versions, and the names of its loaders).
bool is_of_glibc(std::string_view library);

// The entry of a table that is sorted by stem; null if there is none.
const KnownGpuLibrary* find_gpu_library(std::span<const KnownGpuLibrary> libraries, std::string_view stem);

}  // namespace wheelcheck
