// WC852: ZIP structures that PyPI refuses although all readers agree on them.
#include "rules/archive/wheel_flaws.h"

namespace wheelcheck::rules::index_archive {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexArchive},
                   [](const WheelFlaw&) { return "pack it again: wheel unpack, then wheel pack on the directory"; });
}

}  // namespace

extern const Rule rule{
    .code = "WC852",
    .name = "index-archive",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_archive
