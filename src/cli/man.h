// The manual page, wheelcheck(1), in roff's man macros.
#pragma once

#include <string>

#include "cli/outline.h"

namespace wheelcheck::cli {

std::string man_page(const Outline& outline);

}  // namespace wheelcheck::cli
