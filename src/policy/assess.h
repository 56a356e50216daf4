// How a wheel measures up against every level of a policy family: what its files ask of the system, and which levels do
// not give it. No opinion is formed here; rules look at the claimed level, the verdict at all.
#pragma once

#include <span>
#include <vector>

#include "wheelcheck/binding.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::policy {

// One policy family to be judged by.
struct TargetPlatform {
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Arch arch = Arch::Other;
  std::vector<Version> claimed;  // levels that tags claim, each once, oldest first; may be empty
};

// The policy families that the tags of the file name claim, then those only in the WHEEL file; where none is claimed
// (any, linux_*), those that the content calls for. A tag made of a user's policy and an architecture
// (mylinux_1_x86_64) claims that policy's policy family. Empty where nothing is claimed and no ELF file is of a machine
// that a tag can name.
std::vector<TargetPlatform> claimed_targets(const WheelFacts& wheel, const PolicySet& policies);

// Adds the policy family of a tag and its level, each once.
void add_target(std::vector<TargetPlatform>& targets, const PlatformTag& tag);

// The policy family of the architecture and the C library of most ELF files, whatever the tags say; nothing where no
// file is of a machine that a tag can name.
std::vector<TargetPlatform> targets_of_content(const WheelFacts& wheel);

// One assessment for each of `wanted`, in its order. providers: as given to resolve().
std::vector<Assessment> assess(const WheelFacts& wheel, const Resolution& resolution,
                               std::span<const WheelFacts> providers, const PolicySet& policies,
                               std::span<const TargetPlatform> targets);

// The policy families that the wheel claims; where no file fits any of them, those that its content calls for as well.
std::vector<Assessment> assess_claims_or_content(const WheelFacts& wheel, const Resolution& resolution,
                                                 std::span<const WheelFacts> providers, const PolicySet& policies);

}  // namespace wheelcheck::policy
