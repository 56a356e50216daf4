// `wheelcheck why WHEEL TAG`: what stands between a wheel and a tag.
#pragma once

#include <string>
#include <string_view>

#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace wheelcheck::report {

struct WhyOptions {
  bool json = false;
  bool colour = false;
};
// Every obstacle by name: file, library, version node, symbols. Usage for a tag that the wheel was not measured
// against.
Result<std::string> render_why(const WheelReport& wheel, std::string_view tag, const WhyOptions& options);

}  // namespace wheelcheck::report
