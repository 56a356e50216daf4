// Which GPU library a text names: a file name, a path, a printf form, a name bundled under a hash.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wheelcheck/knowledge.h"

namespace wheelcheck::analysis {

struct GpuName {
  std::string text;                          // without its directory: "libcudart.so.%d"
  const KnownGpuLibrary* library = nullptr;  // never null
  std::string version;                       // what follows ".so.": "12", "%d", "*"
  std::string major;                         // of the toolkit, where the version tells it
};

const KnownGpuLibrary* find_gpu_library(std::span<const KnownGpuLibrary> libraries, std::string_view stem);
// Nothing for a sentence that speaks of a library, and for names of other libraries. `libraries` is sorted by stem.
std::optional<GpuName> read_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries);
// "cudart", as ctypes.util.find_library takes it; full file names too.
std::optional<GpuName> read_short_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries);

}  // namespace wheelcheck::analysis
