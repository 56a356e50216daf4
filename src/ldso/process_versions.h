// The check of symbol versions that precedes relocation.
#pragma once

#include "ldso/process_maps.h"

namespace wheelcheck::resolver {

// elf/dl-version.c, _dl_check_map_versions, for one loaded file: the first error that stops the load.
Loaded<void> check_versions(const Maps& maps, ObjectIndex object);

// A version is asked of a library by name that has none, before glibc 2.41: the process ends.
LoadError inconsistent_version();

}  // namespace wheelcheck::resolver
