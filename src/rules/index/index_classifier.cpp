// WC855: classifiers that PyPI does not know or no longer takes.
#include "rules/archive/wheel_flaws.h"

namespace wheelcheck::rules::index_classifier {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexClassifier}, [](const WheelFlaw&) {
    return "choose a classifier from the list of PyPI, the package trove-classifiers";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC855",
    .name = "index-classifier",
    .severity = Severity::Error,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::index_classifier
