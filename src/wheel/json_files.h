// Reads the JSON files of *.dist-info: variant.json (PEP 825, a draft) and the software bills of materials (PEP 770).
// Errors become flaws. Of the content, only what a verdict needs is kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// A longer file is not read, nor a bill of materials with which those of a wheel have more than the second limit.
// Parsing a MiB takes up to 70 ms and 40 MB; of 137 wheels with a bill of materials, the longest has 0.9 MB.
inline constexpr std::uint64_t largest_json = std::uint64_t{2} << 20, max_sbom_bytes = std::uint64_t{8} << 20;

struct JsonReading {
  std::vector<WheelFlaw> flaws;
  std::uint32_t variant_x86_level = 1;  // WheelFacts::variant_x86_level
  std::optional<Sbom> sbom;
  std::vector<ScriptEntry> scripts;
};

// The files that are read only to check them: variant.json, the software bills of materials and entry_points.txt. Each
// has the area of its flaws.
struct CheckedFiles {
  std::map<MemberIndex, WheelArea> read;
  std::map<MemberIndex, WheelArea> too_long;
};
CheckedFiles checked_files(std::span<const MemberFacts> members, const std::optional<std::string>& dist_info);
JsonReading read_dist_info_file(WheelArea area, std::string_view text, MemberIndex member, std::string_view path,
                                const WheelFacts& wheel);

JsonReading read_variant(std::string_view text, MemberIndex member, std::string_view path, std::string_view label);
JsonReading read_sbom(std::string_view text, MemberIndex member, std::string_view path);

}  // namespace wheelcheck::wheel
