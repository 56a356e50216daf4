// Converts the flaws that the wheel reader recorded to findings.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// Emits one finding for each flaw of these areas, in the order of the facts. `fix` returns the advice for a flaw.
// `severity` replaces the rule's severity if set.
void emit_wheel_flaws(const WheelView& view, const Emit& emit, std::initializer_list<WheelArea> areas,
                      const std::function<std::string(const WheelFlaw&)>& fix, std::optional<Severity> severity = {});

}  // namespace wheelcheck::rules
