// What the files of a wheel require of other packages and of the system, and what they offer to others. Each entry
// states only what the file proves, and has its evidence.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/report.h"

namespace wheelcheck {

struct InterfaceEntry {
  enum class Group { Python, Numpy, Pybind11, Nanobind, Cython, Torch, Abseil, Protobuf, Cffi, Library, System, Gpu };
  Group group = Group::System;
  std::string name;       // "CPython", "NumPy", "glibc", "libarrow.so.2600", "SM"
  std::string minimum;    // the lowest version that works; "" where that cannot be proved
  std::string below;      // the first version that does not work; "" where that cannot be proved
  std::string detail;     // an id, the kind of build, a list; may be empty
  std::size_t files = 0;  // that say so
  ElfIndex file;          // the first of them
  std::string evidence;   // the symbol, version node or text of that file
};
std::string_view name_of(InterfaceEntry::Group group);  // "numpy"

// What one provider wheel lacks of what the wheel imports. A symbol counts where another wheel of the same distribution
// defines it: then it is the distribution's, and this version does not have it.
struct ProviderAnswer {
  struct Missing {
    ElfIndex file;
    std::string library;  // soname of a missing version node; "" for a symbol
    std::string name;     // symbol or version node
  };
  std::size_t provider = 0;  // into the providers
  std::string distribution, version;
  std::vector<Missing> missing;  // by file, then name
};

struct WheelInterfaces {
  std::vector<InterfaceEntry> entries;    // by group, name, versions, detail
  std::vector<ProviderAnswer> providers;  // by distribution, then version
};
// By the imports of the wheel alone.
std::vector<ProviderAnswer> provider_answers(const WheelFacts& wheel, std::span<const WheelFacts> providers);
WheelInterfaces interfaces_of(const WheelReport& wheel, const Knowledge& knowledge,
                              std::span<const WheelFacts> providers);

// The oldest driver for Linux that runs programs of that CUDA toolkit's major version: "525.60.13" for "12"; "" where
// it is not known.
std::string_view minimum_cuda_driver(std::string_view toolkit_major);

}  // namespace wheelcheck
