// WC856: dependencies on a URL, which PyPI refuses.
#include "rules/archive/wheel_flaws.h"

namespace wheelcheck::rules::index_dependency {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexDependency}, [](const WheelFlaw&) {
    return "name a release of the project, upload a fork under a name of its own, or leave the URL to a requirements "
           "file";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC856",
    .name = "index-dependency",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_dependency
