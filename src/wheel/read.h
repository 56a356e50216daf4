// The reading of a distribution, wherever its files lie: an archive, an unpacked wheel, an environment.
#pragma once

#include "archive/archive.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

// `facts` comes with its name, file and path; with dist_info where that is not the one *.dist-info at the root.
Result<WheelFacts> read_source(const archive::Source& source, WheelFacts facts, const Limits& limits, unsigned jobs,
                               const Progress& progress);

}  // namespace wheelcheck::wheel
