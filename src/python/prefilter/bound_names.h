// Finds the names that a module may have, without parsing.
#pragma once

#include <string>

#include "python/prefilter/lines.h"

namespace wheelcheck::python {

// The names that the module's body, or a function with `global`, may bind, each between blanks: " main VERSION ". Some
// of them are only read there. " * " if the module may have any name: it imports all of another one, defines
// __getattr__, or uses globals(), exec() or the like.
std::string bound_names(const Lines& lines);

}  // namespace wheelcheck::python
