// From a tag as a person types it to the levels that answer for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace wheelcheck::report {

struct LevelOfTag {
  std::size_t assessment = 0;
  LevelIndex level;
  bool exact = true;  // false: no policy has that level, the nearest older one judges it
};
// manylinux_2_17_x86_64, manylinux_2_17, manylinux2014 or a policy's own name; without a machine, one answer for each
// machine of the wheel. Usage where the wheel was not measured against such a tag; the message lists what there is.
Result<std::vector<LevelOfTag>> levels_of_tag(const WheelReport& wheel, std::string_view tag);

}  // namespace wheelcheck::report
