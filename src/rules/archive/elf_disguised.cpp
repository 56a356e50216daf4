// WC707: machine code in a file whose name suggests text or data.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::elf_disguised {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    if (!elf.disguised) continue;
    emit({.place = AtElf{ElfIndex{i}},
          .message = fmt::format("is an ELF file ({}) with the name of a text file", name_of(elf.role)),
          .evidence = {},
          .fix = "rename it: .so for a library, no suffix for a program",
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC707",
    .name = "elf-disguised",
    .severity = Severity::Warning,
    .security = "5.3",
    .check = check,
};

}  // namespace wheelcheck::rules::elf_disguised
