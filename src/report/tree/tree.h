// The output of `wheelcheck tree WHEEL`: what is loaded with a file, how each library is found, and which problems
// there are. It follows the loads that the resolver computed; the text and the JSON form contain the same problems.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/shared/text.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

struct Tree {  // of one wheel
  const WheelReport& wheel;
  std::vector<Load> loads;
  std::size_t left_out = 0;  // number of roots that were skipped because their loads are too much work
};
struct TreeOptions {
  bool json = false;  // docs/tree.schema.json
  Paint paint = {};
};
std::string render_trees(std::span<const Tree> trees, std::span<const WheelFacts> providers,
                         const TreeOptions& options);

}  // namespace wheelcheck::report
