// WC702: RECORD differs from the archive; every difference is reported.
#include <fmt/format.h>

#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

namespace wheelcheck::rules::record_mismatch {
namespace {

void check(const WheelView& view, const Emit& emit) {
  const std::string fix =
      fmt::format("write RECORD again: wheel unpack {}, then wheel pack on the directory", shell_word(view.wheel.file));
  emit_wheel_flaws(view, emit, {WheelArea::Record}, [&](const WheelFlaw&) { return fix; });
}

}  // namespace

extern const Rule rule{
    .code = "WC702",
    .name = "record-mismatch",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::record_mismatch
