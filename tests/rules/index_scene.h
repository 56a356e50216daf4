// The findings of a rule about a wheel that the reader found a flaw in, where `index` is checked.
#pragma once

#include <string>
#include <vector>

#include "tests/rules/scene.h"

namespace wheelcheck::test {

inline std::vector<Finding> findings_at_upload(const std::string& rule, WheelArea area, const std::string& index) {
  Scene scene(WheelBuilder(wheel_2_17).edit([=](WheelFacts& wheel) {
    wheel.flaws.push_back({.area = area, .member = MemberIndex{0}, .subject = "x", .reason = "is refused"});
  }));
  scene.options.index = index;
  return scene.run(rule);
}

}  // namespace wheelcheck::test
