// WC854: values in METADATA that PyPI refuses.
#include "rules/archive/wheel_flaws.h"

namespace wheelcheck::rules::index_metadata {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexMetadata},
                   [](const WheelFlaw&) { return "correct it in pyproject.toml and build the wheel again"; });
}

}  // namespace

extern const Rule rule{
    .code = "WC854",
    .name = "index-metadata",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_metadata
