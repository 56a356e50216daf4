// Assessments of wheels written in C++, and short texts to compare them by.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "policy/assess.h"
#include "tests/support/facts.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::policy {

using test::ElfBuilder;
using test::WheelBuilder;

inline const PolicySet& builtin() {
  static const PolicySet set = load_policies({}).value();
  return set;
}

// The first assessment; resolved by name unless a resolution is given.
inline Assessment measure(const WheelFacts& wheel, const Resolution& resolution) {
  const std::vector<TargetPlatform> targets = claimed_targets(wheel, builtin());
  std::vector<Assessment> all = assess(wheel, resolution, {}, builtin(), targets);
  if (all.empty()) throw std::invalid_argument("nothing is wanted");
  return std::move(all.front());
}
inline Assessment measure(const WheelFacts& wheel) { return measure(wheel, test::resolve_by_name(wheel)); }

// "0 library libfoo.so.1", "0 version libc.so.6 GLIBC_2.14 memcpy", "1 isa v3": the file's index first.
inline std::string text_of(const Requirement& requirement) {
  struct Texts {
    std::string operator()(const MachineRequirement& what) const {
      return "machine " + std::string(name_of(what.arch));
    }
    std::string operator()(const IsaRequirement& what) const { return "isa v" + std::to_string(what.level); }
    std::string operator()(const LibraryRequirement& what) const { return "library " + what.library; }
    std::string operator()(const VersionRequirement& what) const {
      std::string text = "version " + what.library + ' ' + what.version;
      for (const std::string& symbol : what.symbols) text += ' ' + symbol;
      return text;
    }
    std::string operator()(const SymbolRequirement& what) const { return "symbol " + what.library + ' ' + what.symbol; }
    std::string operator()(const InterpreterRequirement& what) const { return "interpreter " + what.symbol; }
    std::string operator()(const MissingVersionRequirement& what) const {
      return "missing " + what.library + ' ' + what.version;
    }
  };
  return std::to_string(requirement.elf.value) + ' ' + std::visit(Texts{}, requirement.what);
}
inline std::vector<std::string> requirements(const Assessment& assessment) {
  std::vector<std::string> texts;
  for (const Requirement& requirement : assessment.requirements) texts.push_back(text_of(requirement));
  return texts;
}
// What stands between the wheel and the level of that name.
inline std::vector<std::string> unmet_requirements(const Assessment& assessment, std::string_view level) {
  const auto at = std::ranges::find(assessment.level_names, level);
  if (at == assessment.level_names.end()) return {"no such rung"};
  std::vector<std::string> texts;
  for (const RequirementIndex index : assessment.levels[at - assessment.level_names.begin()].unmet_requirements)
    texts.push_back(text_of(assessment.requirements[index.value]));
  return texts;
}
inline std::string best(const Assessment& assessment) { return assessment.level_names[assessment.best.value]; }

}  // namespace wheelcheck::policy
