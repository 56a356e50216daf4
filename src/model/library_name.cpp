#include "model/library_name.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"

namespace wheelcheck {
namespace {

constexpr std::size_t hash_digits = 8;

// True if there is a separator and eight hex digits at `at`, and no further character of the same word. After a dot,
// ".so" must follow, because libfoo.so.20250127 has a version at that place.
bool is_hash_at(std::string_view name, std::size_t at) {
  const char separator = name[at];
  if (at == 0 || (separator != '-' && separator != '.')) return false;
  const std::string_view digits = name.substr(at + 1, hash_digits),
                         rest = name.substr(std::min(at + 1 + hash_digits, name.size()));
  if (digits.size() != hash_digits || !std::ranges::all_of(digits, is_lower_hex)) return false;
  if (separator == '.') return rest.starts_with(".so");
  return rest.empty() || rest.front() == '.' || rest.front() == '-';
}

}  // namespace

std::string plain_library_name(std::string_view name) {
  std::string result;
  result.reserve(name.size());
  for (std::size_t at = 0; at < name.size();) {
    if (is_hash_at(name, at)) {
      at += 1 + hash_digits;
    } else {
      result += name[at++];
    }
  }
  return result;
}

bool is_of_glibc(std::string_view library) {
  constexpr std::string_view starts[] = {"ld-linux",    "ld64.so",    "ld.so.1",   "libc.so.6",     "libm.so.6",
                                         "libpthread.", "libdl.so.2", "librt.so.", "libutil.so.1",  "libresolv.so.2",
                                         "libnsl.so.1", "libanl.so.", "libmvec.",  "libcrypt.so.1", "libthread_db."};
  return std::ranges::any_of(starts, [&](std::string_view start) { return library.starts_with(start); });
}

const KnownGpuLibrary* find_gpu_library(std::span<const KnownGpuLibrary> libraries, std::string_view stem) {
  const auto at = std::ranges::lower_bound(libraries, stem, {}, &KnownGpuLibrary::stem);
  return at != libraries.end() && at->stem == stem ? &*at : nullptr;
}

}  // namespace wheelcheck
