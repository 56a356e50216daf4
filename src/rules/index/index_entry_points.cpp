// WC858: an entry_points.txt that PyPI refuses.
#include "rules/archive/wheel_flaws.h"

namespace wheelcheck::rules::index_entry_points {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexEntryPoints}, [](const WheelFlaw&) {
    return "correct the entry points in pyproject.toml and build the wheel again";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC858",
    .name = "index-entry-points",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_entry_points
