// What `fix` and `repair` did, as text.
#pragma once

#include <string>

#include "wheelcheck/rewrite.h"

namespace wheelcheck::report {

struct RewriteTextOptions {
  bool colour = false;
  bool diff = false;  // each change as a removed and an added line
};
std::string render_repaired(const RepairResult& repaired);
std::string render_fixed(const FixResult& fixed, const RewriteTextOptions& options);

}  // namespace wheelcheck::report
