// The files of a wheel that the loader opens for one of its files.
#pragma once

#include <span>
#include <vector>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// By ElfIndex: true for what the loads of `files` open within the wheel, and for the files themselves.
std::vector<bool> loaded_with(const WheelView& view, std::span<const ElfIndex> files);

}  // namespace wheelcheck::rules
