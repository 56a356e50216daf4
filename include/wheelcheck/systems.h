// Versions of Linux distributions, as far as a wheel notices them: the C library, the version nodes of the libraries
// that every level promises, and the machines. The table is data/systems.json (docs/runs-on.md); the user may add more.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/platform.h"
#include "wheelcheck/result.h"
#include "wheelcheck/version.h"

namespace wheelcheck {

struct NewestNode {
  std::string family, number;  // GLIBCXX, 3.4.30: it has that node and, of those with a number, all older ones
};
struct SystemMachine {
  Arch arch = Arch::Other;
  std::vector<NewestNode> nodes;  // where they are not those of the system
};
// A version of a distribution with all updates of its libraries.
struct KnownSystem {
  std::string id;                               // debian-12: lower case, unique
  std::string distribution, version, codename;  // Debian, 12, bookworm; the codename may be empty
  Libc libc = Libc::Glibc;                      // glibc or musl
  Version libc_version;                         // 2.36
  std::vector<NewestNode> nodes;                // a family that is absent here is not known
  std::vector<std::string> named_nodes;         // of these families, the nodes without a plain number: CXXABI_FLOAT128
  std::vector<SystemMachine> machines;          // that it is made for
  unsigned x86_64_level = 1;                    // 2: it starts on a CPU of x86-64-v2 or above only
  std::string released, support_ends;           // YYYY-MM-DD, the end of standard support; may be empty
  std::string basis;                            // which package versions or measurements say so
};

// The table compiled into the program, then those of `files` in order, which add or replace by id; sorted by id.
// BadPolicy.
Result<std::vector<KnownSystem>> load_systems(std::span<const std::string> files);
// Those that one of `words` names: an id, all but the version of one (ubuntu), a codename, or a shell pattern of ids.
// Without words all. Usage for a word that names none.
Result<std::vector<KnownSystem>> choose_systems(std::vector<KnownSystem> systems, std::span<const std::string> words);

}  // namespace wheelcheck
