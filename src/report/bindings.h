// What a process binds to what, as JSON (docs/bindings.schema.json).
#pragma once

#include <string>

#include "wheelcheck/environment.h"

namespace wheelcheck::report {

std::string render_bindings(const Prediction& prediction);

}  // namespace wheelcheck::report
