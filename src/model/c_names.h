// The names that a C library offers to a file that imports them without a version, from data/c_names: those of x86-64,
// which other machines share but for a few of the compiler's. And those of CPython, by release.
#pragma once

#include <optional>
#include <string_view>

#include "wheelcheck/platform.h"

namespace wheelcheck {

struct CName {
  std::string_view since;  // musl: the first release with the name, if newer than 1.1.0; else ""
  // the release from which a lookup no longer finds it (glibc: one without a version); else ""
  std::string_view dropped_in;
};
// `libc` is Glibc or Musl. nullopt if the library does not have the name.
std::optional<CName> c_name(Libc libc, std::string_view symbol);

// Whether glibc 2.36 or older has the name with that version, on x86-64: "GLIBC_2.14" of memcpy. nullopt for versions
// of newer releases, and for those that are no release (GLIBC_PRIVATE).
std::optional<bool> glibc_has(std::string_view symbol, std::string_view version);
// Whether libm alone of glibc's libraries has the name.
bool only_libm_has(std::string_view symbol);
// Of librt before 2.34, without those that moved to libc in 2.17 (clock_gettime). CPython is linked with libm, libdl,
// libpthread and libutil, so that a module without DT_NEEDED for one of these works in every process of CPython. It is
// not linked with librt.
bool is_of_librt(std::string_view symbol);
// As glibc_has, for the versions of libstdc++ and libgcc_s (GLIBCXX_, CXXABI_, GCC_) up to those of GCC 12.
std::optional<bool> cxx_runtime_has(std::string_view symbol, std::string_view version);

// Whether they have the name in any of these versions.
bool is_of_cxx_runtime(std::string_view symbol);

// The releases 3.N of CPython of which the exports are known.
struct CPythonReleases {
  unsigned oldest = 0, newest = 0;
};
CPythonReleases known_cpythons();
// Those whose libpython exports a name that begins with Py or _Py.
struct CPythonName {
  bool known = false;         // to one of these releases
  std::string_view releases;  // "6-8,10-13"; "" for all of them
  bool in(unsigned minor) const;
  unsigned first() const;  // the oldest of them
};
CPythonName cpython_name(std::string_view symbol);

}  // namespace wheelcheck
