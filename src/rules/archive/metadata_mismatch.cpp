// WC706: file name, .dist-info directory, WHEEL and METADATA must tell the same load_plan.
#include <fmt/format.h>

#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  emit_wheel_flaws(view, emit, {WheelArea::Name, WheelArea::DistInfo, WheelArea::Wheel, WheelArea::Metadata},
                   [](const WheelFlaw& flaw) -> std::string {
                     if (flaw.area == WheelArea::Name) return "let the build back end name the wheel";
                     return "correct it where the wheel is built, and build it again";
                   });
}

}  // namespace

extern const Rule metadata_mismatch{
    .code = "WC706",
    .name = "metadata-mismatch",
    .severity = Severity::Error,
    .summary = "The file name, the .dist-info directory, WHEEL and METADATA do not agree, or one is missing.",
    .why =
        "Installers trust the file name, then read `NAME-VERSION.dist-info`. Where WHEEL or METADATA is missing or "
        "cannot "
        "be read, the wheel cannot be installed; where name or version differ, pip refuses it or installs something "
        "that it cannot find again.",
    .remedy =
        "Let the build back end write names and metadata; do not rename the file or edit inside. `wheel unpack` and "
        "`wheel pack` mend a directory that does not fit.",
    .false_positives = "None known: names are compared as normalised (PEP 503) and versions as PEP 440 reads them.",
    .check = check,
};

}  // namespace wheelcheck::rules
