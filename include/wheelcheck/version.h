// Version numbers of libraries and policies, and names of version nodes (gABI/LSB "Symbol Versioning").
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace wheelcheck {

// 2.17 = {2, 17, 0, 0}
struct Version {
  std::array<std::uint32_t, 4> parts{};
  auto operator<=>(const Version&) const = default;
};

// "2.17" -> {2, 17}. Returns false for a part that is not a number, more than four parts, or a number over 32 bits.
bool parse_version(std::string_view text, Version& out);
// {2, 17} -> "2.17"; at least two parts are written.
std::string to_string(const Version& version);

// The family of a version node: the part before the first '_' that is followed by a digit, or else before the first
// '_'.
// GLIBC_2.28 -> GLIBC, ZLIB_NG_2.1.0 -> ZLIB_NG, CXXABI_LDBL_1.3 -> CXXABI_LDBL, GLIBC_PRIVATE -> GLIBC, V1 -> V1
std::string_view version_family(std::string_view node);
// The part after the family and its '_': GLIBC_2.28 -> 2.28, V1 -> "".
std::string_view version_suffix(std::string_view node);

// Compares texts; runs of digits are compared as numbers of any length: GLIBC_2.5 < GLIBC_2.17.
std::strong_ordering natural_order(std::string_view a, std::string_view b);
struct NaturalLess {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const { return natural_order(a, b) < 0; }
};

}  // namespace wheelcheck
