// The files of one distribution that a process of a given interpreter would open: its extension modules, one variant of
// each, and the libraries that no other file needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/installation.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::import_plan {

struct ModuleFile {
  std::string name;  // dotted name
  ElfIndex elf;
};
struct DistributionFiles {
  std::vector<ModuleFile> modules;  // by path
  std::vector<ElfIndex> loose;      // libraries that are neither a dependency nor a module; by path
};

// "311" for CPython 3.11, "313t" for a free-threaded one, from the file names of the standard library's modules; "" if
// they do not contain it.
std::string interpreter_tag(const Installation& installation);
DistributionFiles files_of(const Installation& installation, DistributionIndex distribution,
                           std::string_view interpreter);
// The path of an ELF file inside of its wheel.
const std::string& path_of(const Distribution& distribution, ElfIndex elf);

// The calls of sys.setdlopenflags with RTLD_GLOBAL that run when files of the wheel are imported, and the extension
// modules that they affect.

std::vector<GlobalImports> link_global_imports(const WheelFacts& wheel);

}  // namespace wheelcheck::import_plan
