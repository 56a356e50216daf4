// seccomp: which calls of the kernel may still be made. Any other fails with EPERM, as if the system had refused it.
#pragma once

#include "sandbox/sandbox.h"

namespace wheelcheck::sandbox {

bool has_seccomp();
// False where the kernel refuses. Needs no_new_privs.
bool restrict_calls(const Allowed& allowed);

}  // namespace wheelcheck::sandbox
