// The search path of a file, DT_RUNPATH or DT_RPATH, as the loader uses it: whether it applies, and where its elements
// lead. WC501 to WC505 report its faults, `fix` and `repair` write new paths; both must agree on what an element means.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck {

// The search path that the loader uses: DT_RUNPATH, or DT_RPATH if there is no DT_RUNPATH. The loader ignores an empty
// string (glibc elf/dl-load.c, decompose_rpath).
struct EffectivePath {
  std::string_view kind;  // "RUNPATH", "RPATH", or "" if there is none
  std::vector<std::string_view> elements;
};
EffectivePath effective_path(const ElfFacts& facts);
// Whether the loader uses the path at all. It does not search for libraries that CPython has already loaded (libc,
// libm, ...), so a file that needs nothing else and does not call dlopen never uses its path.
bool is_searched(const ElfMember& elf);
// True if the element starts with $ORIGIN or ${ORIGIN} as glibc parses it; "$ORIGINAL" does not.
bool starts_at_origin(std::string_view element);
// The $ORIGIN path from the directory of one installed file to the directory of another: $ORIGIN/../foo.libs
std::string origin_path(std::string_view from_file, std::string_view to_file);

// True if a path element names a library instead of a directory; the loader finds nothing there.
bool names_a_file(std::string_view element);

// Where an element that starts at $ORIGIN leads to: to a directory that wheels create, to one that they do not, or into
// a build tree (WC504).
enum class PathTarget { Inside, Above, Build };
PathTarget target_of(const ElfMember& elf, std::string_view element);

// The parts of the directory that `element` denotes for a file at `installed`; nothing if it leaves the prefix or is
// not relative to the file.
std::optional<std::vector<std::string_view>> directory_of(std::string_view installed, std::string_view element);
// "lib/python3.11/site-packages/PyQt6/Qt6/lib/" -> "PyQt6/Qt6/lib/"
std::string below_site_packages(std::string_view directory);

}  // namespace wheelcheck
