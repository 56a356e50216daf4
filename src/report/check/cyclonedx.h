// The software bill of materials that `wheelcheck sbom` writes: the format `cyclonedx` for one wheel, with what the
// wheel requires of other packages and of the system as properties of the wheel.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "wheelcheck/interfaces.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

std::string render_sbom(const WheelReport& wheel, std::span<const InterfaceEntry> entries, std::string_view version);

}  // namespace wheelcheck::report
