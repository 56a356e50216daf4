// The requirements of a wheel: what its files need from the system.
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
  std::size_t files = 0;          // number of files judged
};
Requirements requirements_of(const Subject& subject, const TargetPlatform& targets, const WheelLevels& levels);

// True for the dynamic loader of that family's C library, which is loaded before anything is resolved:
// ld-linux-x86-64.so.2, ld64.so.2, ld.so.1; ld-musl-x86_64.so.1. The loader of another libc is an ordinary library, and
// with `arch` that of another machine too.
bool is_loader(std::string_view soname, PlatformTag::Family family, std::optional<Arch> arch = std::nullopt);

// True if the loader of that C library provides the library itself, whatever files exist. musl reserves such names
// (ldso/dynlink.c, load_library), and musllinux levels list them.
bool is_given_by_loader(std::string_view soname, PlatformTag::Family family);

}  // namespace wheelcheck::policy
