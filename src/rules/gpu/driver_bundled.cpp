// WC402: the wheel contains a library of the GPU driver.
#include <fmt/format.h>

#include "rules/gpu/gpu_common.h"

namespace wheelcheck::rules::driver_bundled {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (own_name(view).starts_with("nvidia-")) return;  // the owner's own wheels
  for (const GpuReference& one : view.analysis.gpu) {
    if (one.use != GpuUse::Bundled || !one.driver || !one.member) continue;
    const std::string& path = view.wheel.members[one.member->value].path.text();
    // A stub has the symbols but no code. It is for the linker, and the loader does not find it unless a search path
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
