// The levels that one wheel is compared with: the levels of a policy family, and the levels between them that the wheel
// claims.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policy/assess.h"
#include "wheelcheck/policy.h"

namespace wheelcheck::policy {

struct WheelLevels {
  PolicyLevels policy_levels;
  std::vector<const Policy*> levels;  // by LevelIndex; linux first, then newest to oldest
  std::vector<std::string> names;     // with the architecture
  // True if some level lists version nodes. Otherwise (musl, Android) the levels can show that a claim is wrong, but
  // they cannot be distinguished from each other.
  bool distinguishes_levels = false;
  // Levels that are created here; `levels` points to these and to `policy_levels`.
  std::vector<std::unique_ptr<const Policy>> derived;
};

// A level between two known ones (PEP 600: any glibc version can be claimed) allows what the older one allows, and the
// GLIBC nodes of the newer one up to its own version. Android: the highest known level that is not above the claimed
// one (PEP 738). No level is created for a claim that is newer or older than all known ones.
WheelLevels wheel_levels_of(const PolicySet& policies, const TargetPlatform& targets);

// "manylinux_2_17", "musllinux_1_2", "android_21".
std::string level_name(PlatformTag::Family family, const Version& libc);

}  // namespace wheelcheck::policy
