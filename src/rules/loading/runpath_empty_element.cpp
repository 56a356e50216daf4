// WC501: an empty element of a search path is the current directory.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const EffectivePath path = effective_path(elf.facts);
    std::vector<std::string_view> kept = path.elements;
    const auto empty = static_cast<std::size_t>(std::erase_if(kept, [](std::string_view e) { return e.empty(); }));
    if (empty == 0) return;
    // musl passes over empty elements (ldso/dynlink.c, path_open).
    const bool musl = elf.libc == Libc::Musl;
    emit({.place = AtElf{index},
          .message = fmt::format("{} has {}, which {}", path.kind, count_of(empty, "empty element"),
                                 musl ? "only musl passes over" : "means the current directory"),
          .evidence = {{"search path", fmt::format("{}", fmt::join(path.elements, ":"))}},
          .fix = set_path_command(path, kept, path_of(view, index)),
          .severity = musl || !is_searched(elf) ? Severity::Warning : Severity::Error});
  });
}

}  // namespace

extern const Rule runpath_empty_element{
    .code = "WC501",
    .name = "runpath-empty-element",
    .severity = Severity::Error,
    .summary = "A search path has an empty element, which means the current directory.",
    .why =
        "`::`, or a colon at the start or the end of DT_RUNPATH or DT_RPATH, tells glibc to look in the directory that "
        "the process happens to stand in (elf/dl-load.c, fillin_rpath). Whoever can put a file there, in a download "
        "directory or a shared scratch space, chooses the code that is loaded (CWE-426).",
    .remedy =
        "Set the path anew without the empty element: `patchelf --set-rpath '$ORIGIN/../NAME.libs' FILE`. In CMake "
        "look for an empty variable in an INSTALL_RPATH list, in a shell for `$LD_RUN_PATH:` with the variable "
        "unset.",
    .false_positives =
        "None known. A path of no characters at all is ignored by the loader and by this rule. musl passes "
        "over empty elements, so files for musl get a warning, and so do libraries that need nothing but what the "
        "interpreter has loaded already (libc, libm ...) and call no dlopen: their path is not used yet. Where "
        "DT_RUNPATH is present, DT_RPATH is "
        "not looked at, as the loader does.",
    .check = check,
};

}  // namespace wheelcheck::rules
