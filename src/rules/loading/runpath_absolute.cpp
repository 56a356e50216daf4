// WC503: an element of a search path is a directory of the build machine.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::runpath_absolute {
namespace {

bool is_below(std::string_view element, std::string_view directory) {
  return element.starts_with(directory) && (element.size() == directory.size() || element[directory.size()] == '/');
}

bool anyone_can_write(std::string_view element) {
  constexpr std::string_view shared[] = {"/tmp", "/var/tmp", "/dev/shm", "/usr/tmp"};
  return std::ranges::any_of(shared, [&](std::string_view directory) { return is_below(element, directory); });
}

// Directories that exist only on build machines. On a user's machine, another user may be able to create some of them.
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

// An empty element or a relative one is an error of its own (WC501, WC502), whose command removes this element too.
bool is_of_an_error(std::string_view element) { return !element.starts_with('/') && !starts_at_origin(element); }

std::optional<Severity> severity_of(const ElfMember& elf, const EffectivePath& path, std::string_view worst) {
  if (!is_searched(elf)) return Severity::Info;
  const bool minor = std::ranges::any_of(path.elements, is_of_an_error) && !anyone_can_write(worst);
  return minor ? std::optional(Severity::Info) : std::nullopt;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    std::vector<std::string> absolute;
    for (const std::string_view element : path.elements)
      if (element.starts_with('/')) absolute.emplace_back(element);
    if (absolute.empty()) return;
    // The worst elements are put first, so that the message contains them.
    std::ranges::stable_partition(absolute, [](const std::string& e) { return is_of_a_build(e); });
    std::ranges::stable_partition(absolute, [](const std::string& e) { return anyone_can_write(e); });
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}{}", path.kind, first_of(absolute), grade({absolute.front()})),
          .evidence = {{"search path", list_of(absolute)}},
          .fix = path_repair(view, index),
          .severity = severity_of(elf, path, absolute.front())});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC503",
    .name = "runpath-absolute",
    .severity = Severity::Warning,
    .security = "7.3",
    .check = check,
};

}  // namespace wheelcheck::rules::runpath_absolute
