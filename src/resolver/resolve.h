// `resolve` with its bound on work in the open, for tests.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wheelcheck/binding.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::resolver {

// Names looked up and places tried over all walks. pyside6 needs 0.2 million; past the bound nothing more is found,
// which errs to the side of a report.
inline constexpr std::uint64_t default_work = 50'000'000;

Resolution resolve(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                   std::span<const std::string> external, std::uint64_t work);

}  // namespace wheelcheck::resolver
