// What is wrong with the wheels of one version, taken together. The parts are pure functions of names and of facts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/release.h"

namespace wheelcheck::diff {

// Python, ABI and platforms without versions of C libraries: what a wheel of the next release is paired by.
std::string place_of(const WheelName& name);
ReleaseGrid grid_of(std::span<const ReleaseFile> files);
// Combinations of Python and platform without a wheel. old: the release before; may be empty.
std::vector<ReleaseFinding> find_holes(std::span<const ReleaseFile> now, std::span<const ReleaseFile> old);

// Differences between wheels of one version. Each is found once.
std::vector<ReleaseFinding> compare_wheels(std::span<const WheelReport* const> wheels, const Knowledge& knowledge);

// Package data of the sdist that no wheel contains. files: the paths in the sdist.
std::vector<ReleaseFinding> compare_sdist(std::span<const std::string> files,
                                          std::span<const WheelReport* const> wheels);

// A wheel and the one of the release before that installers take in its place.
std::vector<ReleaseSize> compare_release_sizes(std::span<const ReleaseFile> now, std::span<const ReleaseFile> old,
                                               std::span<const WheelReport* const> read, const Knowledge& knowledge);
std::vector<ReleaseFinding> find_growth(std::span<const ReleaseSize> sizes);

}  // namespace wheelcheck::diff
