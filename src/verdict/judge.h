// From scores to answers: each claimed tag kept or broken, and the tightest tag that the content fits.
#pragma once

#include <span>
#include <vector>

#include "wheelcheck/policy.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::verdict {

Verdict judge(const WheelFacts& wheel, std::span<const Assessment> assessments);
// The same for tags that nobody claims: whether the content fits them.
std::vector<Claim> judge_tags(std::span<const PlatformTag> tags, const WheelFacts& wheel,
                              std::span<const Assessment> assessments);

}  // namespace wheelcheck::verdict
