// Known systems: versions of Linux distributions, with the properties that matter to a wheel. These are the C library,
// the version nodes of the common libraries, and the machines. The table is data/systems.json (docs/runs-on.md); the
// user can add systems.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/platform.h"
#include "wheelcheck/result.h"
#include "wheelcheck/version.h"

namespace wheelcheck {

// The newest version node of one family.
struct NewestNode {
  // GLIBCXX, 3.4.30: the system has that node and all older ones of the family with a plain number.
  std::string family, number;
};
// A machine that a system supports.
struct SystemMachine {
  Arch arch = Arch::Other;
  std::vector<NewestNode> nodes;  // if they differ from those of the system
};
// One version of a distribution with all updates of its libraries.
struct KnownSystem {
  std::string id;                               // "debian-12": lower case, unique
  std::string distribution, version, codename;  // "Debian", "12", "bookworm"; the codename may be empty
  Libc libc = Libc::Glibc;                      // Glibc or Musl
  Version libc_version;                         // 2.36
  std::vector<NewestNode> nodes;                // a family that is absent is unknown
  std::vector<std::string> named_nodes;         // nodes without a plain number, of these families: CXXABI_FLOAT128
  std::vector<SystemMachine> machines;          // supported machines
  std::vector<std::string> absent_libraries;    // sonames that no package of the distribution contains
  unsigned x86_64_level = 1;                    // 2: it requires a CPU of x86-64-v2 or above
  std::string released, support_ends;           // YYYY-MM-DD; end of standard support; may be empty
  std::string basis;                            // source: package versions or measurements
};

// The built-in table, then the systems of `files` in order, which add or replace by id. Sorted by id. Error: BadPolicy.
Result<std::vector<KnownSystem>> load_systems(std::span<const std::string> files);
// The systems that match one of `words`: an id, an id without its version (ubuntu), a codename, or a shell pattern of
// ids. Without words: all. Error: Usage for a word without a match.
Result<std::vector<KnownSystem>> choose_systems(std::vector<KnownSystem> systems, std::span<const std::string> words);

}  // namespace wheelcheck
