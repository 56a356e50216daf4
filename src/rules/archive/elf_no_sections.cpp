// WC709: a remark about files that most other tools see nothing in.
#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.has_sections) return;
    emit({.place = AtElf{index},
          .message = "has no section headers, so tools that look for sections see nothing in it",
          .evidence = {},
          .fix = "strip with strip --strip-unneeded, which keeps the section headers",
          .severity = {}});
  });
}

}  // namespace

extern const Rule elf_no_sections{
    .code = "WC709",
    .name = "elf-no-sections",
    .severity = Severity::Info,
    .summary = "An ELF file has no section headers.",
    .why =
        "The loader does not need section headers, and neither does this program. Tools that find symbols and versions "
        "by "
        "the names of sections see an empty file: auditwheel calls a library without them manylinux_2_5, whatever it "
        "needs.",
    .remedy =
        "Nothing has to be done. To help others, strip with `strip --strip-unneeded` rather than `sstrip` or "
        "`--strip-section-headers`.",
    .false_positives = "Packed and hand-made programs lack them by nature.",
    .check = check,
};

}  // namespace wheelcheck::rules
