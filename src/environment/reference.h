// The interpreters and the platform that are compiled in (data/reference), for those who name none: the answer is then
// the same on every machine. Unpacked and read at each call, so that who needs none pays nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/process_facts.h"
#include "wheelcheck/installation.h"
#include "wheelcheck/process.h"

namespace wheelcheck::environment {

inline constexpr std::string_view default_reference_python = "shared";
std::vector<std::string> reference_pythons();  // "shared", "static": whether libpython is a library of its own

Result<facts::Stored> reference_python(std::string_view name);
Result<facts::Stored> reference_platform();

// Libraries of the platform of which only the name is known: what they are taken to define.

// All that it defines has a version (the libraries of glibc and GCC); every system has it, or a wheel brings its own.
bool is_versioned(std::string_view name);
process::Assumed assumed_library(std::string_view name, const process::Glibc& glibc);

// Which release of CPython a program is, and which it stands for.

// "3.11", "3.13t"; "" where neither its name nor that of its libpython says so. Good as long as `program` is.
std::string_view version_of(const process::File& program);

// The nearest minor version of `wanted`, where that of the program is none of them.
std::optional<unsigned> release_to_stand_for(const process::File& program, const PythonReleases& to_find);

}  // namespace wheelcheck::environment
