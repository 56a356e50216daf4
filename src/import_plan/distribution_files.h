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

// --- what the machine code of a file opens by dlopen ---------------------------------------------------------------

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

// --- flags -----------------------------------------------------------------------------------------------------------

// The calls of sys.setdlopenflags with RTLD_GLOBAL that run when files of the wheel are imported, and the extension
// modules that they affect.

// `cut`: not empty if the search ended at its limit.
std::vector<GlobalImports> link_global_imports(const WheelFacts& wheel, std::string& cut);

}  // namespace wheelcheck::import_plan
