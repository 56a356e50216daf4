// The built-in reference interpreters and platform (data/reference). They are used if the user names no interpreter or
// sysroot, so that the result is the same on every machine. They are decompressed at each call, so that other runs have
// no cost.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/process.h"

namespace wheelcheck::environment {

inline constexpr std::string_view default_reference_python = "shared";
std::vector<std::string> reference_pythons();  // "shared", "static": whether libpython is a library of its own

struct Reference {
  std::string about;                 // description of the files: "Debian 12"
  std::vector<process::File> files;  // with facts; none is assumed
  std::vector<std::unique_ptr<const ElfFacts>> facts;
};
Result<Reference> reference_python(std::string_view name);
Result<Reference> reference_platform();

// The lines of a reference: the cache format of a wheel whose name is the description and whose members are the files.
// Another member of the same name is a link to the file. Nullopt for other text.
std::optional<Reference> parse_reference(std::string_view text);

// --- platform libraries of which only the name is known -----------------------------------------------------------

// True if all symbols of the library have a version (the libraries of glibc and GCC). Every system has these, or a
// wheel contains its own.
bool is_versioned(std::string_view name);
process::Assumed assumed_library(std::string_view name, const process::Glibc& glibc);

// --- the CPython release of a program -----------------------------------------------------------------------------

// "3.11", "3.13t", from the name of the program or of its libpython; "" if they do not contain it. A view into
// `program`.
std::string_view version_of(const process::File& program);

// The nearest minor version in `to_find` if the program's own is not in it; otherwise nullopt.
std::optional<unsigned> release_to_stand_for(const process::File& program, const PythonReleases& to_find);

}  // namespace wheelcheck::environment
