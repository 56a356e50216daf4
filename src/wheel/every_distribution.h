// All distributions of an environment, also those of Python code alone, whose imports lead to others.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

// As read_environment_distributions.
Result<std::vector<WheelFacts>> read_every_distribution(const std::string& directory,
                                                        std::span<const std::string> names, const Limits& limits,
                                                        unsigned jobs, const Progress& progress);

}  // namespace wheelcheck::wheel
