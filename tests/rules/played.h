// Findings of wheels that the loader model runs, written in C++ (tests/conflicts/support.h).
#pragma once

#include <string>
#include <vector>

#include "rules/engine.h"
#include "tests/conflicts/support.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test {

inline std::string module_file(const std::string& name) { return name + ".cpython-311-x86_64-linux-gnu.so"; }

inline WheelBuilder wheel_of(const std::string& name, const std::string& version = "1.0") {
  return WheelBuilder(name + "-" + version + "-cp311-cp311-manylinux_2_17_x86_64.whl");
}

// A file whose own relocations look up its exports.
inline ElfBuilder looked_up(ElfBuilder elf) {
  return elf.edit([](ElfMember& member) {
    for (Export& symbol : member.facts.dynamic->exports) symbol.bound = Bound::AtLoad;
  });
}

inline std::vector<Finding> played(Together& together, const std::string& rule, const Knowledge& knowledge = {}) {
  const Conflicts conflicts = together.find(knowledge);
  const RuleOptions options;
  auto findings = rules::run_set_rules({conflicts, knowledge, options}, {.select = {rule}, .ignore = {}});
  for (const Finding& finding : findings) check_words(finding);
  return findings;
}
inline std::vector<Finding> played(Together&& together, const std::string& rule, const Knowledge& knowledge = {}) {
  return played(together, rule, knowledge);
}

}  // namespace wheelcheck::test
