// WC824: a file requires a library that the tag allows, but that a minimal installation does not have.
#include <fmt/format.h>

#include <algorithm>

#include "model/graphics_stack.h"
#include "model/library_name.h"
#include "rules/common.h"

namespace wheelcheck::rules::library_often_absent {
namespace {

// The runtime of GCC, zlib and expat come with CPython or with the package manager.
bool is_part_of_minimal_system(std::string_view library) {
  constexpr std::string_view names[] = {"libexpat.so.1", "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1"};
  return is_of_glibc(library) || std::ranges::find(names, library) != std::end(names);
}

// libGL.so.1 needs libGLX.so.0 and libGLdispatch.so.0, which a repair would bundle with it (WC408).
std::string fix_of(const std::string& library) {
  if (library != "libGL.so.1" && graphics_library(library).empty())
    return fmt::format("bundle {}, or name its package in the README", library);
  return fmt::format(
      "name the package of {} in the README, or open it with dlopen where it is used; do not bundle it: it "
      "belongs to the graphics driver (WC408)",
      library);
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<ElfIndex> imported = loaded_by_import(view);
  std::map<std::string, std::set<std::string>> files;  // by library
  std::set<std::string> fatal;                         // libraries without which an import fails
  for (const Assessment& assessment : view.assessments) {
    if (assessment.family != PlatformTag::Family::Manylinux || assessment.levels.size() < 2) continue;
    std::vector<bool> is_unmet(assessment.requirements.size());
    for (const RequirementIndex unmet : assessment.levels[1].unmet_requirements) is_unmet[unmet.value] = true;
    for (std::uint32_t i = 0; i < assessment.requirements.size(); ++i) {
      const auto* const ask = std::get_if<LibraryRequirement>(&assessment.requirements[i].what);
      if (ask == nullptr || is_part_of_minimal_system(ask->library)) continue;
      if (is_unmet[i]) continue;  // WC103
      files[ask->library].emplace(path_of(view, assessment.requirements[i].elf));
      if (imported.contains(assessment.requirements[i].elf)) fatal.insert(ask->library);
    }
  }
  for (const auto& [library, paths] : files) {
    const std::vector<std::string> list(paths.begin(), paths.end());
    emit({.place = WholeWheel{},
          .message = fmt::format("requires {}, which the tags allow but containers often do not have{}", library,
                                 fatal.contains(library) ? ": an import fails there" : ""),
          .evidence = {{"library", library}, {"required by", list_of(list)}},
          .fix = fix_of(library),
          .severity = fatal.contains(library) ? Severity::Warning : Severity::Note});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC824",
    .name = "library-often-absent",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::library_often_absent
