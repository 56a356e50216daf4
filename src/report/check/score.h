// The score: how many of a wheel's requirements each level of a policy family meets, and what it does not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

struct ScoreRow {
  std::string levels;  // "manylinux_2_41 to 2_34"
  std::size_t met = 0, total = 0;
  bool claimed = false;
  std::string remark;  // "claimed; 4 unmet requirements: those above, GLIBC_2.34 (pthread_create)"; escaped
};
// Of one policy family, newest level first; neighbours that refuse the same things share a row. An older level refuses
// what the newer one refuses and more, so a row names only what is new in it.
std::vector<ScoreRow> score_rows(const WheelReport& wheel, std::size_t assessment);

// One block a policy family.
std::string score_text(const WheelReport& wheel, const Paint& paint);

}  // namespace wheelcheck::report
