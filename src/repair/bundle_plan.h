// Which libraries `repair` copies into a wheel so that it fits a policy level, and how the files must be changed.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "repair/system_root.h"
#include "rewrite/elf_edit.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace wheelcheck::repair {

struct BundleInput {
  const WheelReport& wheel;
  const Policy& level;
  // Of the wheel's own files: what this level does not provide.
  const Assessment& assessment;
  LevelIndex index;
  const Knowledge& knowledge;
  const std::vector<std::string>& exclude;  // patterns of sonames or paths that are not bundled
  // Libraries that code opens by name, and that no DT_NEEDED names: file names that are searched as a DT_NEEDED is, or
  // paths. They keep their names, by which they are opened.
  const std::vector<std::string>& opened;
  bool any_instruction_set = false;  // instruction sets above that of the platform are accepted
  std::string libs_directory;        // NAME.libs
};

struct BundledFile {
  const SystemLibrary* library = nullptr;
  std::string needed_as;  // DT_NEEDED
  std::string file_name;  // with a hash: libfoo-1a2b3c4d.so.1
  rewrite::ElfEdit edit;
};
struct MovedProgram {    // of *.data/scripts, which has no fixed place relative to the libraries
  std::string from, to;  // member paths
};
struct BundlePlan {
  std::vector<BundledFile> bundled;                           // by needed_as
  std::map<std::string, rewrite::ElfEdit, std::less<>> elfs;  // by path of the member
  std::vector<MovedProgram> moved;
  std::set<std::string> excluded;       // sonames that a pattern of `exclude` keeps out
  std::set<std::size_t> used_patterns;  // into `exclude`
};

// Programs of *.data/scripts are installed where no relative path leads to the libraries. So the program moves to
// site-packages, and a script of its name starts it, as auditwheel does (auditwheel/repair.py, _script_shim).
std::string start_script(const MovedProgram& program);

// Error: a library cannot be found or must not be bundled, or the files need more of the system than the level has.
Result<BundlePlan> plan_bundle(const BundleInput& input, SystemRoot& root);

}  // namespace wheelcheck::repair
