// WC601: a library that makes the loader turn the stack executable, which new loaders refuse to do.
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

// What a file without PT_GNU_STACK asks for: DEFAULT_STACK_PERMS of glibc's sysdeps/*/stackinfo.h.
bool means_executable_by_default(Arch arch) {
  switch (arch) {
    case Arch::x86_64:
    case Arch::i686:
    case Arch::armv7l:
    case Arch::armv6l:
    case Arch::s390x:
      return true;
    case Arch::aarch64:
    case Arch::ppc64le:
    case Arch::ppc64:
    case Arch::riscv64:
    case Arch::loongarch64:
    case Arch::Other:
      break;
  }
  return false;
}

std::string_view what_it_asks(const ElfMember& elf) {
  const std::optional<bool> stack = elf.facts.segments.executable_stack;
  if (stack) return *stack ? "asks for an executable stack" : "";
  return means_executable_by_default(elf.facts.arch)
             ? "has no PT_GNU_STACK header, which asks for an executable stack on this machine"
             : "";
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject && elf.facts.kind != ElfKind::Executable) return;
    const std::string_view message = what_it_asks(elf);
    if (message.empty()) return;
    // A program gets its stack from the kernel, and musl never changes the stack for a library it opens.
    const bool refused = elf.facts.kind == ElfKind::SharedObject && elf.libc != Libc::Musl;
    emit({.place = AtElf{index},
          .message = std::string(message),
          .evidence = {},
          .fix = "link with -Wl,-z,noexecstack, or mend the file: patchelf --clear-execstack " +
                 shell_word(path_of(view, index)),
          .severity = refused ? Severity::Error : Severity::Warning});
  });
}

}  // namespace

extern const Rule executable_stack{
    .code = "WC601",
    .name = "executable-stack",
    .severity = Severity::Error,
    .summary = "A file asks for an executable stack.",
    .why =
        "glibc 2.41 and newer refuse to open such a library (`cannot enable executable stack as shared object "
        "requires`), and SELinux refuses it on older systems; where it does load, every thread loses the protection "
        "of a stack that cannot be run. One assembly file without a `.note.GNU-stack` section is enough to cause it. "
        "A file without a PT_GNU_STACK header asks for the machine's default, which is executable on x86, 32-bit ARM "
        "and s390x.",
    .remedy =
        "Add `.section .note.GNU-stack,\"\",@progbits` to hand-written assembly, or link with "
        "`-Wl,-z,noexecstack`. To mend a built file: `patchelf --clear-execstack FILE`. Code that really runs from "
        "the stack (nested functions in GNU C) has to be rewritten.",
    .false_positives =
        "None known for libraries under glibc. Programs, and files built for musl, are a warning: the "
        "kernel and musl do not refuse them.",
    .check = check,
};

}  // namespace wheelcheck::rules
