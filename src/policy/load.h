// Policies from files, beside those compiled into the program. wheelcheck::load_policies (wheelcheck.h) is the verb.
#pragma once

#include <string_view>
#include <vector>

#include "policy/level.h"
#include "wheelcheck/result.h"

namespace wheelcheck::policy {

// The levels of one document; `file` is for messages.
Result<std::vector<Level>> levels_of_text(std::string_view file, std::string_view text);

}  // namespace wheelcheck::policy
