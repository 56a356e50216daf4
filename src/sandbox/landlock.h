// Landlock: which files may still be opened, and no port of the network (Linux 5.13; documentation of the kernel,
// userspace-api/landlock).
#pragma once

#include "sandbox/sandbox.h"

namespace wheelcheck::sandbox {

int landlock_version();  // 0: none
// False where the kernel refuses. Needs no_new_privs.
bool restrict_files(const Allowed& allowed);

}  // namespace wheelcheck::sandbox
