// Builds one patchelf command that repairs the search path and the needed names of a file. Several rules each report
// one problem of a path; all give the same command, so that no command undoes another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

// The bundled copy of `library` in the wheel: libfoo-1a2b3c4d.so.1 for libfoo.so.1 (auditwheel, repair.py: a dash and
// eight hex digits before the first dot). The first by path.
std::optional<ElfIndex> bundled_copy(const WheelView& view, std::string_view library);

// The patchelf command with everything that the file lacks: the names of bundled copies, the directories that contain
// them, `more`, and those elements of the search path that lead to directories of wheels, without repetitions (as `fix`
// does). `more`: directories, from $ORIGIN, of libraries that only another load finds.
std::string path_repair(const WheelView& view, ElfIndex index, const std::vector<std::string>& more = {});

// What to move so that a search path can lead from the file to a library: the file, or `library` if that is the one
// outside of site-packages.
std::string advice_to_move(const WheelView& view, ElfIndex user, std::optional<ElfIndex> library);

}  // namespace wheelcheck::rules
