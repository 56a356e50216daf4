// WC603: a segment is both writable and executable.
#include "rules/common.h"

namespace wheelcheck::rules::writable_executable {
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

extern const Rule rule{
    .code = "WC603",
    .name = "writable-executable",
    .severity = Severity::Warning,
    .security = "5.5",
    .check = check,
};

}  // namespace wheelcheck::rules::writable_executable
