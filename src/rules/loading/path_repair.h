// One command that repairs the search path of a file and the names that it needs: rules that each see one fault of a
// path give the same command, so that none undoes what another asks for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

// The file of the wheel that a repair tool made of `library`: libfoo-1a2b3c4d.so.1 for libfoo.so.1 (auditwheel,
// repair.py: a dash and eight hex digits before the first dot). The first by path.
std::optional<ElfIndex> bundled_copy(const WheelView& view, std::string_view library);

// An element that names a library instead of a directory: the loader finds nothing there.
bool names_a_file(std::string_view element);

// patchelf with all that the file lacks: names of bundled copies, the directories in which they are, and of the old
// elements those that start at $ORIGIN and are directories, each once. `old`: which of the old elements may stay.
std::string path_repair(const WheelView& view, ElfIndex index, const std::vector<std::string_view>& old);
std::string path_repair(const WheelView& view, ElfIndex index);

}  // namespace wheelcheck::rules
