// Libraries of the platform of which only the name is known: what they are taken to define.
#pragma once

#include <string_view>

#include "wheelcheck/process.h"

namespace wheelcheck::environment {

// All that it defines has a version (the libraries of glibc and GCC); every system has it, or a wheel brings its own.
bool is_versioned(std::string_view name);
process::Assumed assumed_library(std::string_view name, const process::Glibc& glibc);

}  // namespace wheelcheck::environment
