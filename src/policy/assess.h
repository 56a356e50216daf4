// The assessment of a wheel: its requirements are compared with every level of a policy family. The result lists which
// requirements each level does not meet. The verdict and the rules draw conclusions from it.
#pragma once

#include <span>
#include <vector>

#include "wheelcheck/binding.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::policy {

// A policy family that the wheel is compared with.
struct TargetPlatform {
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Arch arch = Arch::Other;
  std::vector<Version> claimed;  // levels in tags, without duplicates, oldest first; may be empty
};

// The policy families of the tags of the file name, then those of tags that are only in the WHEEL file. If no tag names
// one (any, linux_*), the families of the content. A tag that consists of a user's policy and an architecture
// (mylinux_1_x86_64) names the family of that policy. Empty if no family is named and no ELF file is for a machine that
// a tag can name.
std::vector<TargetPlatform> claimed_targets(const WheelFacts& wheel, const PolicySet& policies);

// Adds the policy family of a tag and its level, without duplicates.
void add_target(std::vector<TargetPlatform>& targets, const PlatformTag& tag);

// The policy family of the architecture and C library of most ELF files, regardless of the tags. Empty if no file is
// for a machine that a tag can name.
std::vector<TargetPlatform> targets_of_content(const WheelFacts& wheel);

// One assessment for each entry of `wanted`, in order. providers: as given to resolve().
std::vector<Assessment> assess(const WheelFacts& wheel, const Resolution& resolution,
                               std::span<const WheelFacts> providers, const PolicySet& policies,
                               std::span<const TargetPlatform> targets);

// Assesses the claimed policy families. If no file is for one of them, also the families of the content.
std::vector<Assessment> assess_claims_or_content(const WheelFacts& wheel, const Resolution& resolution,
                                                 std::span<const WheelFacts> providers, const PolicySet& policies);

}  // namespace wheelcheck::policy
