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

// --- The process of a system with musl, of which no reference is compiled in: an interpreter of which only the C API
// is known, and the C library with the names of its newest release (data/c_names/musl.txt).

// True if the program starts musl's loader.
bool is_musl_program(const ElfFacts& program);

// "/lib/ld-musl-x86_64.so.1" for EM_X86_64. For a machine that is not listed any name serves, because only the model
// uses it.
std::string_view musl_interpreter(const ElfFacts& machine);

// The C library, with the name of the program's interpreter.
process::File musl_library(const ElfFacts& program, std::vector<std::unique_ptr<const ElfFacts>>& facts);

// The default of ldso/dynlink.c, load_library.
inline constexpr std::string_view musl_directories[] = {"/lib", "/usr/local/lib", "/usr/lib"};

}  // namespace wheelcheck::environment
