// A wheel held against four levels, for tests of rules: what breaks which tag is said by hand, no policy is read.
//
//   Scene scene(WheelBuilder("foo-1-cp311-cp311-manylinux_2_17_x86_64.whl").elf(...).build());
//   scene.asks("foo/x.so", LibraryRequirement{"libfoo.so.1"}, everywhere);
//   const auto findings = scene.run("library-not-allowed");
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "rules/engine.h"
#include "tests/support/facts.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {

inline const std::string everywhere = "manylinux_2_34";  // the newest level: no level allows it
inline const std::string before_2_34 = "manylinux_2_28";
inline const std::string before_2_28 = "manylinux_2_17";
inline const std::string nowhere;  // every level allows it

// docs: a message starts small, has no full stop, and every finding says what to do.
void check_words(const Finding& finding);

class Scene {
 public:
  WheelFacts wheel;
  Resolution resolution;
  Assessment assessment;
  RuleOptions options;
  std::vector<WheelFacts> providers;
  Required required;

  explicit Scene(WheelFacts facts, Arch arch = Arch::x86_64);
  explicit Scene(const WheelBuilder& builder) : Scene(builder.build()) {}

  // `newest_unmet` and all older levels do not give it.
  Scene& requires_at(std::string_view file, decltype(Requirement::what) what, const std::string& newest_unmet);

  NeededFound& needed(std::string_view file, std::string_view library);
  std::vector<Claim> claims() const;

  std::vector<Finding> run(std::string rule) const { return run(std::move(rule), claims()); }
  std::vector<Finding> run(std::string rule, const std::vector<Claim>& with) const;
  std::vector<Finding> run(const rules::RuleSelection& selection, const std::vector<Claim>& with) const;

  std::string path(const Finding& finding) const { return std::string(rules::path_of(wheel, finding.place)); }
};

std::string evidence(const Finding& finding, std::string_view label);

inline const std::string wheel_2_17 = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl";
inline const std::string module_so = "foo/x.cpython-311-x86_64-linux-gnu.so";

}  // namespace wheelcheck::test
