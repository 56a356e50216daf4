#include "environment/assumed.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace wheelcheck::environment {

bool is_versioned(std::string_view name) {
  static constexpr std::string_view stems[] = {"libc.so.",     "libm.so.",       "libpthread.so.", "libdl.so.",
                                               "librt.so.",    "libutil.so.",    "libresolv.so.",  "libmvec.so.",
                                               "libanl.so.",   "libnsl.so.",     "libcrypt.so.",   "ld-linux",
                                               "libgcc_s.so.", "libstdc++.so.6", "libgomp.so.",    "libatomic.so."};
  return std::ranges::any_of(stems, [&](std::string_view stem) { return name.starts_with(stem); });
}

namespace {

// Threads are often left to whoever brings them, so these names come without a version. libc has some functions of libm
// as well, and comes first; from 2.34 on it has all of the others (glibc NEWS).
process::Assumed assumed_libc(const process::Glibc& glibc) {
  process::Assumed out{.prefixes = {"pthread_", "__pthread_", "sem_"}};
  for (const std::string stem : {"copysign", "frexp", "ldexp", "modf", "scalbn", "finite", "__finite", "__signbit"})
    for (const char* const type : {"", "f", "l"}) out.also.push_back(stem + type);
  if (glibc >= process::Glibc{2, 34})
    out.speaks_for = {"libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1", "libanl.so.1"};
  return out;
}

}  // namespace

// What the names of the other libraries of the policies begin with; of one that is not listed, anything.
process::Assumed assumed_library(std::string_view name, const process::Glibc& glibc) {
  if (name == "libc.so.6") return assumed_libc(glibc);
  static const std::map<std::string_view, std::vector<std::string>> prefixes = {
      {"libz.so.1", {"adler32", "compress", "crc32", "deflate", "get_crc_table", "gz", "inflate", "uncompress", "z"}},
      {"libexpat.so.1", {"XML_"}},
      {"libX11.so.6", {"X", "_X"}},
      {"libXext.so.6", {"X", "_X"}},
      {"libXrender.so.1", {"XRender"}},
      {"libICE.so.6", {"Ice", "_Ice"}},
      {"libSM.so.6", {"Sm", "_Sm"}},
      {"libGL.so.1", {"gl"}},
      {"libglib-2.0.so.0", {"g_", "glib_"}},
      {"libgobject-2.0.so.0", {"g_"}},
      {"libgthread-2.0.so.0", {"g_"}}};
  const auto known = prefixes.find(name);
  return {.versioned = is_versioned(name),
          .prefixes = known == prefixes.end() ? std::vector<std::string>{} : known->second};
}

}  // namespace wheelcheck::environment
