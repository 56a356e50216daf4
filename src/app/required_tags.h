// Whether the policies of a run have the levels that the project requires.
#pragma once

#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::app {

// An error names the first tag of --require-tag and of the configuration that is older than the oldest level of its
// family or newer than the newest, and a level with a similar name. A tag between two levels is judged by the older
// one.
Result<void> find_required_levels(const Settings& settings, const PolicySet& policies);

}  // namespace wheelcheck::app
