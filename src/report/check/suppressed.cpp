#include "report/check/suppressed.h"

#include <fmt/format.h>

#include "base/text.h"

namespace wheelcheck::report {

std::string set_aside_text(const Report& report, const WheelReport& wheel, const Paint& paint) {
  std::string out;
  if (report.configuration && !wheel.ignored.empty())
    out += fmt::format("\n{} ignored by {}\n", plural(wheel.ignored.size(), "finding"),
                       escape(report.configuration->name));
  if (!report.baseline || (wheel.known.empty() && wheel.mended.empty())) return paint.dim(out);
  out += fmt::format("\n{} known from {}", plural(wheel.known.size(), "finding"), escape(*report.baseline));
  out += wheel.mended.empty() ? "\n" : fmt::format(", {} gone from it\n", plural(wheel.mended.size(), "finding"));
  return paint.dim(out);
}

}  // namespace wheelcheck::report
