// WC402: a part of the GPU driver inside the wheel.
#include <fmt/format.h>

#include "rules/gpu/gpu_common.h"

namespace wheelcheck::rules {
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

extern const Rule driver_bundled{
    .code = "WC402",
    .name = "driver-bundled",
    .severity = Severity::Error,
    .summary = "The wheel carries a library of the GPU driver.",
    .why =
        "The user-space half of a driver must be of the very version of its kernel half: a copy of libcuda from the "
        "build machine answers `CUDA driver version is insufficient` or `system has unsupported display driver` on "
        "every other one, and hides the right copy, since the loader takes one library of a soname per process. The "
        "licence of NVIDIA's driver does not allow to pass single files on either; Attachment A of the CUDA EULA, "
        "which "
        "lists what may be passed on, holds no part of the driver. auditwheel grafts such a file like any other when "
        "it "
        "finds one on the build machine.",
    .remedy =
        "Keep it out when the wheel is repaired: `auditwheel repair --exclude libcuda.so.1 --exclude libnvidia-ml.so.1 "
        "WHEEL`, and open it with dlopen (WC401).",
    .false_positives =
        "Wheels named `nvidia-*` are left out. A stub below a directory `stubs` is a warning, since it is there to "
        "link "
        "against and is not loaded unless a search path leads there. Drivers of other vendors, whose licences differ, "
        "are a warning too.",
    .check = check,
};

}  // namespace wheelcheck::rules
