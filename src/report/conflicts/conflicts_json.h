// Which symbol of which file is bound to which definition, as JSON (docs/bindings.schema.json).
#pragma once

#include <span>
#include <string>

#include "wheelcheck/process.h"

namespace wheelcheck::report {

// `names` are the printable names of the files in `world`.
std::string render_bindings(const process::World& world, std::span<const std::string> names,
                            const process::Outcome& outcome);

}  // namespace wheelcheck::report
