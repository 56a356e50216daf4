// The rules of the core metadata specification that `packaging` and package indexes enforce.
#pragma once

#include <string>
#include <vector>

#include "wheel/metadata.h"

namespace wheelcheck::wheel {

// One clause for each rule that the fields break, in their order: "License-Expression needs Metadata-Version 2.4, the
// file says 2.1". Each field is reported once for each rule.
std::vector<std::string> core_metadata_problems(const Headers& headers);

}  // namespace wheelcheck::wheel
