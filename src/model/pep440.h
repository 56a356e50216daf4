// Versions of distributions and version specifiers (PEP 440), with the answers of the Python library `packaging`.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelcheck {

// A number that needs more than 64 bits counts as the greatest one.
struct PackageVersion {
  std::uint64_t epoch = 0;
  std::vector<std::uint64_t> release;                 // 1.2.0 -> {1, 2, 0}; not empty
  std::optional<std::pair<char, std::uint64_t>> pre;  // 1.0b2 -> {'b', 2}; 'a', 'b' or 'c' (release candidate)
  std::optional<std::uint64_t> post, dev;             // 1.0.post3, 1.0.dev4
  std::vector<std::string> local;                     // 1.0+cu12.1 -> {"cu12", "1"}; without leading zeros

  // The order of PEP 440: 1.0.dev1, 1.0a1, 1.0rc1, 1.0, 1.0+local, 1.0.post1. 1.0 and 1.0.0 are equal.
  std::strong_ordering operator<=>(const PackageVersion& other) const;
  bool operator==(const PackageVersion& other) const { return (*this <=> other) == 0; }
  bool is_prerelease() const { return pre || dev; }
};
// Accepts all spellings of PEP 440, appendix B: v1.0, 1.0-1, 1.0-ALPHA.0. nullopt if the text is not a version.
std::optional<PackageVersion> parse_package_version(std::string_view text);
// The normal form of `packaging`: 1!2.0rc1.post2.dev3+cu12.
std::string to_string(const PackageVersion& version);
bool is_package_version(std::string_view text);
// True if both are versions and they are equal.
bool same_version(std::string_view a, std::string_view b);

struct Specifier {
  enum class Operator { Identical, Compatible, Equal, NotEqual, GreaterEqual, LessEqual, Greater, Less };

  Operator op = Operator::Equal;
  PackageVersion version;  // of "<1.0": 1.0.dev0, the first version that is not accepted
  bool any_tail = false;   // "==3.11.*"
  std::string text;        // the version as written, for Identical ("===")

  // Pre-releases are accepted like other versions.
  bool contains(const PackageVersion& candidate) const;
};
// One specifier: ">=1.2". nullopt if it is not valid.
std::optional<Specifier> parse_specifier(std::string_view text);
// The problem of a list such as ">=3.8,!=3.9.0", as a phrase that follows the field's name and value; "" if it is
// valid.
std::string specifiers_problem(std::string_view list);
// Whether a version satisfies every specifier of a list. nullopt if one of them, or the version, is not valid.
std::optional<bool> allows(std::string_view list, std::string_view version);

}  // namespace wheelcheck
