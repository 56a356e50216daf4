// A wheel held against four rungs, for tests of rules: what breaks which tag is said by hand, no policy is read.
//
//   Scene scene(WheelBuilder("foo-1-cp311-cp311-manylinux_2_17_x86_64.whl").elf(...).build());
//   scene.asks("foo/x.so", AsksLibrary{"libfoo.so.1"}, everywhere);
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

inline const std::string everywhere = "manylinux_2_34";  // the newest rung: no rung allows it
inline const std::string before_2_34 = "manylinux_2_28";
inline const std::string before_2_28 = "manylinux_2_17";
inline const std::string nowhere;  // every rung allows it

// docs: a message starts small, has no full stop, and every finding says what to do.
inline void check_words(const Finding& finding) {
  EXPECT_FALSE(finding.message.empty());
  if (finding.message.empty()) return;
  EXPECT_FALSE(is_upper(finding.message.front()) && is_lower(finding.message[1])) << finding.message;
  EXPECT_FALSE(finding.message.ends_with('.')) << finding.message;
  EXPECT_FALSE(finding.fix.empty()) << finding.message;
  EXPECT_FALSE(finding.fix.ends_with('.')) << finding.fix;
  for (const Evidence& evidence : finding.evidence) {
    EXPECT_FALSE(evidence.label.empty()) << finding.message;
    EXPECT_FALSE(evidence.value.empty()) << finding.message << " / " << evidence.label;
  }
}

class Scene {
 public:
  WheelFacts wheel;
  Resolution resolution;
  Assessment assessment;
  RuleOptions options;
  std::vector<WheelFacts> providers;
  Required required;

  explicit Scene(WheelFacts facts, Arch arch = Arch::x86_64) : wheel(std::move(facts)) {
    resolution = resolve_by_name(wheel);
    assessment.arch = arch;
    for (const char* name : {"linux", "manylinux_2_34", "manylinux_2_28", "manylinux_2_17"})
      assessment.rung_names.push_back(std::string(name) + '_' + std::string(name_of(arch)));
    assessment.rungs.resize(assessment.rung_names.size());
    assessment.best = RungIndex{3};
    assessment.files = wheel.elfs.size();
  }
  explicit Scene(const WheelBuilder& builder) : Scene(builder.build()) {}

  // `newest_unmet` and all older rungs do not give it.
  template <class Ask>
  Scene& asks(std::string_view file, Ask ask, const std::string& newest_unmet) {
    const RequirementIndex index{static_cast<std::uint32_t>(assessment.requirements.size())};
    assessment.requirements.push_back({elf_at(wheel, file), std::move(ask)});
    bool unmet = false;
    for (std::uint32_t i = 1; i < assessment.rungs.size(); ++i) {
      unmet = unmet || (!newest_unmet.empty() && assessment.rung_names[i].starts_with(newest_unmet + '_'));
      if (!unmet) continue;
      assessment.rungs[i].obstacles.push_back(index);
      assessment.best = std::min(assessment.best, RungIndex{i - 1});
    }
    return *this;
  }

  NeededFound& needed(std::string_view file, std::string_view library) {
    for (NeededFound& found : resolution.needed[elf_at(wheel, file).value])
      if (found.name == library) return found;
    throw std::invalid_argument("no such DT_NEEDED: " + std::string(library));
  }

  std::vector<Claim> claims() const {
    std::vector<Claim> result;
    for (const PlatformTag& tag : wheel.name.platforms) {
      Claim claim{.tag = tag, .in_name = true, .in_wheel_file = true};
      for (std::uint32_t i = 1; i < assessment.rung_names.size(); ++i) {
        if (tag.canonical != assessment.rung_names[i]) continue;
        claim.assessment = 0;
        claim.rung = RungIndex{i};
        claim.obstacles = assessment.rungs[i].obstacles;
        claim.promise = claim.obstacles.empty() ? Promise::Kept : Promise::Broken;
      }
      if (tag.family == PlatformTag::Family::Linux || tag.family == PlatformTag::Family::Any)
        claim.promise = Promise::NoPromise;
      if (claim.promise == Promise::Unknown) claim.reason = "no policy is known for it";
      if (claim.promise == Promise::Broken) claim.reason = "its obstacles";
      result.push_back(claim);
    }
    return result;
  }

  std::vector<Finding> run(std::string rule) const { return run(std::move(rule), claims()); }
  std::vector<Finding> run(std::string rule, const std::vector<Claim>& with) const {
    EXPECT_NE(find_rule(rule), nullptr) << rule;
    return run(rules::RuleSelection{.select = {std::move(rule)}, .ignore = {}}, with);
  }
  std::vector<Finding> run(const rules::RuleSelection& selection, const std::vector<Claim>& with) const {
    static const Result<Knowledge> knowledge = load_knowledge({});
    EXPECT_TRUE(knowledge.has_value());
    const Analysis analysis = analyse(wheel, resolution, *knowledge, options);
    std::vector<Finding> findings = rules::run_rules(
        {wheel, resolution, {&assessment, 1}, with, analysis, *knowledge, options, providers, &required}, selection);
    for (const Finding& finding : findings) check_words(finding);
    return findings;
  }

  std::string path(const Finding& finding) const { return std::string(rules::path_of(wheel, finding.place)); }
};

inline std::string evidence(const Finding& finding, std::string_view label) {
  for (const Evidence& one : finding.evidence)
    if (one.label == label) return one.value;
  return "";
}

inline const std::string wheel_2_17 = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl";
inline const std::string module_so = "foo/x.cpython-311-x86_64-linux-gnu.so";

}  // namespace wheelcheck::test
