// The readers of data/: one a table, each from the text of one JSON file into its part of Knowledge. An entry of a name
// that is there already replaces it. Errors are BadPolicy and name `file` and the JSON pointer.
#pragma once

#include <string_view>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/result.h"

namespace wheelcheck::knowledge {

Result<void> read_libraries(std::string_view text, std::string_view file, Knowledge& into);
Result<void> read_gpu(std::string_view text, std::string_view file, Knowledge& into);
Result<void> read_distributions(std::string_view text, std::string_view file, Knowledge& into);
Result<void> read_stable_abi(std::string_view text, std::string_view file, Knowledge& into);

}  // namespace wheelcheck::knowledge
