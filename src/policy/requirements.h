// What the files of a wheel ask of the system below them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "policy/wheel_levels.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::policy {

struct Subject {
  const WheelFacts& wheel;
  const Resolution& resolution;
  std::span<const WheelFacts> providers;
};
struct Requirements {
  std::vector<Requirement> list;  // by file, then by kind, then in natural order
  std::size_t files = 0;          // judged
};
Requirements requirements_of(const Subject& subject, const TargetPlatform& targets, const WheelLevels& levels);

// The dynamic loader of that family's C library, which is there before anything is resolved: ld-linux-x86-64.so.2,
// ld64.so.2, ld.so.1; ld-musl-x86_64.so.1. The loader of another libc is a library like any other.
bool is_loader(std::string_view soname, PlatformTag::Family family);

// Whether the loader of that C library provides the name itself, whatever files exist. musl reserves names in this way
// (ldso/dynlink.c, load_library), and musllinux levels list them.
bool is_given_by_loader(std::string_view soname, PlatformTag::Family family);

}  // namespace wheelcheck::policy
