// The process gives up what it no longer needs before it looks at what strangers made: by Landlock the file system and
// the network, by seccomp every call of the kernel that reading open files and writing a report does not take. A fault
// of ours could then still give a wrong report, but neither read nor write another file, start a program, or talk to
// anyone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/result.h"

namespace wheelcheck::sandbox {

// Beyond what is open: reading it, and writing to stdout and stderr.
struct Allowed {
  std::vector<std::string> read;  // files, and directories with all below them
  std::string write;              // a directory whose files are also made, written and removed; empty: none
  std::vector<int> outputs;       // open descriptors that are written
};

// What this kernel has, asked anew each time.
struct Offer {
  int landlock = 0;      // version of its interface; 0: none
  bool seccomp = false;  // filters, for all threads at once
};
Offer offered();

// Why this build has none, or empty: sanitizers and coverage open files of their own.
std::string_view unable();

enum class Demand {
  WhatThereIs,  // a kernel that has less gives less, in silence
  All,          // an Error says what is missing
};
// For the whole process and for good; no thread but the caller may have been started.
Result<void> lock_down(const Allowed& allowed, Demand demand);

// Raises the number of files that may be open to what the system lets this user have, and returns it.
std::size_t raise_open_files();

}  // namespace wheelcheck::sandbox

namespace wheelcheck::sandbox::landlock {

// What the kernel takes of Landlock (include/uapi/linux/landlock.h, since Linux 5.13). It stands here because headers
// may be older than the kernel: those of the manylinux_2_28 image know nothing of it. The numbers are the same on all
// machines.

inline constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;  // system calls

inline constexpr unsigned create_ruleset_version = 1;  // a flag: nothing is made, the version is told
inline constexpr int rule_path_beneath = 1;

inline constexpr std::uint64_t write_file = 1 << 1, read_file = 1 << 2, read_dir = 1 << 3, remove_file = 1 << 5,
                               make_reg = 1 << 8, make_sym = 1 << 12;  // make_sym is the last of version 1

struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

// struct landlock_ruleset_attr as of version 6; a kernel takes what it does not know as long as it is 0.
struct Ruleset {
  std::uint64_t files = 0, network = 0, scoped = 0;
};

}  // namespace wheelcheck::sandbox::landlock

namespace wheelcheck::sandbox {

// Landlock: which files may still be opened, and no port of the network (Linux 5.13; documentation of the kernel,
// userspace-api/landlock).

int landlock_version();  // 0: none
// False where the kernel refuses. Needs no_new_privs.
bool restrict_files(const Allowed& allowed);

// seccomp: which calls of the kernel may still be made. Any other fails with EPERM, as if the system had refused it.

bool has_seccomp();
// False where the kernel refuses. Needs no_new_privs.
bool restrict_calls(const Allowed& allowed);

}  // namespace wheelcheck::sandbox
