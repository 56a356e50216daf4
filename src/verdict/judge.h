// Derives the verdict from the assessments: whether each claimed tag is compatible, and the best tag that the content
// fits. A claimed tag is judged by the level of that name, or else by the newest older one, because a wheel that is
// compatible with an older level is compatible with every newer one (PEP 600).
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
