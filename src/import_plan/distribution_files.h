// What one distribution brings that a process of the interpreter at hand would open: its modules, one variant of each,
// and the libraries that no file asks for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/installation.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::import_plan {

struct ModuleFile {
  std::string name;  // dotted
  ElfIndex elf;
};
struct DistributionFiles {
  std::vector<ModuleFile> modules;  // by path
  std::vector<ElfIndex> loose;      // libraries that are nobody's dependency and no module; by path
};

// "311" of CPython 3.11, "313t" of a free-threaded one: as the names of the standard library's modules say it; "" where
// they do not.
std::string interpreter_tag(const Installation& installation);
DistributionFiles files_of(const Installation& installation, DistributionIndex distribution,
                           std::string_view interpreter);
// The path of a distribution's file inside its wheel.
const std::string& path_of(const Distribution& distribution, ElfIndex elf);

// Which calls of sys.setdlopenflags in a wheel take effect when its files are imported, and what they act on.

std::vector<GlobalImports> link_global_imports(const WheelFacts& wheel);

}  // namespace wheelcheck::import_plan
