// Which release of CPython a program is, and which it stands for.
#pragma once

#include <optional>
#include <string_view>

#include "wheelcheck/installation.h"

namespace wheelcheck::environment {

// "3.11", "3.13t"; "" where neither its name nor that of its libpython says so. Good as long as `program` is.
std::string_view version_of(const process::File& program);

// The nearest minor version of `wanted`, where that of the program is none of them.
std::optional<unsigned> release_to_stand_for(const process::File& program, const PythonReleases& wanted);

}  // namespace wheelcheck::environment
