// The JSON files of *.dist-info: variant.json (PEP 825, a draft) and the software bills of materials (PEP 770). What is
// wrong with one becomes flaws; of what it says only what a verdict needs is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// A longer file is not read: a document of this size takes some hundred megabytes less than a process may have.
inline constexpr std::uint64_t largest_json = std::uint64_t{2} << 20;

struct JsonReading {
  std::vector<WheelFlaw> flaws;
  std::uint32_t variant_x86_level = 1;  // WheelFacts::variant_x86_level
};

// Which area the flaws of a member have; nullopt: it is no such file, or too long.
std::optional<WheelArea> json_area(const MemberFacts& member, const std::optional<std::string>& dist_info);

JsonReading read_variant(std::string_view text, MemberIndex member, std::string_view path, std::string_view label);
JsonReading read_sbom(std::string_view text, MemberIndex member, std::string_view path);

}  // namespace wheelcheck::wheel
