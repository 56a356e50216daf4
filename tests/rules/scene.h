// A wheel compared with four levels, for tests of rules. The unmet requirements are set by hand; no policy is read.
//
//   Scene scene(WheelBuilder("foo-1-cp311-cp311-manylinux_2_17_x86_64.whl").elf(...).build());
//   scene.requires_at("foo/x.so", LibraryRequirement{"libfoo.so.1"}, everywhere);
//   const auto findings = scene.run("library-not-allowed");
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "rules/engine.h"
#include "tests/support/facts.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {

inline const std::string everywhere = "manylinux_2_34";  // the newest level: no level meets the requirement
inline const std::string before_2_34 = "manylinux_2_28";
inline const std::string before_2_28 = "manylinux_2_17";
inline const std::string nowhere;  // every level meets the requirement

// The documented form of findings: a message starts with a lower-case letter, has no full stop, and every finding has a
// fix.
void check_words(const Finding& finding);

class Scene {
 public:
  WheelFacts wheel;
  Resolution resolution;
  Assessment assessment;
  RuleOptions options;
  std::vector<WheelFacts> providers;
  Required required;
  std::map<ElfIndex, LibraryPackage> packages = {};

  explicit Scene(WheelFacts facts, Arch arch = Arch::x86_64);
  explicit Scene(const WheelBuilder& builder);
  // Defined in the .cpp file, so that not every test compiles the destructors of all facts.
  Scene(Scene&&) noexcept;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  Scene& operator=(Scene&&) = delete;
  ~Scene();

  // `newest_unmet` and all older levels do not meet the requirement.
  Scene& requires_at(std::string_view file, decltype(Requirement::what) what, const std::string& newest_unmet);

  NeededFound& needed(std::string_view file, std::string_view library);
  std::vector<Claim> claims() const;

  std::vector<Finding> run(std::string rule) const;
  std::vector<Finding> run(std::string rule, const std::vector<Claim>& with) const;
  std::vector<Finding> run(const rules::RuleSelection& selection, const std::vector<Claim>& with) const;

  std::string path(const Finding& finding) const { return std::string(path_of(wheel, finding.place)); }
};

// foo/__init__.py has functions that call each other so often that no walk comes to the last one, which does `call`.
void call_without_end(WheelFacts& wheel, const PythonCall& call);

std::string evidence(const Finding& finding, std::string_view label);

inline const std::string wheel_2_17 = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl";
inline const std::string module_so = "foo/x.cpython-311-x86_64-linux-gnu.so";

}  // namespace wheelcheck::test
