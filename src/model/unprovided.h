// Libraries that a file needs and nobody is known to provide, and directories of users' systems that may contain them.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "wheelcheck/binding.h"
#include "wheelcheck/policy.h"

namespace wheelcheck {

// The DT_NEEDED libraries of the file, without those that are paths, that neither the wheel, nor a distribution, nor
// the newest level of a policy has, and those of an optional back end or of a device's toolkit. A directory of the
// system in the search path may lead to them.
inline std::vector<std::string_view> unprovided(const Resolution& resolution, std::span<const Assessment> assessments,
                                                ElfIndex file) {
  std::vector<std::string_view> out;
  if (file.value >= resolution.needed.size()) return out;
  const auto is_unmet = [&](const Assessment& assessment, std::string_view library) {
    if (assessment.levels.size() < 2) return false;  // the first is linux, the next one the newest
    return std::ranges::any_of(assessment.levels[1].unmet_requirements, [&](RequirementIndex index) {
      const Requirement& unmet = assessment.requirements[index.value];
      const auto* const what = std::get_if<LibraryRequirement>(&unmet.what);
      return what != nullptr && unmet.elf == file && what->library == library;
    });
  };
  for (const NeededFound& found : resolution.needed[file.value]) {
    // A driver is where the loader looks anyway, a toolkit such as ROCm is not.
    const LibrarySource* const source = found.source ? &resolution.sources[found.source->value] : nullptr;
    const bool of_machines =
        source != nullptr && (source->kind == LibrarySource::Kind::BackEnd ||
                              (source->kind == LibrarySource::Kind::Driver && !source->name.starts_with("the ")));
    if (of_machines ||
        (found.found == Found::Outside && !found.unreached && found.name.find('/') == found.name.npos &&
         std::ranges::any_of(assessments, [&](const Assessment& one) { return is_unmet(one, found.name); })))
      out.push_back(found.name);
  }
  return out;
}

// True if several files of the wheel have that soname, so that none of them is certainly the one that is needed.
inline bool is_ambiguous(const WheelFacts& wheel, std::string_view soname) {
  return std::ranges::count_if(wheel.elfs, [&](const ElfMember& elf) {
           return elf.facts.dynamic && elf.facts.dynamic->soname == soname;
         }) > 1;
}

// True if the element is in a directory where users install libraries: /usr/local/cuda/lib64, /opt/rocm/lib. A
// directory of build machines, such as a tool cache, is none.
inline bool is_of_a_system(std::string_view element) {
  constexpr std::string_view system[] = {"/usr/", "/opt/"};
  constexpr std::string_view builds[] = {"/usr/tmp", "/opt/_internal", "/opt/hostedtoolcache", "/opt/python",
                                         "/opt/rh/"};
  const auto begins = [&](std::string_view start) { return element.starts_with(start); };
  return std::ranges::any_of(system, begins) && std::ranges::none_of(builds, begins);
}

}  // namespace wheelcheck
