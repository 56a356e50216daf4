// Runs the dynamic loader of the system on the files of a wheel, where it finds nothing but these files and the
// libraries that the policy allows. `ld.so --list` maps the libraries and checks their versions; it runs no code of
// them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "repair/system_root.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/result.h"

namespace wheelcheck::repair {

struct LoaderFile {
  std::string path;     // of the member
  std::string content;  // of an ELF file
  const ElfFacts* facts = nullptr;
};
// Error: the loader reports something, or there is no such loader or namespace on this machine.
Result<void> verify_with_loader(const std::vector<LoaderFile>& files, const Policy& level, Arch arch,
                                const std::set<std::string>& excluded, SystemRoot& root);

}  // namespace wheelcheck::repair
