// What a bundled library opens at run time by name or from a directory of its own system. That is not bundled, because
// no DT_NEEDED names it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "repair/system_root.h"

namespace wheelcheck::repair {

struct RunTimeFiles {
  std::vector<std::string> directories;  // that contain shared libraries: /usr/lib/x86_64-linux-gnu/ossl-modules
  std::vector<std::string> libraries;    // libxmlsec1-openssl.so
};
// By the strings in the file, so it is a guess: a string can be a part of a message. `known`: names that are bundled,
// excluded or provided by the platform.
RunTimeFiles run_time_files(const SystemLibrary& library, const std::set<std::string, std::less<>>& known,
                            SystemRoot& root);

}  // namespace wheelcheck::repair
