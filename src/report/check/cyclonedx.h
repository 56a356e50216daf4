// The software bill of materials that `wheelcheck sbom` writes: the format `cyclonedx` for one wheel, with what the
// wheel requires of other packages and of the system as properties of the wheel.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "wheelcheck/interfaces.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// The distribution package that a file of a wheel is a library of.
struct FilePackage {
  std::string purl, name, version;
  auto operator<=>(const FilePackage&) const = default;
};
using FilePackages = std::map<ElfIndex, FilePackage>;

std::string render_sbom(const WheelReport& wheel, std::span<const InterfaceEntry> entries, const FilePackages& packages,
                        std::string_view version);

}  // namespace wheelcheck::report
