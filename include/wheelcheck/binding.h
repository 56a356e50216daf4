// Where the loader would find each DT_NEEDED, among the wheels of the run and nothing else. The host's libraries,
// ld.so.conf and environment never take part: what is not found here is Outside, and a policy says who promises it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/index.h"

namespace wheelcheck {

enum class Found {
  InWheel,     // `provider` is the file
  InProvider,  // in another wheel of the run (--provider)
  InProcess,   // the process has it before any wheel is loaded: libc.so.6, libm.so.6, ld-linux*
  Declared,    // matches an --external glob: the user says that another distribution provides it
  Outside,     // no file here answers; the platform or another distribution must
};
enum class How {
  Rpath,          // DT_RPATH of `by` (the file itself or one that led to it)
  Runpath,        // DT_RUNPATH of the file itself
  AlreadyLoaded,  // a file with that soname was loaded earlier in the same walk (glibc elf/dl-load.c, _dl_map_object)
  Path,           // the name has a slash: used as it is
  None,           // not found
};
struct NeededFound {
  std::string_view name;  // the DT_NEEDED entry
  Found found = Found::Outside;
  How how = How::None;
  std::optional<ElfRef> provider;
  std::optional<ElfRef> by;  // whose search path found it
  std::string element;       // the search path element as written: $ORIGIN/../foo.libs
  ElfRef root;               // the walk in which this was seen; where walks differ, the one in which it is not found
  // A file of this name or soname is among the wheels but no search path reaches it. The first by path.
  std::optional<ElfRef> unreached;
};
// A version that a file of the run must define and does not: glibc refuses to load the user of it
// ("version `V' not found", elf/dl-version.c match_symbol).
struct MissingVersion {
  ElfIndex user;
  NeedIndex need;
  ElfRef provider;
};
// One wheel's files, as loaded by themselves.
struct Resolution {
  std::vector<std::vector<NeededFound>> needed;  // by ElfIndex, then in DT_NEEDED order
  std::vector<ElfIndex> roots;                   // what Python or a user would open: extension modules, programs, and
                                                 // libraries that no root's walk loads
  std::vector<MissingVersion> missing_versions;
};

// One load of one root: what every DT_NEEDED gave, in the order in which the loader comes to them.
struct Load {
  struct Need {
    ElfRef user;  // may be a file of a provider
    NeededFound found;
    // Whose earlier need has loaded the provider already; nullopt: nobody's, or the provider is the root.
    std::optional<ElfRef> first;
    bool own_search = true;  // false: already loaded, and the user's own search would not have led to it
  };
  ElfIndex root;
  std::vector<Need> needs;
};

}  // namespace wheelcheck
