// Reads policies from files. The public functions are in wheelcheck.h (load_policies) and policies.h.
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
// Reads the files of `paths`; for a directory its *.json files, sorted by name.
Result<std::vector<Document>> documents_of(std::span<const std::string> paths);
// The levels of one document; `file` is used in messages. Error: BadPolicy.
Result<std::vector<Level>> levels_of_text(std::string_view file, std::string_view text);

}  // namespace wheelcheck::policy
