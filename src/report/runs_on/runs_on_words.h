// The words for what a wheel asks of a system.
#pragma once

#include <string>
#include <string_view>

#include "wheelcheck/system_compatibility.h"

namespace wheelcheck::report {

std::string_view name_of(SystemRequirement::Kind kind);  // "version", "c-library" ...
// GLIBC_2.34, linked for glibc, a CPU of x86-64-v3. Escaped.
std::string ask_text(const SystemRequirement& ask);
// foo/x.so (pthread_create) and 2 more files. Escaped.
std::string asker_text(const WheelFacts& wheel, const SystemRequirement& ask);

}  // namespace wheelcheck::report
