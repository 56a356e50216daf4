// WC603: memory that can be written to and run.
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.segments.writable_code) return;
    emit({.place = AtElf{index},
          .message = "has a segment that is both writable and executable",
          .evidence = {},
          .fix =
              "link without -Wl,-N (--omagic) and without a linker script of your own; lld and GNU ld then keep code "
              "and data apart",
          .severity = {}});
  });
}

}  // namespace

extern const Rule writable_executable{
    .code = "WC603",
    .name = "writable-executable",
    .severity = Severity::Warning,
    .summary = "A segment of the file is mapped writable and executable.",
    .why =
        "Whoever can make the process write to a wrong address can then write code and have it run, which the "
        "protection of pages is there to prevent. Systems with SELinux's execmem or with memory-deny-write-execute "
        "refuse to map such a file. A linker script, `--omagic` or a packer is the usual cause.",
    .remedy =
        "Link without `-Wl,-N` and without a linker script that puts code and data into one segment. Look at the "
        "segments with `readelf -lW FILE`.",
    .false_positives = "A program that was packed, or that changes its own code on purpose.",
    .check = check,
};

}  // namespace wheelcheck::rules
