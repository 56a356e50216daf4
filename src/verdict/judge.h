// Derives the verdict from the assessments: whether each claimed tag is compatible, and the best tag that the content
// fits.
#pragma once

#include <span>
#include <vector>

#include "wheelcheck/policy.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::verdict {

Verdict judge(const WheelFacts& wheel, std::span<const Assessment> assessments);
// The same for tags that the wheel does not claim.
std::vector<Claim> judge_tags(std::span<const PlatformTag> tags, const WheelFacts& wheel,
                              std::span<const Assessment> assessments);

}  // namespace wheelcheck::verdict
