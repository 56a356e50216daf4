// A wheel with an analysis: an extension module that leaks two libraries, a library that it links, and Python code.
#pragma once

#include <string>

#include "tests/report/sample.h"

namespace wheelcheck::test {

inline const std::string leaking_so = "mixer/_mixer.cpython-311-x86_64-linux-gnu.so";
inline const std::string zlib_so = "mixer.libs/libz-9a8b7c6d.so.1.3.1";

ElfAnalysis leaking_module();

WheelReport leaking_wheel();

}  // namespace wheelcheck::test
