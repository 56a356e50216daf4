// WC502: an element of a search path that depends on the current directory.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

bool is_relative(std::string_view element) {
  return !element.empty() && !element.starts_with('/') && !starts_at_origin(element);
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    std::vector<std::string> relative;
    std::vector<std::string_view> kept;
    for (const std::string_view element : path.elements)
      is_relative(element) ? static_cast<void>(relative.emplace_back(element)) : kept.push_back(element);
    if (relative.empty()) return;
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}, which depends on the current directory", path.kind, first_of(relative)),
          .evidence = {{"search path", list_of(relative)}},
          .fix = set_path_command(path, kept, path_of(view, index)),
          .severity = is_searched(elf) ? Severity::Error : Severity::Warning});
  });
}

}  // namespace

extern const Rule runpath_relative{
    .code = "WC502",
    .name = "runpath-relative",
    .severity = Severity::Error,
    .summary = "A search path has a relative element, which depends on the current directory.",
    .why =
        "An element of DT_RUNPATH or DT_RPATH that starts neither with `/` nor with `$ORIGIN` is looked up from the "
        "directory that the process happens to stand in. It does not find what it was written for once the wheel is "
        "installed, and whoever can write to that directory chooses the code that is loaded (CWE-426). `$LIB` and "
        "`$PLATFORM` at the start are relative too.",
    .remedy =
        "Write it from the file itself: `patchelf --set-rpath '$ORIGIN/../NAME.libs' FILE`. In a makefile or shell "
        "check that `$ORIGIN` was not expanded to nothing: it needs quotes.",
    .false_positives =
        "None known. Libraries that need nothing but what the interpreter has loaded already (libc, libm ...) and call "
        "no dlopen get a warning: their path is not used yet.",
    .check = check,
};

}  // namespace wheelcheck::rules
