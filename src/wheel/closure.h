// Which installed distributions a set of them needs, in an order in which each can be imported.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "wheel/dist_info.h"
#include "wheelcheck/result.h"

namespace wheelcheck::wheel {

// Indices into `distributions`: `names` and what Requires-Dist asks for of what is installed, each after what it needs;
// a circle is cut where it is entered. Without names all, by project. `python`: "3.11", or empty. Error NotFound: a
// name that is not installed.
Result<std::vector<std::size_t>> in_import_order(std::span<const DistInfo> distributions,
                                                 std::span<const std::string> names, const std::string& python);

}  // namespace wheelcheck::wheel
