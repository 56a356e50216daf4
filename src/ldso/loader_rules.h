// The differences between the loaders of glibc and musl, as a table. Sources of musl: ldso/dynlink.c of 1.2.5; the
// functions that the model uses behave alike since 1.1.20.
#pragma once

#include "resolver/libc_rules.h"
#include "wheelcheck/process.h"

namespace wheelcheck::resolver {

struct LoaderRules {
  LoaderKind kind;  // the tokens of search paths
  // Versions are compared, and a file that lacks one stops the load. musl ignores their names; it skips definitions
  // that are not the default version of their name.
  bool versions;
  bool unique;     // STB_GNU_UNIQUE: one definition per process
  bool protects;   // a STV_PROTECTED definition is used by its own file
  bool indirect;   // STT_GNU_IFUNC definitions are found
  bool symbolic;   // DT_SYMBOLIC and RTLD_DEEPBIND change the scope
  bool lfs64;      // since musl 1.2.4: fopen64 is fopen of the C library, if no file defines it (get_lfs64)
  bool skips;      // a search continues after a file for another machine
  bool runs_only;  // programs cannot be opened
};

inline constexpr LoaderRules glibc_rules{.kind = LoaderKind::Glibc,
                                         .versions = true,
                                         .unique = true,
                                         .protects = true,
                                         .indirect = true,
                                         .symbolic = true,
                                         .lfs64 = false,
                                         .skips = true,
                                         .runs_only = true};
inline constexpr LoaderRules musl_rules{.kind = LoaderKind::Musl,
                                        .versions = false,
                                        .unique = false,
                                        .protects = false,
                                        .indirect = false,
                                        .symbolic = false,
                                        .lfs64 = true,
                                        .skips = false,
                                        .runs_only = false};

constexpr const LoaderRules& rules_of(process::Loader loader) {
  return loader == process::Loader::Musl ? musl_rules : glibc_rules;
}

}  // namespace wheelcheck::resolver
