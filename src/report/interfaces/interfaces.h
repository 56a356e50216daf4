// `wheelcheck interfaces WHEEL...`: what the files of wheels require of other packages and of the system.
#pragma once

#include <span>
#include <string>

#include "report/shared/text.h"
#include "wheelcheck/interfaces.h"

namespace wheelcheck::report {

struct Interfaces {
  const WheelReport& wheel;
  std::span<const WheelFacts> providers;
  WheelInterfaces found;
};
std::string render_interfaces_text(std::span<const Interfaces> wheels, const Paint& paint);
std::string render_interfaces_json(std::span<const Interfaces> wheels);  // docs/interfaces.schema.json
// By file name, a proposal of variant.json (PEP 825); null for a wheel that requires nothing that a variant can
// express.
std::string render_variants_json(std::span<const Interfaces> wheels);

}  // namespace wheelcheck::report
