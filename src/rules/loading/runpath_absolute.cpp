// WC503: an element of a search path that names a directory of the build machine.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

bool is_below(std::string_view element, std::string_view directory) {
  return element.starts_with(directory) && (element.size() == directory.size() || element[directory.size()] == '/');
}

bool anyone_can_write(std::string_view element) {
  constexpr std::string_view shared[] = {"/tmp", "/var/tmp", "/dev/shm", "/usr/tmp"};
  return std::ranges::any_of(shared, [&](std::string_view directory) { return is_below(element, directory); });
}

// Directories that only a build machine has; on a user's machine another user may create some of them.
bool is_of_a_build(std::string_view element) {
  constexpr std::string_view build[] = {"/home",    "/root",   "/__w", "/build",         "/github",
                                        "/project", "/builds", "/io",  "/opt/_internal", "/Users"};
  return std::ranges::any_of(build, [&](std::string_view directory) { return is_below(element, directory); });
}

std::string_view grade(const std::vector<std::string>& elements) {
  if (std::ranges::any_of(elements, anyone_can_write)) return ", where every user can plant a library";
  if (std::ranges::any_of(elements, is_of_a_build)) return ", a directory of the build machine";
  return "";
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    std::vector<std::string> absolute;
    std::vector<std::string_view> kept;
    for (const std::string_view element : path.elements)
      element.starts_with('/') ? static_cast<void>(absolute.emplace_back(element)) : kept.push_back(element);
    if (absolute.empty()) return;
    // The worst stands first, so that the message names it.
    std::ranges::stable_partition(absolute, [](const std::string& e) { return is_of_a_build(e); });
    std::ranges::stable_partition(absolute, [](const std::string& e) { return anyone_can_write(e); });
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}{}", path.kind, first_of(absolute), grade({absolute.front()})),
          .evidence = {{"search path", list_of(absolute)}},
          .fix = set_path_command(path, kept, path_of(view, index)),
          .severity = {}});
  });
}

}  // namespace

extern const Rule runpath_absolute{
    .code = "WC503",
    .name = "runpath-absolute",
    .severity = Severity::Warning,
    .summary = "A search path has an absolute element, a directory of the build machine.",
    .why =
        "A wheel is installed anywhere, so an absolute element of DT_RUNPATH or DT_RPATH points at a directory that "
        "the "
        "wheel does not own. It is probed in vain at every load; and whoever can create it on a user's machine, under "
        "/tmp most easily, chooses the code that is loaded. It also tells where the wheel was built.",
    .remedy =
        "Drop it: `patchelf --remove-rpath FILE`, or keep only the elements that start at `$ORIGIN`. In CMake set "
        "`CMAKE_INSTALL_RPATH` and leave `CMAKE_INSTALL_RPATH_USE_LINK_PATH` off.",
    .false_positives =
        "A directory that the package documents, such as /usr/local/cuda/lib64. One popular wheel in ten "
        "has such an element, so it is a warning wherever the directory lies; the message says where other "
        "users can write to it.",
    .check = check,
};

}  // namespace wheelcheck::rules
