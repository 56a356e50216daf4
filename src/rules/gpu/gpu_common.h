// Functions for the rules on GPU libraries: which files refer to a library, and which distributions METADATA
// requires.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

// The references of each ELF or Python file, by member, in the order of the analysis. Declared references belong to no
// member and are left out.
using ByMember = std::map<MemberIndex, std::vector<const GpuReference*>>;
ByMember references_by_member(const WheelView& view);
// The ELF file that is the member.
std::optional<ElfIndex> elf_at(const WheelView& view, MemberIndex member);
// True if only machines with the device have the library: one of the GPU's driver, or of ROCm or CANN, whose
// runtime is not part of the kernel driver but in no wheel on PyPI. WC401 reports the files that are linked against it.
bool is_only_with_the_device(const GpuReference& one);
Place place_of(const WheelView& view, MemberIndex member);

// "CUDA", "ROCm", "oneAPI", "OpenCL"
std::string_view vendor_name(std::string_view vendor);
// "-lcuda" for libcuda
std::string link_flag(std::string_view stem);

// The distributions that contain a library, according to the tables; the one that METADATA requires comes first.
std::vector<std::string> holders_of(const WheelView& view, std::string_view library);
// The names in Requires-Dist, including those under extras.
std::set<std::string> asked_for(const WheelView& view);
// The distribution's own name, normalised (PEP 503).
std::string own_name(const WheelView& view);

// Removes repetitions and keeps the order.
std::vector<std::string> distinct(std::vector<std::string> texts);

}  // namespace wheelcheck::rules
