// Whether the directory of the cache is used.
#pragma once

#include <string>

#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::app {

// Why Settings::cache is not used: who else may have written to it; "" if nobody.
std::string distrust_of_cache(const Settings& settings);

}  // namespace wheelcheck::app
