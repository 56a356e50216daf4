// WC405: one file uses libraries of two major versions of a toolkit.
#include <fmt/format.h>

#include <algorithm>

#include "rules/gpu/gpu_common.h"

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
  const std::set<std::string> asked = asked_for(view);
  Majors result;
  for (const auto& [distribution, majors] : by_distribution) {
    if (majors.size() == 1 && asked.contains(std::string(distribution)))
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
  const auto elfs = elf_by_member(view);
  for (const auto& [member, references] : references_by_member(view)) {
    const auto elf = elfs.find(member);
    if (elf == elfs.end()) continue;
    for (const auto& [vendor, versions] : versions_by_vendor(references)) {
      Majors found = mixed(versions);
      if (found.empty() && vendor == "cuda" && !versions.linked.empty() && !required.empty() &&
          !meet(versions.linked, required)) {
        found = versions.linked;
        for (const auto& [major, names] : required) found[major].insert(names.begin(), names.end());
      }
      if (!found.empty()) report(emit, elf->second, vendor, found);
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
