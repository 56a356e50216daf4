// WC707: machine code under a name that says text.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    if (!elf.disguised) continue;
    emit({.place = AtElf{ElfIndex{i}},
          .message = fmt::format("is an ELF file ({}) under the name of a text", name_of(elf.role)),
          .evidence = {},
          .fix = "give it the name of what it is: .so for a library, no suffix for a program",
          .severity = {}});
  }
}

}  // namespace

extern const Rule elf_disguised{
    .code = "WC707",
    .name = "elf-disguised",
    .severity = Severity::Warning,
    .summary = "An ELF file has a name that says text or source.",
    .why =
        "A file that starts with the ELF magic and ends in .py, .txt or .json is passed over by most tools that audit "
        "a "
        "wheel: auditwheel, for one, does not open files named .py. Nothing honest needs such a name.",
    .remedy = "Rename the file. If nobody knows where it comes from, find out before the wheel is published.",
    .false_positives = "Test data of tools that read ELF files.",
    .check = check,
};

}  // namespace wheelcheck::rules
