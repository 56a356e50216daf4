// The search for each DT_NEEDED entry, as the loader would do it. Only the wheels of the run are searched. The
// libraries, ld.so.conf and environment of the host are not used, so the result is the same on every machine. A library
// that is not found here is Outside, and the policies decide whether every system has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/index.h"

namespace wheelcheck {

// Where a needed library is.
enum class Found {
  InWheel,     // `provider` is the file
  InProvider,  // `provider` is a file of another wheel of the run (--provider)
  InProcess,   // the process has it before a wheel is loaded: libc.so.6, libm.so.6, ld-linux*
  Declared,    // matches an --external glob: another distribution provides it
  Required,    // `source` provides it, which is on every machine that uses the wheel
  Outside,     // not in these wheels; the platform or another distribution must provide it
};
// How a needed library is found.
enum class How {
  Rpath,          // DT_RPATH of `by`: the file itself, or a file that led to it
  Runpath,        // DT_RUNPATH of the file itself
  AlreadyLoaded,  // a file with that soname was loaded earlier in the same load (glibc elf/dl-load.c, _dl_map_object)
  Path,           // the name has a slash, so it is used as a path
  None,           // not found
};
// The answer for one DT_NEEDED entry of one file.
struct NeededFound {
  std::string_view name;  // the DT_NEEDED entry
  Found found = Found::Outside;
  How how = How::None;
  // The file that is found. Set for InWheel and InProvider.
  std::optional<ElfRef> provider;
  std::optional<ElfRef> by;  // the file whose search path found it
  std::string element;       // element of that search path, as written: $ORIGIN/../foo.libs
  // The root whose load gave this answer. Where loads differ, it is one in which the library is not found.
  ElfRef root;
  // A file of this name or soname is among the wheels, but no search path leads to it. If there are several, the first
  // by path.
  std::optional<ElfRef> unreached;
  // `unreached` is a file of the wheel that the process has, or its environment leads to, by then, or nothing uses the
  // file that needs it. See mark_required.
  bool opened = false;
  std::optional<SourceIndex> source = {};  // for Required
};
// What provides libraries to a wheel, besides the wheel and the system of its tags.
struct LibrarySource {
  enum class Kind {
    Distribution,  // pip installs it with the wheel, according to METADATA
    Extra,         // the same, but only for the extras
    Driver,        // the driver of the GPU, if only files that the import does not load need it; the glibc itself
    BackEnd,       // what a back end is for; the wheel works without it
  };
  Kind kind = Kind::Distribution;
  std::string name;                    // normalised (PEP 503); of others as in "the NVIDIA driver"
  std::vector<std::string> extras;     // sorted
  std::vector<std::string> libraries;  // that the wheel needs of it; sorted
};
// A version that a file of the run must define but does not define. glibc then refuses to load the user ("version `V'
// not found", elf/dl-version.c match_symbol).
struct MissingVersion {
  ElfIndex user;
  NeedIndex need;
  ElfRef provider;
};
// The needed libraries of all files of one wheel.
struct Resolution {
  std::vector<std::vector<NeededFound>> needed;  // by ElfIndex, then in DT_NEEDED order
  // The files that Python or a user would open: extension modules, programs, and libraries that no other root loads.
  std::vector<ElfIndex> roots;
  std::vector<MissingVersion> missing_versions;  // by user, then by need
  // Not empty: the search ended at this limit, and what is Outside may be in the wheel.
  std::string cut = {};
  std::vector<LibrarySource> sources = {};  // by kind, then by name; see mark_required
};

// The load of one root: the answer for every DT_NEEDED entry, in the order in which the loader processes them.
struct Load {
  struct Need {
    ElfRef user;  // may be a file of a provider
    NeededFound found;
    // The file whose earlier need already loaded the provider. nullopt: no earlier one, or the provider is the root.
    std::optional<ElfRef> first;
    bool own_search = true;  // false: already loaded, and the user's own search would not find it
  };
  ElfIndex root;
  std::vector<Need> needs;
};

}  // namespace wheelcheck
