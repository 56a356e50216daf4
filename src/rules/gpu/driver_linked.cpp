// WC401: DT_NEEDED contains a library of the GPU driver, so the file cannot be loaded on a machine without that driver.
#include <fmt/format.h>

#include <algorithm>

#include "rules/gpu/gpu_common.h"
#include "rules/load_closure.h"

namespace wheelcheck::rules::driver_linked {
namespace {

// ROCm's runtime is not part of the kernel driver, but no wheel on PyPI contains it either.
bool only_with_the_device(const GpuReference& one) {
  return one.driver || (one.vendor == "rocm" && one.provided_by.empty());
}

std::string fix_of(const std::vector<const GpuReference*>& linked) {
  std::vector<std::string> names, flags;
  bool cuda = false;
  for (const GpuReference* one : linked) {
    names.push_back(one->name);
    flags.push_back(link_flag(one->stem));
    cuda = cuda || one->stem == "libcuda";
  }
  return fmt::format(
      "leave {} out of the link line and open {} with dlopen when the GPU is used{}", fmt::join(distinct(flags), " "),
      fmt::join(distinct(names), ", "),
      cuda ? "; cudaGetDriverEntryPoint of the CUDA runtime returns the driver's functions without linking" : "");
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<ElfIndex> imported = loaded_by_import(view);
  const NeededMap needed = needed_by_name(view);
  const auto elfs = elf_by_member(view);
  for (const auto& [member, references] : references_by_member(view)) {
    const auto elf = elfs.find(member);
    if (elf == elfs.end()) continue;
    std::vector<const GpuReference*> linked;
    std::vector<std::string> names;
    for (const GpuReference* one : references) {
      if (one->use != GpuUse::Needed || !only_with_the_device(*one)) continue;
      const auto found = needed.find({elf->second, one->name});
      if (found == needed.end() || found->second->found != Found::Outside) continue;
      linked.push_back(one);
      names.push_back(one->name);
    }
    if (linked.empty()) continue;
    const bool by_import = imported.contains(elf->second);
    const bool driver = linked.front()->driver;
    emit({.place = AtElf{elf->second},
          .message = fmt::format("links {}, which only a machine with {}{} has", first_of(names),
                                 driver && linked.front()->vendor == "cuda" ? "the NVIDIA driver"
                                 : driver                                   ? "the GPU's driver"
                                                                            : "ROCm",
                                 driver ? "" : " installed"),
          .evidence = {{"libraries", list_of(names)},
                       {"loaded", by_import ? "when the package's modules are imported"
                                            : "by no extension module; Python or another library opens it"}},
          .fix = fix_of(linked),
          .severity = by_import ? Severity::Error : Severity::Warning});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC401",
    .name = "driver-linked",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::driver_linked
