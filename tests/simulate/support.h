// Wheels that were judged by hand, under two sets of levels.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "simulate/compare.h"
#include "tests/report/sample.h"

namespace wheelcheck::simulate_levels {

inline constexpr ElfIndex first{0}, second{1};
inline const std::vector<std::string> levels = {"linux_x86_64", "manylinux_2_28_x86_64", "manylinux_2_17_x86_64",
                                                "manylinux_2_5_x86_64"};
inline constexpr std::size_t r_linux = 0, r28 = 1, r17 = 2, r5 = 3;

inline WheelFacts facts(const std::string& file = "pkg-1.0-cp311-cp311-manylinux_2_17_x86_64.whl") {
  return test::WheelBuilder(file)
      .elf(test::ElfBuilder("pkg/_0.cpython-311-x86_64-linux-gnu.so"))
      .elf(test::ElfBuilder("pkg/_1.cpython-311-x86_64-linux-gnu.so"))
      .build();
}

// What one set of levels says: requirements with the oldest level that meets each, and one claim.
inline Side side(const std::vector<test::Scored>& requirements, const std::vector<std::string>& names = levels,
                 const std::string& claimed = "manylinux_2_17_x86_64") {
  Side out;
  const Assessment assessment = test::scored(names, requirements, 2);
  out.verdict.claims = {test::claim(assessment, claimed)};
  out.verdict.best_tags = {names[assessment.best.value]};
  out.assessments = {assessment};
  return out;
}
inline Requirement needs(ElfIndex elf, std::string node, std::vector<std::string> symbols) {
  return {elf, VersionRequirement{"libc.so.6", std::move(node), std::move(symbols)}};
}

// "lost GLIBC_2.18 in 2"
inline std::vector<std::string> shown(const SimulatedWheel& wheel) {
  std::vector<std::string> out;
  for (const SimulatedCause& cause : wheel.causes) {
    const auto* const version = std::get_if<VersionRequirement>(&cause.required.what);
    const auto* const library = std::get_if<LibraryRequirement>(&cause.required.what);
    out.push_back(std::string(cause.lost ? "lost " : "gained ") +
                  (version != nullptr   ? version->version
                   : library != nullptr ? library->library
                                        : std::get<SymbolRequirement>(cause.required.what).symbol) +
                  " in " + std::to_string(cause.files.size()));
  }
  return out;
}

}  // namespace wheelcheck::simulate_levels
