// A wheel from its facts to every text that the program can write of it.
#pragma once

#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::fuzz {

// Judges it as the program does, and demands of everything that is shown what shown_text.h says.
void show_everything(WheelFacts wheel);

}  // namespace wheelcheck::fuzz
