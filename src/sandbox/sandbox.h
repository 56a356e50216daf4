// Before the process reads untrusted files, it gives up the rights that it no longer needs. Landlock restricts the file
// system and the network. seccomp restricts system calls to those needed for reading open files and writing a report.
// After a successful attack the process can still write a wrong report, but it cannot read or write other files, start
// a program or use the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/result.h"

namespace wheelcheck::sandbox {

// What is allowed in addition to reading open files and writing to stdout and stderr.
struct Allowed {
  std::vector<std::string> read;  // files, and directories with everything below them
  std::string write;              // a directory in which files may also be created, written and removed; empty: none
  std::vector<int> outputs;       // open descriptors that may be written
};

// What the running kernel supports; not cached.
struct Offer {
  int landlock = 0;      // ABI version; 0: not available
  bool seccomp = false;  // with filters for all threads at once (TSYNC)
};
Offer offered();

// Why this build cannot use the sandbox, or empty. Sanitizers and coverage open files of their own.
std::string_view unable();

enum class Demand {
  WhatThereIs,  // use what the kernel supports, without an error
  All,          // an error names what is missing
};
// Applies to the whole process and cannot be undone. No other thread may have been started.
Result<void> lock_down(const Allowed& allowed, Demand demand);

// Raises the soft limit of open files to the hard limit and returns it.
std::size_t raise_open_files();

}  // namespace wheelcheck::sandbox

namespace wheelcheck::sandbox::landlock {

// The kernel interface of Landlock (include/uapi/linux/landlock.h, since Linux 5.13). It is repeated here because the
// system's headers may be older than the kernel; those of the manylinux_2_28 image lack it. The numbers are the same on
// all architectures.

inline constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;  // system calls

inline constexpr unsigned create_ruleset_version = 1;  // a flag that returns the version and creates nothing
inline constexpr int rule_path_beneath = 1;

inline constexpr std::uint64_t write_file = 1 << 1, read_file = 1 << 2, read_dir = 1 << 3, remove_file = 1 << 5,
                               make_reg = 1 << 8, make_sym = 1 << 12;  // make_sym is the last one of version 1

struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

// struct landlock_ruleset_attr as of version 6. A kernel accepts fields that it does not know if they are 0.
struct Ruleset {
  std::uint64_t files = 0, network = 0, scoped = 0;
};

}  // namespace wheelcheck::sandbox::landlock

namespace wheelcheck::sandbox {

// Landlock: which files may still be opened. No network port may be used (Linux 5.13; kernel documentation,
// userspace-api/landlock).

int landlock_version();  // 0: not available
// False if the kernel refuses. Requires no_new_privs.
bool restrict_files(const Allowed& allowed);

// seccomp: which system calls are still allowed. Any other fails with EPERM.

bool has_seccomp();
// False if the kernel refuses. Requires no_new_privs.
bool restrict_calls(const Allowed& allowed);

}  // namespace wheelcheck::sandbox
