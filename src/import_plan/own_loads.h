// What the Python code of one wheel loads of its own: the extension modules that it imports, and the libraries that it
// opens with ctypes or cffi by a path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::import_plan {

struct OwnLoad {
  ElfIndex elf;
  bool by_call = false;    // of ctypes or cffi; else an import of an extension module
  MemberIndex file = {};   // that contains the call
  std::uint32_t line = 0;  // from 1
  // The import of the packages runs it, and its failure ends the import.
  bool at_import = false;
};

struct OwnLoads {
  std::vector<OwnLoad> loads;
  std::string cut;  // not empty: the walk ended at this limit, and further loads are possible
};

// Whether a handler catches what a call raises, in its own function or around a call of that function.
bool is_caught(const PythonFile& file, std::uint32_t call);

// In the order in which the import of the wheel's packages runs them; after these, what the other modules and functions
// load. Without WheelFacts::all_python only the calls are known, and none of them is at_import. Empty if no call opens
// a library of the wheel.
OwnLoads own_loads(const WheelFacts& wheel);

}  // namespace wheelcheck::import_plan
