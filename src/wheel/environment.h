// Whose each file of an environment is: of the distribution whose RECORD lists it.
#pragma once

#include <span>
#include <vector>

#include "archive/folder.h"
#include "wheel/installed.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

struct Share {
  archive::Listing listing;
  std::vector<WheelFlaw> flaws;  // what RECORD says that is not so, or that is not looked at
};

// One share for each of `distributions`, and one for the files that nobody lists. What lies in the prefix beside the
// packages gets the path that a wheel has for it: bin/foo is foo-1.0.data/scripts/foo.
std::vector<Share> share_out(const Site& site, archive::Listing files, std::span<const DistInfo> distributions,
                             const Limits& limits);

}  // namespace wheelcheck::wheel
