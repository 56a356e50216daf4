// What `fix` and `repair` did, as text.
#pragma once

#include <string>

#include "report/shared/text.h"
#include "wheelcheck/rewrite.h"

namespace wheelcheck::report {

struct RewriteTextOptions {
  Paint paint = {};
  bool diff = false;    // each change as a removed and an added line
  bool failed = false;  // findings of --fail-on or above are left, so the exit code is 1
};
std::string render_repaired(const RepairResult& repaired);
std::string render_fixed(const FixResult& fixed, const RewriteTextOptions& options);

}  // namespace wheelcheck::report
