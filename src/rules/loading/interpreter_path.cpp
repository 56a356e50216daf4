// WC514: a program requires a loader (PT_INTERP) at a path that other systems do not have.
#include <fmt/format.h>

#include "rules/common.h"
#include "rules/loading/standard_loader.h"

namespace wheelcheck::rules::interpreter_path {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::Executable || !elf.facts.interpreter) return;
    const std::string_view standard = standard_loader(elf);
    if (standard.empty() || *elf.facts.interpreter == standard) return;
    emit({.place = AtElf{index},
          .message =
              fmt::format("names the loader {}, but systems of this machine have {}", *elf.facts.interpreter, standard),
          .evidence = {},
          .fix = fmt::format("patchelf --set-interpreter {} {}", standard, shell_word(path_of(view, index))),
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC514",
    .name = "interpreter-path",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::interpreter_path
