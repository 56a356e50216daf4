// What the rules on GPU libraries share: who names what, what importing the package loads, whom METADATA requires.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

// The files that importing an extension module loads: the modules, and what the loader finds for them in the wheel.
std::set<ElfIndex> loaded_by_import(const WheelView& view);

// What a file or piece of Python code says; by member, in the order of the analysis. Declared ones belong to none.
using ByMember = std::map<MemberIndex, std::vector<const GpuReference*>>;
ByMember references_by_member(const WheelView& view);
std::map<MemberIndex, ElfIndex> elf_by_member(const WheelView& view);
Place place_of(const WheelView& view, MemberIndex member);

// The table's entry of that stem; null if there is none.
const KnownGpuLibrary* known_library(const WheelView& view, std::string_view stem);
// "CUDA", "ROCm", "oneAPI", "OpenCL"
std::string_view vendor_name(std::string_view vendor);
// "-lcuda" for libcuda
std::string link_flag(std::string_view stem);

// How METADATA asks for distributions.
struct Asked {
  std::string distribution;      // that fits; "" where none does
  std::set<std::string> extras;  // under which alone it is asked for; empty: always
};
// The first of `distributions` that METADATA asks for on Linux, itself or by one that brings it along; one that is
// asked for always before one under an extra.
Asked how_asked(const WheelView& view, const std::vector<std::string>& distributions);
// Distributions that provide a library, as far as the tables know; the one that METADATA asks for first.
std::vector<std::string> holders_of(const WheelView& view, std::string_view library);
// The names of Requires-Dist, extras included.
std::set<std::string> asked_for(const WheelView& view);
// PEP 503
std::string own_name(const WheelView& view);

// Each text once, in order.
std::vector<std::string> distinct(std::vector<std::string> texts);

}  // namespace wheelcheck::rules
