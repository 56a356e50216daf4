// Assigns the files of an environment to its distributions. An installer writes the paths of all installed files to the
// RECORD of the distribution, so each file belongs to the distribution whose RECORD lists it.
#pragma once

#include <span>
#include <vector>

#include "archive/folder.h"
#include "wheel/installed.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

struct Share {
  archive::Listing listing;
  std::vector<WheelFlaw> flaws;  // entries of RECORD that are wrong or are not examined
};

// Returns one share for each of `distributions`, and a last one for the files that no distribution lists. Files in the
// prefix outside the packages get the path that they have in a wheel: bin/foo becomes foo-1.0.data/scripts/foo.
// A file that one of `selected` (indices) lists is not that of another distribution, which is not read.
std::vector<Share> share_out(const Site& site, archive::Listing files, std::span<const DistInfo> distributions,
                             std::span<const std::size_t> selected, const Limits& limits);

}  // namespace wheelcheck::wheel
