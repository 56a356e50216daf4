// WC402: a part of the GPU driver inside the wheel.
#include <fmt/format.h>

#include "rules/gpu/gpu_common.h"

namespace wheelcheck::rules::driver_bundled {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (own_name(view).starts_with("nvidia-")) return;  // the owner's own wheels
  for (const GpuReference& one : view.analysis.gpu) {
    if (one.use != GpuUse::Bundled || !one.driver || !one.member) continue;
    const std::string& path = view.wheel.members[one.member->value].path.text();
    // A stub has the names and no code; it is for the linker, and is found by no loader as long as no search path
    // leads to it.
    const bool stub = ('/' + path).find("/stubs/") != std::string::npos;
    const std::string soname = one.version.empty() ? one.stem + ".so" : one.stem + ".so." + one.version;
    emit({.place = place_of(view, *one.member),
          .message = fmt::format("is {} of the {} driver{}", one.stem, one.vendor == "cuda" ? "NVIDIA" : "GPU's",
                                 stub ? ", a stub for the linker" : ""),
          .evidence = {{"library", one.name}, {"component", one.component}},
          .fix = fmt::format("leave it out: auditwheel repair --exclude {} WHEEL", shell_word(soname)),
          .severity = stub || one.vendor != "cuda" ? Severity::Warning : Severity::Error});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC402",
    .name = "driver-bundled",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::driver_bundled
