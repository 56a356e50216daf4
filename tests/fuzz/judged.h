// Runs the program on a wheel's facts and creates every output.
#pragma once

#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::fuzz {

// Judges the wheel as the program does, and checks all output with shown_text.h.
void show_everything(WheelFacts wheel);

}  // namespace wheelcheck::fuzz
