// The check of symbol versions that precedes relocation.
#pragma once

#include "loader/process_maps.h"

namespace wheelcheck::loader {

// elf/dl-version.c, _dl_check_map_versions, for one loaded file: the first error that stops the load.
Loaded<void> check_versions(const Maps& maps, ObjectIndex object);

}  // namespace wheelcheck::loader
