// WC708: parts of an ELF file that could not be read, or that the loader and other readers interpret differently.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules::elf_malformed {
namespace {

std::string in_words(const Flaw& flaw, bool fatal) {
  return fmt::format("{} {}: {}", fatal ? "malformed" : "odd", name_of(flaw.area), flaw.reason);
}

// One finding for each file: the message is the first of its most severe flaws, the others are evidence.
void report(const Emit& emit, ElfIndex index, std::span<const Flaw> flaws, bool unreadable) {
  const auto worst = std::ranges::find(flaws, true, &Flaw::fatal);
  const Flaw& first = worst == flaws.end() ? flaws.front() : *worst;
  const bool fatal = first.fatal || unreadable;
  // The loader skips a note that it cannot parse; old releases of patchelf produced such build IDs.
  const bool only_notes = std::ranges::all_of(flaws, [](const Flaw& flaw) { return flaw.area == ElfArea::Notes; });
  Emit::Draft draft{.place = AtElf{index},
                    .message = in_words(first, fatal),
                    .evidence = {},
                    .fix = fatal ? "build or copy the file again: it is damaged, or a tool changed it incorrectly"
                                 : "link the file again without the tool that changed it",
                    .severity = !fatal && only_notes ? Severity::Info : Severity::Error};
  for (const Flaw& flaw : flaws)
    if (&flaw != &first) draft.evidence.push_back({"also", in_words(flaw, flaw.fatal || unreadable)});
  emit(std::move(draft));
}

void check(const WheelView& view, const Emit& emit) {
  const std::vector<Flaw> nothing_said = {{ElfArea::Header, true, "it cannot be read"}};
  for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
    const ElfMember& elf = view.wheel.elfs[i];
    const bool unreadable = std::holds_alternative<BrokenElf>(elf.role);
    if (!unreadable && !is_host_code(elf)) continue;
    if (!elf.facts.flaws.empty()) report(emit, ElfIndex{i}, elf.facts.flaws, unreadable);
    if (unreadable && elf.facts.flaws.empty()) report(emit, ElfIndex{i}, nothing_said, true);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC708",
    .name = "elf-malformed",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::elf_malformed
