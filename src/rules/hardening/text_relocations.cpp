// WC602: a library whose code the loader has to change as it loads.
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || !elf.facts.dynamic->flags.text_relocations) return;
    emit({.place = AtElf{index},
          .message = "has relocations in its code (DT_TEXTREL)",
          .evidence = {},
          .fix = "compile everything that goes into it with -fPIC, and link with -Wl,-z,text to be told what was not",
          .severity = {}});
  });
}

}  // namespace

extern const Rule text_relocations{
    .code = "WC602",
    .name = "text-relocations",
    .severity = Severity::Warning,
    .summary = "The loader has to make the code of a file writable and change it.",
    .why =
        "Code that was not compiled with -fPIC holds addresses that are filled in at load time. SELinux denies the "
        "change (execmod), Android does not support it, and where it works each process gets a copy of the code "
        "of its own. Hand-written assembly and static archives built for programs are the usual cause.",
    .remedy =
        "Compile all objects and static archives that go into the library with `-fPIC`. `-Wl,-z,text` turns the remark "
        "of the linker into an error that names the object.",
    .false_positives =
        "None known for the fact. A library that is never loaded on a hardened system works all the same.",
    .check = check,
};

}  // namespace wheelcheck::rules
