// The process gives up what it no longer needs before it looks at what strangers made: by Landlock the file system and
// the network, by seccomp every call of the kernel that reading open files and writing a report does not take. A fault
// of ours could then still give a wrong report, but neither read nor write another file, start a program, or talk to
// anyone.
#pragma once

#include <cstddef>
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
