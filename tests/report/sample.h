// Reports written in C++ for the tests of the formats: a wheel that is not compatible with its tag, one that is, a pure
// wheel, an input that is not a wheel, and a wheel with malicious names.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/facts.h"
#include "wheelcheck/report.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::test {

inline constexpr Rule too_new{
    .code = "WC102", .name = "symbol-version-too-new", .severity = Severity::Error, .check = nullptr};
inline constexpr Rule not_allowed{
    .code = "WC103", .name = "library-not-allowed", .severity = Severity::Error, .check = nullptr};
inline constexpr Rule empty_runpath{
    .code = "WC501", .name = "runpath-empty-element", .severity = Severity::Warning, .check = nullptr};
inline constexpr Rule more_compatible{
    .code = "WC113", .name = "could-be-more-compatible", .severity = Severity::Note, .check = nullptr};

inline const std::vector<std::string> manylinux_rungs = {
    "linux_x86_64",          "manylinux_2_41_x86_64", "manylinux_2_34_x86_64", "manylinux_2_28_x86_64",
    "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux_2_12_x86_64", "manylinux_2_5_x86_64"};

// A requirement, and the index in the names of the oldest level that meets it.
using Scored = std::pair<Requirement, std::size_t>;

Assessment scored(const std::vector<std::string>& level_names, const std::vector<Scored>& requirements,
                  std::size_t files);

Claim claim(const Assessment& assessment, std::string_view tag, bool in_name = true, bool in_wheel_file = true);

WheelReport with_facts(WheelFacts facts);

void judge(WheelReport& wheel, Assessment assessment, std::vector<Claim> claims);

// Claims 2_17 in its name; fcntl64 requires 2_28, and libexpat is not allowed at 2_5.
WheelReport broken_wheel();

// Needs a library that no level allows, and one that is in the wheel but not on a search path.
WheelReport external_wheel();

// A wheel with more files than a page shows, which is compatible with an older tag than the claimed one.
WheelReport kept_wheel();

WheelReport pure_wheel();

// Bytes that are not UTF-8, a line that clears the screen, and text that is displayed right to left.
WheelReport hostile_wheel();

Unreadable unreadable_input();

template <class... Parts>
Report report_of(Parts... parts) {
  Report out;
  out.version = "0.1.0";
  [[maybe_unused]] const auto add = [&](auto part) {
    if constexpr (std::is_same_v<decltype(part), Unreadable>) {
      out.entries.push_back({std::nullopt, std::move(part)});
    } else {
      for (const Finding& finding : part.findings) {
        if (finding.severity == Severity::Error) ++out.errors;
        if (finding.severity == Severity::Warning) ++out.warnings;
        if (finding.severity == Severity::Note) ++out.notes;
      }
      out.entries.push_back({std::move(part), std::nullopt});
    }
  };
  (add(std::move(parts)), ...);
  return out;
}

}  // namespace wheelcheck::test
