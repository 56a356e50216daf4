// WC103: a library that is neither in the wheel nor on the claimed systems.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "rules/gpu/gpu_common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::library_not_allowed {
namespace {

// Libraries that other distributions contain, by the prefix of their soname.
struct Carrier {
  std::string_view start, wheel;
};
constexpr Carrier carriers[] = {
    {"libcudart.", "nvidia-cuda-runtime"},
    {"libcublas", "nvidia-cublas"},
    {"libcudnn", "nvidia-cudnn"},
    {"libcufft", "nvidia-cufft"},
    {"libcurand.", "nvidia-curand"},
    {"libcusolver", "nvidia-cusolver"},
    {"libcusparse", "nvidia-cusparse"},
    {"libcupti.", "nvidia-cuda-cupti"},
    {"libcufile", "nvidia-cufile"},
    {"libnvrtc", "nvidia-cuda-nvrtc"},
    {"libnvJitLink.", "nvidia-nvjitlink"},
    {"libnccl.", "nvidia-nccl"},
    {"libtorch", "torch"},
    {"libc10", "torch"},
    {"libarrow", "pyarrow"},
    {"libtbb", "tbb"},
    {"libmkl_", "mkl"},
};
constexpr std::string_view driver[] = {"libcuda.so", "libnvidia-ml.so", "libnvcuvid.so", "libamdhip64.so"};
constexpr std::string_view other_libc[] = {"libc.", "ld-", "ld64."};

std::string fix_of(std::string_view library) {
  const auto starts = [&](std::string_view start) { return library.starts_with(start); };
  if (std::ranges::any_of(other_libc, starts))
    return "it is the C library of other systems: build the file on a system that the tag names";
  if (std::ranges::any_of(driver, starts))
    return fmt::format(
        "it belongs to the GPU driver, which no wheel may carry: open it with dlopen, or declare it with "
        "--external {}",
        shell_word(library));
  const auto* const carrier = std::ranges::find_if(carriers, starts, &Carrier::start);
  if (carrier != std::end(carriers))
    return fmt::format(
        "the wheel {0} carries it: depend on that and declare it with --provider {0}=WHEEL, or with "
        "--external {1}",
        carrier->wheel, shell_word(library));
  return fmt::format(
      "bundle it with auditwheel repair, link it statically, or declare who provides it: --provider DIST=WHEEL or "
      "--external {}",
      shell_word(library));
}

// METADATA requires a distribution that is known to carry it.
std::string fix_of_brought(std::string_view library, std::string_view distribution) {
  return fmt::format(
      "{} of Requires-Dist provides it: declare that in the configuration (external), or with --external {}",
      distribution, shell_word(library));
}

void check(const WheelView& view, const Emit& emit) {
  const NeededMap needed = needed_by_name(view);
  for (const UnmetRequirement<LibraryRequirement>& unmet_requirement :
       unmet_requirements_of<LibraryRequirement>(view)) {
    const std::string& library = unmet_requirement.ask->library;
    if (is_libpython(library)) continue;                                                  // WC510
    if (is_for_other_libc(view, view.wheel.elfs[unmet_requirement.elf.value])) continue;  // WC110
    const auto found = needed.find({unmet_requirement.elf, library});
    if (found != needed.end() && found->second->unreached) continue;  // WC506
    const std::optional<ElfIndex> copy = bundled_copy(view, library);
    std::vector<Evidence> evidence{{"library", library}, {"blocks", tags_of(unmet_requirement.claims)}};
    if (copy) evidence.push_back({"bundled as", std::string(path_of(view, *copy))});
    const Asked brought = copy || !view.wheel.metadata ? Asked{} : how_asked(view, holders_of(view, library));
    if (!brought.distribution.empty()) {
      evidence.push_back({"required distribution", brought.distribution});
      if (!brought.extras.empty()) evidence.push_back({"required under", "extra:" + *brought.extras.begin()});
    }
    emit({.place = AtElf{unmet_requirement.elf},
          .message = fmt::format("needs {}, which neither the wheel nor {} provides", library,
                                 strictest(unmet_requirement.claims).text),
          .evidence = std::move(evidence),
          .fix = copy                           ? path_repair(view, unmet_requirement.elf)
                 : brought.distribution.empty() ? fix_of(library)
                                                : fix_of_brought(library, brought.distribution),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC103",
    .name = "library-not-allowed",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::library_not_allowed
