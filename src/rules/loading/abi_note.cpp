// WC517: the ABI note of a library names a later kernel than the systems of the tag run, or another system.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "rules/common.h"

namespace wheelcheck::rules::abi_note {
namespace {

using Kernel = std::array<std::uint32_t, 3>;

// The kernel of the first long-term release of a distribution with that glibc: CentOS 5, 6 and 7, Debian 9, Ubuntu
// 18.04, RHEL 8, Ubuntu 20.04, RHEL 9, Ubuntu 22.04.
struct System {
  Version glibc;
  Kernel kernel;
};
constexpr System systems[] = {{{{2, 5}}, {2, 6, 18}}, {{{2, 12}}, {2, 6, 32}}, {{{2, 17}}, {3, 10, 0}},
                              {{{2, 24}}, {4, 9, 0}}, {{{2, 27}}, {4, 15, 0}}, {{{2, 28}}, {4, 18, 0}},
                              {{{2, 31}}, {5, 4, 0}}, {{{2, 34}}, {5, 14, 0}}, {{{2, 35}}, {5, 15, 0}}};
// The last release that reads the note.
constexpr Version last_reader{{2, 35}};

std::string text(const Kernel& kernel) { return fmt::format("{}.{}.{}", kernel[0], kernel[1], kernel[2]); }

// The claim with the oldest glibc that reads the note.
const Claim* oldest_claim(const WheelView& view) {
  const Claim* oldest = nullptr;
  for (const Claim& claim : view.claims) {
    const bool reads = claim.tag.family == PlatformTag::Family::Manylinux && claim.tag.libc <= last_reader;
    if (reads && (oldest == nullptr || claim.tag.libc < oldest->tag.libc)) oldest = &claim;
  }
  return oldest;
}

void check(const WheelView& view, const Emit& emit) {
  const Claim* const claim = oldest_claim(view);
  if (claim == nullptr) return;
  const auto* const after = std::ranges::upper_bound(systems, claim->tag.libc, {}, &System::glibc);
  const Kernel& runs = (after == std::begin(systems) ? systems : std::prev(after))->kernel;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.abi_note || elf.facts.kind != ElfKind::SharedObject) return;
    if (elf.libc == Libc::Musl || elf.libc == Libc::Bionic) return;
    const AbiNote& note = *elf.facts.abi_note;
    const Kernel built_for{note.major, note.minor, note.patch};
    const bool linux = note.system == 0;
    if (linux && built_for <= runs) return;
    emit(
        {.place = AtElf{index},
         .message = linux ? fmt::format("is marked as built for Linux {} and later; glibc before 2.36 does not open it "
                                        "on an older kernel",
                                        text(built_for))
                          : "is marked as built for another system than Linux; glibc before 2.36 does not open it",
         .evidence = {{"tag", fmt::format("{}: systems with Linux {}", claim->tag.text, text(runs))},
                      {"ld.so", "cannot open shared object file: No such file or directory"}},
         .fix = "remove the note if the code also works on older kernels: objcopy --remove-section .note.ABI-tag " +
                shell_word(path_of(view, index)),
         .severity = linux && built_for <= std::prev(std::end(systems))->kernel ? Severity::Warning : Severity::Error});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC517",
    .name = "abi-note",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::abi_note
