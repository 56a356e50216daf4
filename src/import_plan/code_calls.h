// Which files of an installation the machine code of a file opens by dlopen.
#pragma once

#include <string>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::import_plan {

struct CodeOpen {
  process::ObjectIndex object;  // what is opened
  process::ObjectIndex caller;  // whose code opens it, and whose search paths serve
  std::string name;             // as dlopen gets it; "" for the path
  std::uint32_t flags = 0;      // RTLD_*
  bool at_load = false;         // by a constructor or PyInit function
  bool is_read = false;         // from the call itself; else the file only contains the name
};

// What the file contains the names of, by the calls first. Libraries that no file here has are left out: they are the
// system's, or a test of what is installed.
std::vector<CodeOpen> opened_by_code(const Installation& installation, DistributionIndex distribution, ElfIndex elf);

// The files of the same wheel that DT_NEEDED leads to, dependencies first, `elf` last.
std::vector<ElfIndex> with_own_dependencies(const Distribution& distribution, ElfIndex elf);

// 'dlopen("libx.so.1", RTLD_NOW | RTLD_GLOBAL)'
std::string call_text(const CodeOpen& open);

}  // namespace wheelcheck::import_plan
