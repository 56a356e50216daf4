// WC708: what could not be read in an ELF file, or is read differently by the loader and by other readers.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void report(const Emit& emit, ElfIndex index, const Flaw& flaw, bool unreadable) {
  const bool fatal = flaw.fatal || unreadable;
  emit({.place = AtElf{index},
        .message = fmt::format("{} {}: {}", fatal ? "malformed" : "odd", name_of(flaw.area), flaw.reason),
        .evidence = {{"area", std::string(name_of(flaw.area))}},
        .fix = fatal ? "build or copy the file again: it is damaged, or was changed by a tool that broke it"
                     : "link the file again without the tool that changed it",
        .severity = fatal ? Severity::Error : Severity::Warning});
}

void check(const WheelView& view, const Emit& emit) {
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    const bool unreadable = std::holds_alternative<BrokenElf>(elf.role);
    if (!unreadable && !is_judged(elf)) continue;
    for (const Flaw& flaw : elf.facts.flaws) report(emit, ElfIndex{i}, flaw, unreadable);
    if (unreadable && elf.facts.flaws.empty())
      report(emit, ElfIndex{i}, {ElfArea::Header, true, "it cannot be read"}, unreadable);
  }
}

}  // namespace

extern const Rule elf_malformed{
    .code = "WC708",
    .name = "elf-malformed",
    .severity = Severity::Error,
    .summary = "An ELF file is damaged, or says one thing to the loader and another to other readers.",
    .why =
        "A truncated file, headers that lead out of it or tables that run in circles make the loader refuse the file "
        "or "
        "bind it wrongly. Where only other readers are misled (a wrong DT_STRSZ, a second PT_DYNAMIC, counts that the "
        "loader does not use), the file loads, but an audit with them sees another file than the one that runs; that "
        "is a warning.",
    .remedy =
        "Build or copy the file again. Look for strip, objcopy, a packer or a binary patch between the linker and "
        "the wheel.",
    .false_positives = "None known for damage. Device code, objects and split debug information are not examined.",
    .check = check,
};

}  // namespace wheelcheck::rules
