// Between opening and reading: the sandbox is switched on.
#pragma once

#include "cli/options.h"

namespace wheelcheck::cli {

// Sets what Settings says of opening. `options` stays where it is until the run is over.
void enter_sandbox_once_open(Options& options);

}  // namespace wheelcheck::cli
