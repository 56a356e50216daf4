// Recognizes the name of a GPU library in a text. It may be a file name, a path, a printf format, or the name of a
// bundled library with a hash.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wheelcheck/knowledge.h"

namespace wheelcheck::analysis {

struct GpuName {
  std::string text;                          // without directory: "libcudart.so.%d"
  const KnownGpuLibrary* library = nullptr;  // never null
  std::string version;                       // the part after ".so.": "12", "%d", "*"
  std::string major;                         // major version of the toolkit, if the version gives it
};

const KnownGpuLibrary* find_gpu_library(std::span<const KnownGpuLibrary> libraries, std::string_view stem);
// Nothing for prose that mentions a library, and for names of other libraries. `libraries` is sorted by stem.
std::optional<GpuName> read_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries);
// A name as ctypes.util.find_library takes it ("cudart"), or a full file name.
std::optional<GpuName> read_short_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries);

}  // namespace wheelcheck::analysis
