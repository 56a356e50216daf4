// The interfaces of a wheel: which versions of other packages and of the system its files require. Each entry contains
// only what a file proves, with the evidence.
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
  std::string minimum;    // lowest version that works; "" if none can be proved
  std::string below;      // first version that does not work; "" if none can be proved
  std::string detail;     // an id, the kind of build, or a list; may be empty
  std::size_t files = 0;  // number of files with this entry
  ElfIndex file;          // the first of them
  std::string evidence;   // symbol, version node or text of that file
};
std::string_view name_of(InterfaceEntry::Group group);  // "numpy"

// The imports of a wheel that one provider wheel does not define. A missing symbol is reported only if another wheel of
// the same distribution defines it, because then it is clear that the distribution must provide it.
struct ProviderAnswer {
  struct Missing {
    ElfIndex file;
    std::string library;  // soname for a missing version node; "" for a symbol
    std::string name;     // symbol or version node
  };
  std::size_t provider = 0;  // index into the providers
  std::string distribution, version;
  std::vector<Missing> missing;  // by file, then name
};

struct WheelInterfaces {
  std::vector<InterfaceEntry> entries;    // by group, name, versions, detail
  std::vector<ProviderAnswer> providers;  // by distribution, then version
};
// Computed from the imports of the wheel alone; no tables are used.
std::vector<ProviderAnswer> provider_answers(const WheelFacts& wheel, std::span<const WheelFacts> providers);
WheelInterfaces interfaces_of(const WheelReport& wheel, const Knowledge& knowledge,
                              std::span<const WheelFacts> providers);

// What a wheel requires in all: the entries with limits, one for each name, in the same order. Entries that exclude
// each other (a file for each CUDA toolkit) are alternatives and stay, ordered by `minimum`. Of NumPy,
// what most files require, because some modules are imported with one NumPy only. Of the drivers of alternatives, what
// all files require.
std::vector<InterfaceEntry> required_in_all(std::span<const InterfaceEntry> entries);

// The oldest Linux driver that runs programs of a major version of the CUDA toolkit: "525.60.13" for "12". "" if
// unknown.
std::string_view minimum_cuda_driver(std::string_view toolkit_major);

}  // namespace wheelcheck
