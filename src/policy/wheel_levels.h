// The levels that one wheel is held against: a policy family, and between its levels those that the wheel claims.
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
  std::vector<std::string> names;     // with architecture
  // True if some level lists version nodes. Where none does (musl, Android) the lists can refute a claim but cannot
  // tell one level from another.
  bool tells_levels = false;
  std::vector<std::unique_ptr<const Policy>> derived;  // owned here, as `policy_levels` is; `levels` points to both
};

// A level between two known ones (PEP 600: any glibc may be claimed) promises what the older promises, and the GLIBC
// nodes up to its own number that the newer lists. Android: the greatest known level that is not above the claimed one
// (PEP 738). A level that is newer or older than all known ones gets no level.
WheelLevels wheel_levels_of(const PolicySet& policies, const TargetPlatform& targets);

// manylinux_2_17, musllinux_1_2, android_21.
std::string level_name(PlatformTag::Family family, const Version& libc);
// The architecture as the family's tags write it: aarch64 is arm64_v8a on Android (PEP 738).
std::string_view arch_text(PlatformTag::Family family, Arch arch);

}  // namespace wheelcheck::policy
