// The interpreters and the platform that are compiled in (data/reference), for those who name none: the answer is then
// the same on every machine. Unpacked and read at each call, so that who needs none pays nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/process_facts.h"

namespace wheelcheck::environment {

inline constexpr std::string_view default_reference_python = "shared";
std::vector<std::string> reference_pythons();  // "shared", "static": whether libpython is a library of its own

Result<facts::Stored> reference_python(std::string_view name);
Result<facts::Stored> reference_platform();

}  // namespace wheelcheck::environment
