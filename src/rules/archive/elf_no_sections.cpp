// WC709: an ELF file without section headers, in which most other tools find nothing.
#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::elf_no_sections {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.has_sections || std::ranges::any_of(elf.facts.flaws, &Flaw::fatal)) return;  // WC708
    emit({.place = AtElf{index},
          .message = "has no section headers in the file, so tools that look for sections find nothing in it",
          .evidence = {},
          .fix = "use strip --strip-unneeded, which leaves the section headers; build a truncated file again",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC709",
    .name = "elf-no-sections",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::elf_no_sections
