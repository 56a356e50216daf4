// Converts the flaws that the wheel reader recorded to findings.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

inline Place place_of_flaw(const WheelView& view, const WheelFlaw& flaw) {
  if (flaw.member) return AtMember{*flaw.member};
  if (flaw.subject.empty() || flaw.subject == view.wheel.file) return WholeWheel{};
  return AtPath{flaw.subject};
}

// Emits one finding for each flaw of these areas, in the order of the facts. `fix` returns the advice for a flaw.
// `severity` replaces the rule's severity if set, and `minor` that of flaws that every installer on Linux accepts.
inline void emit_wheel_flaws(const WheelView& view, const Emit& emit, std::initializer_list<WheelArea> areas,
                             const std::function<std::string(const WheelFlaw&)>& fix,
                             std::optional<Severity> severity = {}, Severity minor = Severity::Warning) {
  for (const WheelFlaw& flaw : view.wheel.flaws) {
    if (std::ranges::find(areas, flaw.area) == areas.end()) continue;
    emit({.place = place_of_flaw(view, flaw),
          .message = flaw.reason,
          .evidence = {},
          .fix = fix(flaw),
          .severity = flaw.minor ? std::optional(minor) : severity});
  }
}

}  // namespace wheelcheck::rules
