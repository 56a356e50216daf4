// Uses of ignore rules, for tests of the rules about the configuration.
#pragma once

#include <string>
#include <vector>

#include "tests/rules/scene.h"

namespace wheelcheck::test {

inline const IgnoreRule leaks{.rule = "WC201",
                              .path = "**/libx.so",
                              .reason = "tracked in #123",
                              .until = Date{2027, 1, 31},
                              .where = "w.toml:7"};

inline std::vector<Finding> run_config(const std::string& rule, const IgnoreUse& use) {
  auto findings = rules::run_config_rules({{&use, 1}}, {.select = {rule}, .ignore = {}});
  for (const Finding& finding : findings) check_words(finding);
  return findings;
}

}  // namespace wheelcheck::test
