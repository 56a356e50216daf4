// Checks License-Expression of METADATA (PEP 639; SPDX specification, "SPDX license expressions").
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck::wheel {

// "" for a valid expression of known licences, else the problem: "has the unknown licence foo".
std::string license_expression_problem(std::string_view text);

}  // namespace wheelcheck::wheel
