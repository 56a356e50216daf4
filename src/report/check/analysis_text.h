// What the analysis found, in a few lines for people.
#pragma once

#include <string>

#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// The files that export most of what is not theirs, with the libraries it comes from; "" where no file does.
std::string leaks_text(const WheelReport& wheel, const Paint& paint);
// One file: what it exports, the libraries inside, C++ runtime and std::string, compilers, GPU code and names.
std::string analysis_text(const WheelReport& wheel, ElfIndex elf);
// The calls of Python code that load libraries or change how they are loaded.
std::string python_text(const WheelReport& wheel, const Paint& paint);

// Members that are listed and not checked, a line per kind; "" where there are none.
std::string foreign_text(const WheelReport& wheel, const Paint& paint);

}  // namespace wheelcheck::report
