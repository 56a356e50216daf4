// What a bundled library opens at run time by name or from a directory of its own system. That is not bundled, because
// no DT_NEEDED names it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "repair/system_root.h"

namespace wheelcheck::repair {

// A sentence about them, "" if there are none. By the strings in the file, so it is a guess: a string can be a part of
// a message. `known`: names that are bundled, excluded or provided by the platform.
std::string run_time_note(const SystemLibrary& library, std::string_view name,
                          const std::set<std::string, std::less<>>& known, SystemRoot& root);

}  // namespace wheelcheck::repair
