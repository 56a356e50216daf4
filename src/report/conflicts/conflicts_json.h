// What a process binds to what, as JSON (docs/bindings.schema.json).
#pragma once

#include <span>
#include <string>

#include "wheelcheck/process.h"

namespace wheelcheck::report {

// names: of the files of the world, as they are shown.
std::string render_bindings(const process::World& world, std::span<const std::string> names,
                            const process::Outcome& outcome);

}  // namespace wheelcheck::report
