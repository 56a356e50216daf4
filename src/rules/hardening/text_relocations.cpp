// WC602: a library whose code the loader must modify while loading.
#include "rules/common.h"

namespace wheelcheck::rules::text_relocations {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || !elf.facts.dynamic->flags.text_relocations) return;
    emit({.place = AtElf{index},
          .message = "has relocations in its code (DT_TEXTREL)",
          .evidence = {},
          .fix = "compile everything that goes into it with -fPIC, and link with -Wl,-z,text to find what was not",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC602",
    .name = "text-relocations",
    .severity = Severity::Warning,
    .security = "4.4",
    .check = check,
};

}  // namespace wheelcheck::rules::text_relocations
