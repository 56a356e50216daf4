// The GPUs and the releases of a toolkit that the code of a file is for.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "rules/gpu/gpu_common.h"

// WC406: the GPUs that a file contains code for, and whether the required ones are among them.
namespace wheelcheck::rules::sm_coverage {
namespace {

// "sm_90a": 90 and 'a'. CUDA Programming Guide, "Compute Capability", "Family-Specific Features": code for 9.0a runs
// only on 9.0; code for 10.0f runs on the family, which is major version 10 from 10.0 on.
struct Target {
  unsigned capability = 0;
  char variant = 0;  // 'a', 'f', or 0 for none
  bool ptx = false;
};

std::optional<Target> target_of(const DeviceImage& image) {
  const bool ptx = image.kind == DeviceImage::Kind::Ptx;
  if (!ptx && image.kind != DeviceImage::Kind::Cubin) return std::nullopt;
  std::string_view text = image.target;
  const std::size_t at = text.find('_');
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + 1);
  Target result{.ptx = ptx};
  if (text.ends_with('a') || text.ends_with('f')) {
    result.variant = text.back();
    text.remove_suffix(1);
  }
  std::uint64_t number = 0;
  if (!parse_number(text, number) || number > 10'000) return std::nullopt;
  result.capability = static_cast<unsigned>(number);
  return result;
}

bool serves(const Target& target, unsigned capability) {
  if (target.variant == 'a') return target.capability == capability;
  if (capability < target.capability) return false;
  // The last digit is the minor version. PTX is compiled for any later GPU; a cubin runs within its major version.
  if (target.ptx && target.variant == 0) return true;
  return target.capability / 10 == capability / 10;
}

using Targets = std::vector<Target>;

Targets targets_of(const DeviceCode& device) {
  Targets result;
  for (const DeviceImage& image : device.images)
    if (const auto target = target_of(image)) result.push_back(*target);
  return result;
}

std::vector<unsigned> unserved(const Targets& targets, const std::vector<unsigned>& wanted) {
  std::vector<unsigned> result;
  for (const unsigned capability : wanted)
    if (std::ranges::none_of(targets, [&](const Target& target) { return serves(target, capability); }))
      result.push_back(capability);
  return result;
}

std::vector<std::string> names_of(const DeviceCode& device, DeviceImage::Kind kind) {
  std::vector<std::string> result;
  for (const DeviceImage& image : device.images)
    if (image.kind == kind) result.push_back(image.target == "compressed" ? "AMD GPUs (compressed)" : image.target);
  return result;
}

std::string gencode(const std::vector<unsigned>& capabilities) {
  std::vector<std::string> result;
  for (const unsigned one : capabilities) result.push_back(fmt::format("-gencode arch=compute_{0},code=sm_{0}", one));
  return fmt::format("{}", fmt::join(result, " "));
}

std::string sm_list(const std::vector<unsigned>& capabilities) {
  std::vector<std::string> result;
  for (const unsigned one : capabilities) result.push_back(fmt::format("sm_{}", one));
  return list_of(result);
}

std::string message_of(const DeviceCode& device) {
  std::vector<std::string> parts;
  const auto add = [&](DeviceImage::Kind kind, std::string_view what) {
    const std::vector<std::string> names = names_of(device, kind);
    if (names.empty()) return;
    parts.push_back(fmt::format("{}{}", what, list_of(names, 12)));
  };
  add(DeviceImage::Kind::Cubin, "code for ");
  add(DeviceImage::Kind::Ptx, "PTX for ");
  add(DeviceImage::Kind::AmdGpu, "code for ");
  return parts.empty() ? "" : fmt::format("contains {}", fmt::join(parts, " and "));
}

std::string fix_of(const DeviceCode& device, const std::vector<unsigned>& missing) {
  if (!missing.empty()) return fmt::format("compile it with {} too", gencode(missing));
  const Targets targets = targets_of(device);
  const auto newest = std::ranges::max_element(targets, {}, &Target::capability);
  const bool lasts = std::ranges::any_of(targets, [](const Target& one) { return one.ptx && one.variant == 0; });
  if (newest == targets.end() || lasts) return "nothing has to be changed";
  return fmt::format("for GPUs that are newer than the code add PTX: -gencode arch=compute_{0},code=compute_{0}",
                     newest->capability);
}

void check(const WheelView& view, const Emit& emit) {
  const std::vector<unsigned>& wanted = view.options.required_sm;
  Targets all;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const DeviceCode& device = elf.facts.device;
    const std::string message = message_of(device);
    if (message.empty()) return;
    const Targets targets = targets_of(device);
    all.insert(all.end(), targets.begin(), targets.end());
    const std::vector<unsigned> missing = targets.empty() ? std::vector<unsigned>() : unserved(targets, wanted);
    std::vector<Evidence> evidence{{"bytes", fmt::to_string(device.bytes)}};
    if (!missing.empty()) evidence.push_back({"not served", sm_list(missing)});
    emit({.place = AtElf{index},
          .message = missing.empty() ? message : fmt::format("{}, none for {}", message, sm_list(missing)),
          .evidence = std::move(evidence),
          .fix = fix_of(device, missing),
          .severity = missing.empty() ? Severity::Note : Severity::Warning});
  });
  if (wanted.empty() || all.empty()) return;
  const std::vector<unsigned> missing = unserved(all, wanted);
  if (missing.empty()) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("no file of the wheel contains code for {}", sm_list(missing)),
        .evidence = {{"required", sm_list(wanted)}},
        .fix = fmt::format("compile with {}", gencode(missing)),
        .severity = Severity::Error});
}

}  // namespace

extern const Rule rule{
    .code = "WC406",
    .name = "sm-coverage",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::sm_coverage

// WC405: one file uses libraries of two major versions of a toolkit.
namespace wheelcheck::rules::cuda_major_mixed {
namespace {

using Majors = std::map<std::string, std::set<std::string>>;  // major version -> the names that contain it

bool meet(const Majors& a, const Majors& b) {
  return std::ranges::any_of(a, [&](const auto& one) { return b.contains(one.first); });
}

// The references of one file to one vendor's toolkit.
struct VendorVersions {
  Majors linked;
  std::map<std::string, Majors> named;  // by stem
};

std::map<std::string, VendorVersions> versions_by_vendor(const std::vector<const GpuReference*>& references) {
  std::map<std::string, VendorVersions> result;
  for (const GpuReference* one : references) {
    if (one->major.empty() || one->line != 0) continue;
    VendorVersions& versions = result[one->vendor];
    if (one->use == GpuUse::Needed) versions.linked[one->major].insert(one->name);
    if (one->use == GpuUse::Dlopen || one->use == GpuUse::Named)
      versions.named[one->stem][one->major].insert(one->name);
  }
  return result;
}

// The major versions that cannot belong together. A library that is named with several major versions is searched with
// each of them, so it fits if one of them fits.
Majors mixed(const VendorVersions& versions) {
  Majors result;
  if (versions.linked.size() > 1) return versions.linked;
  Majors single;  // libraries that are named with only one major version
  for (const auto& [stem, majors] : versions.named) {
    if (majors.size() != 1) {
      if (versions.linked.empty()) return {};  // the file tries several versions
      if (meet(majors, versions.linked)) continue;
    }
    for (const auto& [major, names] : majors) single[major].insert(names.begin(), names.end());
  }
  for (const auto& [major, names] : versions.linked) single[major].insert(names.begin(), names.end());
  return single.size() > 1 ? single : result;
}

// The major versions of the nvidia-* distributions that METADATA requires.
Majors required_majors(const WheelView& view) {
  std::map<std::string_view, std::set<std::string_view>> by_distribution;
  for (const KnownGpuLibrary& library : view.knowledge.gpu)
    for (const GpuProvider& provider : library.providers)
      if (!provider.major.empty()) by_distribution[provider.distribution].insert(provider.major);
  const std::set<std::string> requested = asked_for(view);
  Majors result;
  for (const auto& [distribution, majors] : by_distribution) {
    if (majors.size() == 1 && requested.contains(std::string(distribution)))
      result[std::string(*majors.begin())].emplace(distribution);
  }
  return result;
}

std::string names_of(const std::set<std::string>& names) { return list_of({names.begin(), names.end()}, 4); }

void report(const Emit& emit, ElfIndex elf, std::string_view vendor, const Majors& majors) {
  std::vector<Evidence> evidence;
  std::vector<std::string> numbers;
  for (const auto& [major, names] : majors) {
    numbers.push_back(major);
    evidence.push_back({fmt::format("{} {}", vendor_name(vendor), major), names_of(names)});
  }
  emit({.place = AtElf{elf},
        .message = fmt::format("uses libraries of {} {}", vendor_name(vendor), fmt::join(numbers, " and ")),
        .evidence = std::move(evidence),
        .fix = fmt::format("build it with one toolkit, and name its libraries by that major version: {} {}",
                           vendor_name(vendor), numbers.back()),
        .severity = {}});
}

void check(const WheelView& view, const Emit& emit) {
  const Majors required = required_majors(view);
  for (const auto& [member, references] : references_by_member(view)) {
    const std::optional<ElfIndex> elf = elf_at(view, member);
    if (!elf) continue;
    for (const auto& [vendor, versions] : versions_by_vendor(references)) {
      Majors found = mixed(versions);
      if (found.empty() && vendor == "cuda" && !versions.linked.empty() && !required.empty() &&
          !meet(versions.linked, required)) {
        found = versions.linked;
        for (const auto& [major, names] : required) found[major].insert(names.begin(), names.end());
      }
      if (!found.empty()) report(emit, *elf, vendor, found);
    }
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC405",
    .name = "cuda-major-mixed",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::cuda_major_mixed
