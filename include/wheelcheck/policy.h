// What a platform tag promises (PEP 513, 571, 599, 600; PEP 656; PEP 738), as data, and how a wheel measures up.
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

// One level for one architecture.
struct Policy {
  std::string name;                  // manylinux_2_17 (without the architecture)
  std::vector<std::string> aliases;  // manylinux2014
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Version libc;  // 2.17; Android: {API level, 0}
  // Version nodes that every promised system has, by the part before the first '_': GLIBC -> {2.2.5, 2.3 ...}.
  std::map<std::string, StringSet, std::less<>> versions;
  StringSet libraries;                                           // sonames that every promised system has
  std::map<std::string, StringSet, std::less<>> denied_symbols;  // of an allowed library, not on every promised system
  bool allows_libpython = false;                                 // PEP 738: Android extension modules link libpython
};

// One C library on one architecture. levels[0] is `linux`, which asks nothing, so every wheel stands somewhere; then
// from the newest level (asks least) to the oldest (asks most).
struct PolicyLevels {
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Arch arch = Arch::Other;
  std::vector<Policy> levels;
};

// Every policy family there is. A wheel asks for one or two of them: the built-in levels are constants of the program,
// and become a policy family when it is asked for.
class PolicySet {
 public:
  PolicySet() = default;  // the built-in levels alone
  // With levels that add to those or take their place.
  explicit PolicySet(std::vector<policy::Level> levels);

  PolicyLevels policy_levels(PlatformTag::Family family, Arch arch) const;  // without levels where no level is for both
  std::vector<PolicyLevels> level_sets() const;

 private:
  std::shared_ptr<const std::vector<policy::Level>> added_;  // null: none
};

// What one ELF file asks of the system below it. Policy-independent: the total is the same on every level.
struct MachineRequirement {
  Arch arch;
};  // an extension module of this machine
struct IsaRequirement {
  unsigned level;
};  // x86-64-v2 .. v4, from the GNU property note
struct LibraryRequirement {
  std::string library;
};  // DT_NEEDED that no wheel answers
struct VersionRequirement {  // a version node of such a library
  std::string library, version;
  std::vector<std::string> symbols;  // the imports that ask for it, by name
};
struct SymbolRequirement {
  std::string library, symbol;
};  // a strong import that some level denies
struct InterpreterRequirement {
  std::string symbol;
};  // PyFPE_jbuf, PyUnicodeUCS2_*: a kind of CPython 2 build
struct MissingVersionRequirement {
  std::string library, version;
};  // of a bundled library that does not define it
struct Requirement {
  ElfIndex elf;
  std::variant<MachineRequirement, IsaRequirement, LibraryRequirement, VersionRequirement, SymbolRequirement,
               InterpreterRequirement, MissingVersionRequirement>
      what;
};

struct LevelScore {
  std::vector<RequirementIndex> unmet_requirements;  // the requirements that this level does not meet, in order
};
struct Assessment {  // one for each policy family that the wheel claims, or that its content calls for
  PlatformTag::Family family = PlatformTag::Family::Manylinux;
  Arch arch = Arch::Other;
  std::vector<std::string> level_names;  // with architecture: linux_x86_64, manylinux_2_41_x86_64 ...
  std::vector<Requirement> requirements;
  std::vector<LevelScore> levels;  // by LevelIndex
  LevelIndex best;                 // the oldest level without an unmet requirement
  // Of `requirements`: version nodes of a family that no level lists anything of, so that nothing judges them.
  std::vector<RequirementIndex> unknown_versions;
  std::size_t files = 0;  // ELF files judged
};

}  // namespace wheelcheck
