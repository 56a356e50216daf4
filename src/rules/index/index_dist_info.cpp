// WC859: PyPI looks for WHEEL, METADATA and RECORD in the directory that the file name spells.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::index_dist_info {
namespace {

void check(const WheelView& view, const Emit& emit) {
  const WheelFacts& wheel = view.wheel;
  if (view.options.index.empty() || wheel.size == 0 || !wheel.dist_info) return;  // WC706: there is none
  const std::string expected = fmt::format("{}-{}.dist-info", wheel.name.distribution, wheel.name.version);
  if (*wheel.dist_info == expected) return;
  emit({.place = AtPath{*wheel.dist_info},
        .message = fmt::format("is spelt differently than the file name: PyPI looks for {}", expected),
        .evidence = {{"file name", wheel.file}},
        .fix = fmt::format("spell file name and directory alike: wheel unpack {}, then wheel pack on the directory",
                           shell_word(wheel.file)),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC859",
    .name = "index-dist-info",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_dist_info
