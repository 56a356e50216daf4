// Flaws that the reader of the wheel has noted, as findings.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// One finding for each flaw of these areas, in the order of the facts. `fix` says what to do about one. `severity`:
// where it is not the rule's.
void emit_wheel_flaws(const WheelView& view, const Emit& emit, std::initializer_list<WheelArea> areas,
                      const std::function<std::string(const WheelFlaw&)>& fix, std::optional<Severity> severity = {});

}  // namespace wheelcheck::rules
