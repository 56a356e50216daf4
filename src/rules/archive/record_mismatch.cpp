// WC702: RECORD is a claim about the archive; every difference is reported.
#include <fmt/format.h>

#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  const std::string fix =
      fmt::format("write RECORD anew: wheel unpack {}, then wheel pack on the directory", shell_word(view.wheel.file));
  emit_wheel_flaws(view, emit, {WheelArea::Record}, [&](const WheelFlaw&) { return fix; });
}

}  // namespace

extern const Rule record_mismatch{
    .code = "WC702",
    .name = "record-mismatch",
    .severity = Severity::Error,
    .summary = "RECORD does not agree with the archive.",
    .why =
        "RECORD lists every file of the wheel with its hash and size; uninstallers remove what it names and auditors "
        "read "
        "what it names. A file that it omits is installed and never looked at, a wrong hash means that the file was "
        "changed after the wheel was built. Installers hardly check it, which is why it goes unnoticed; package "
        "indexes "
        "have begun to.",
    .remedy = "Write it anew: `wheel unpack WHEEL`, then `wheel pack DIRECTORY`. Never change a wheel with zip alone.",
    .false_positives = "None known. RECORD itself and its signatures (RECORD.jws, RECORD.p7s) need no hash.",
    .check = check,
};

}  // namespace wheelcheck::rules
