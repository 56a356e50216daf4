// Policies: what a platform tag allows a wheel to require (PEP 513, 571, 599, 600; PEP 656; PEP 738), and the
// assessment of a wheel. A policy lists the libraries and version nodes that every system with the tag has. Policies
// with the same C library and architecture form a sequence of levels. A wheel is compatible with a tag if its level
// meets every requirement of the wheel's ELF files.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/string_set.h"
#include "wheelcheck/version.h"

namespace wheelcheck {

namespace policy {
struct Level;
}

// One policy: one level for one architecture.
struct Policy {
  std::string name;                  // manylinux_2_17 (without the architecture)
  std::vector<std::string> aliases;  // manylinux2014
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Version libc;  // 2.17; of Android {API level, 0}
  // Version nodes that every system has, by the part before the first '_': GLIBC -> {2.2.5, 2.3 ...}.
  std::map<std::string, StringSet, std::less<>> versions;
  StringSet libraries;  // sonames that every system has
  // By library: symbols of an allowed library that some systems do not have.
  std::map<std::string, StringSet, std::less<>> denied_symbols;
  bool allows_libpython = false;  // PEP 738: Android extension modules link libpython
};

// The levels of one policy family and architecture. levels[0] is `linux`, which has no limits, so that every wheel
// meets at least one level. The others are ordered from the newest level (the most allowed) to the oldest.
struct PolicyLevels {
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Arch arch = Arch::Other;
  std::vector<Policy> levels;
};

// All policy families. The built-in levels are constants of the program. They are converted to PolicyLevels only when a
// family is requested, because a wheel needs one or two of them.
class PolicySet {
 public:
  PolicySet() = default;  // the built-in levels only
  // Adds `levels` to the built-in ones. A level with the name of a built-in one replaces it.
  explicit PolicySet(std::vector<policy::Level> levels);

  PolicyLevels policy_levels(PlatformTag::Family family, Arch arch) const;  // `levels` is empty if no level is for both
  std::vector<PolicyLevels> level_sets() const;

 private:
  std::shared_ptr<const std::vector<policy::Level>> added_;  // null: no added levels
};

// --- requirements -------------------------------------------------------------------------------------------------

// A requirement is what one ELF file needs from the system. It does not depend on a policy: the requirements are the
// same at every level.

// An extension module of this machine.
struct MachineRequirement {
  Arch arch;
};
// x86-64-v2 to x86-64-v4, from the GNU property note.
struct IsaRequirement {
  unsigned level;
};
// A DT_NEEDED library that is in no wheel of the run.
struct LibraryRequirement {
  std::string library;
};
// A version node of such a library.
struct VersionRequirement {
  std::string library, version;
  std::vector<std::string> symbols;  // sorted; the imports that require the node
};
// An import that is not weak and that some level denies.
struct SymbolRequirement {
  std::string library, symbol;
};
// PyFPE_jbuf, PyUnicodeUCS2_*: a particular build of CPython 2.
struct InterpreterRequirement {
  std::string symbol;
};
// A version of a bundled library that this library does not define.
struct MissingVersionRequirement {
  std::string library, version;
};
// One requirement of one file.
struct Requirement {
  ElfIndex elf;
  std::variant<MachineRequirement, IsaRequirement, LibraryRequirement, VersionRequirement, SymbolRequirement,
               InterpreterRequirement, MissingVersionRequirement>
      what;
};

// The result for one level.
struct LevelScore {
  std::vector<RequirementIndex> unmet_requirements;  // the requirements that this level does not meet, in order
};
// The assessment of a wheel with all levels of one policy family and architecture. There is one for each family that
// the wheel claims or that its content belongs to.
struct Assessment {
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Arch arch = Arch::Other;
  std::vector<std::string> level_names;  // with the architecture: linux_x86_64, manylinux_2_41_x86_64
  std::vector<Requirement> requirements;
  std::vector<LevelScore> levels;  // by LevelIndex
  LevelIndex best;                 // the oldest level without an unmet requirement
  // The version nodes in `requirements` whose family is not listed by any level. They cannot be judged.
  std::vector<RequirementIndex> unknown_versions;
  std::size_t files = 0;  // number of ELF files judged
};

}  // namespace wheelcheck
