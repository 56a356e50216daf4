// The tags in the file name and in WHEEL.
#pragma once

#include "rules/common.h"

namespace wheelcheck::rules {

// True if WHEEL names other tags than the file name, or if one of them names more than can be compared.
bool tags_differ(const WheelView& view);

}  // namespace wheelcheck::rules
