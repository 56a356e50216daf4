#include "rules/gpu/gpu_common.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "model/requires_dist.h"

namespace wheelcheck::rules {

ByMember references_by_member(const WheelView& view) {
  ByMember result;
  for (const GpuReference& one : view.analysis.gpu)
    if (one.member) result[*one.member].push_back(&one);
  return result;
}

std::optional<ElfIndex> elf_at(const WheelView& view, MemberIndex member) {
  const auto at = std::ranges::lower_bound(view.wheel.elfs, member, {}, &ElfMember::member);
  if (at == view.wheel.elfs.end() || at->member != member) return std::nullopt;
  return ElfIndex{static_cast<std::uint32_t>(at - view.wheel.elfs.begin())};
}

bool is_only_with_the_device(const GpuReference& one) {
  return one.driver || ((one.vendor == "rocm" || one.vendor == "cann") && one.provided_by.empty());
}

Place place_of(const WheelView& view, MemberIndex member) {
  if (const std::optional<ElfIndex> elf = elf_at(view, member)) return AtElf{*elf};
  return AtMember{member};
}

std::string_view vendor_name(std::string_view vendor) {
  if (vendor == "cuda") return "CUDA";
  if (vendor == "rocm") return "ROCm";
  if (vendor == "cann") return "CANN";
  if (vendor == "oneapi") return "oneAPI";
  return "OpenCL";
}

std::string link_flag(std::string_view stem) {
  return "-l" + std::string(stem.starts_with("lib") ? stem.substr(3) : stem);
}

namespace {

// Some libraries have the same name in the distributions for each CUDA major (librmm-cu12, librmm-cu13). The wheel's
// other requirements say which one it is for.
void keep_those_of_the_cuda_major(const WheelView& view, std::vector<std::string>& distributions) {
  std::set<std::string_view> majors;
  for (const GpuReference& one : view.analysis.gpu)
    if (one.use == GpuUse::Needed && one.stem == "libcudart" && !one.major.empty()) majors.insert(one.major);
  if (majors.size() != 1) return;
  const std::string suffix = fmt::format("-cu{}", *majors.begin());
  const auto fits = [&](const std::string& name) { return name.ends_with(suffix); };
  if (std::ranges::any_of(distributions, fits)) std::erase_if(distributions, std::not_fn(fits));
}

}  // namespace

std::vector<std::string> holders_of(const WheelView& view, std::string_view library) {
  for (const GpuReference& one : view.analysis.gpu)
    if (one.use == GpuUse::Needed && one.name == library) return one.provided_by;
  std::vector<std::string> result;
  for (const KnownDistribution& one : view.knowledge.distributions)
    if (std::ranges::any_of(one.sonames, [&](std::string_view p) { return glob_match(p, library); }))
      result.emplace_back(one.name);
  keep_those_of_the_cuda_major(view, result);
  return result;
}

std::set<std::string> asked_for(const WheelView& view) {
  std::set<std::string> result;
  if (!view.wheel.metadata) return result;
  for (const std::string& line : view.wheel.metadata->requires_dist)
    if (Dependency dependency = parse_dependency(line); dependency.for_linux) result.insert(std::move(dependency.name));
  return result;
}

std::string own_name(const WheelView& view) { return normal_project_name(view.wheel.name.distribution); }

std::vector<std::string> distinct(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  const auto rest = std::ranges::unique(texts);
  texts.erase(rest.begin(), rest.end());
  return texts;
}

}  // namespace wheelcheck::rules
