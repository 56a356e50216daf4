// Generates the manual page wheelcheck(1) in roff with the man macros.
#pragma once

#include <string>

#include "cli/outline.h"

namespace wheelcheck::cli {

std::string man_page(const Outline& outline);

}  // namespace wheelcheck::cli
