// WC601: a library requires an executable stack, which new loaders refuse to provide.
#include <fmt/format.h>

#include "model/machines.h"
#include "rules/common.h"

namespace wheelcheck::rules::executable_stack {
namespace {

std::string_view what_it_asks(const ElfMember& elf) {
  const std::optional<bool> stack = elf.facts.segments.executable_stack;
  if (stack) return *stack ? "requires an executable stack" : "";
  return machine_of(elf.facts.arch).executable_stack
             ? "has no PT_GNU_STACK header, which means an executable stack on this machine"
             : "";
}

std::string fix_of(const WheelView& view, ElfIndex index, const ElfMember& elf) {
  if (!elf.facts.trampolines)
    return "link with -Wl,-z,noexecstack if the code has no nested functions (GNU C, Fortran), which run on the stack";
  if (*elf.facts.trampolines)
    return "its code runs on the stack and crashes if the flag is cleared: build it with gcc 14 or newer, "
           "-ftrampoline-impl=heap and -static-libgcc, or pass no nested functions as arguments";
  return fmt::format("link with -Wl,-z,noexecstack, or fix the file: patchelf --clear-execstack {}",
                     shell_word(path_of(view, index)));
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject && elf.facts.kind != ElfKind::Executable) return;
    const std::string_view message = what_it_asks(elf);
    if (message.empty() || is_program_for_elsewhere(view, elf)) return;
    // The kernel sets up the stack of a program, and musl never changes the stack for a library.
    const bool refused = elf.facts.kind == ElfKind::SharedObject && elf.libc != Libc::Musl;
    emit({.place = AtElf{index},
          .message = fmt::format("{}{}", message, refused ? ": glibc 2.41 and newer refuse to load it" : ""),
          .evidence = {},
          .fix = fix_of(view, index, elf),
          .severity = refused ? Severity::Error : Severity::Warning,
          .on = refused ? std::optional(SystemCondition{.from = "2.41"}) : std::nullopt});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC601",
    .name = "executable-stack",
    .severity = Severity::Error,
    .stops_import = true,
    .security = "5.5",
    .check = check,
};

}  // namespace wheelcheck::rules::executable_stack
