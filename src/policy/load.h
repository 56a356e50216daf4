// Policies from files, beside those compiled into the program. wheelcheck::load_policies (wheelcheck.h) is the verb.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/level.h"
#include "wheelcheck/result.h"

namespace wheelcheck::policy {

struct Document {
  std::string file;
  std::string text;
};
// The files of `paths`, of a directory its *.json by name.
Result<std::vector<Document>> documents_of(std::span<const std::string> paths);
// The levels of one document; `file` is for messages.
Result<std::vector<Level>> levels_of_text(std::string_view file, std::string_view text);

}  // namespace wheelcheck::policy
