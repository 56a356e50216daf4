// What of a file its import can run: the syntax tree of a large package costs seconds, and most of its code stands in
// functions that no import calls and that import nothing.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::python {

// The source without comments, documentation, and the bodies of functions that hold no import and no `global`, and
// whose names are called nowhere in what is left; lines keep their numbers. Text that cannot be split into lines and
// strings comes back as it is.
std::string skeleton(std::string_view source);

}  // namespace wheelcheck::python
