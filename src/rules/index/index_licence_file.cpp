// WC857: a licence file that METADATA names is not where PyPI looks for it.
#include "rules/archive/wheel_flaws.h"

namespace wheelcheck::rules::index_licence_file {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexLicence}, [](const WheelFlaw&) {
    return "build with a back end that knows PEP 639 (setuptools 77, hatchling 1.27 or newer)";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC857",
    .name = "index-licence-file",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_licence_file
