// Reads the JSON files of *.dist-info: variant.json (PEP 825, a draft) and the software bills of materials (PEP 770).
// Errors become flaws. Of the content, only what a verdict needs is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// A longer file is not read. Parsing a document of this size needs some hundred megabytes less than the memory limit of
// the process.
inline constexpr std::uint64_t largest_json = std::uint64_t{2} << 20;

struct JsonReading {
  std::vector<WheelFlaw> flaws;
  std::uint32_t variant_x86_level = 1;  // WheelFacts::variant_x86_level
  std::optional<Sbom> sbom;
};

// The area of the flaws of a file that is read only to check it: variant.json, a software bill of materials or
// entry_points.txt (DistInfo). nullopt: another file, or it is too long.
std::optional<WheelArea> checked_area(const MemberFacts& member, const std::optional<std::string>& dist_info);
// True for a software bill of materials in JSON that is too long to be read.
bool is_unread_sbom(const MemberFacts& member, const std::string& dist_info);
JsonReading read_dist_info_file(WheelArea area, std::string_view text, MemberIndex member, std::string_view path,
                                const WheelFacts& wheel);

JsonReading read_variant(std::string_view text, MemberIndex member, std::string_view path, std::string_view label);
JsonReading read_sbom(std::string_view text, MemberIndex member, std::string_view path);

}  // namespace wheelcheck::wheel
