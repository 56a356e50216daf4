// WC120: importing a module executes instructions of newer processors than the tag promises.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "model/imported_files.h"
#include "rules/common.h"
#include "rules/policy/processor_name.h"

namespace wheelcheck::rules::isa_at_import {
namespace {

// Only some processors of 2003 and 2004 lack it.
bool is_old(const StartupInstruction& one) { return one.feature == "SSE3" || one.feature == "CMPXCHG16B"; }

// Of equal ones, what most processors lack.
std::tuple<bool, bool, std::uint32_t, const FeatureGroup*> rank_of(const StartupInstruction& one) {
  return {!is_old(one), one.certain, one.x86_level, find_feature(one.feature)};
}

struct AtImport {
  ElfIndex index;
  const ElfMember* elf;
  const StartupInstruction* worst;
  auto rank() const { return rank_of(*worst); }
};

// A certain instruction, then the one of the newest processors; null if all are allowed.
const StartupInstruction* worst_of(const ElfFacts& facts, unsigned allowed) {
  const StartupInstruction* worst = nullptr;
  for (const StartupInstruction& one : facts.startup) {
    if (facts.arch == Arch::x86_64 && one.x86_level <= allowed) continue;
    if (worst == nullptr || rank_of(*worst) < rank_of(one)) worst = &one;
  }
  return worst;
}

std::vector<std::string> flags_of(const std::vector<AtImport>& all) {
  std::vector<std::string> flags;
  for (const AtImport& one : all)
    for (const std::string_view march : one.elf->facts.sections.marches)
      if (!march.empty() && march != "x86-64" && march != "armv8-a") flags.push_back(fmt::format("-march={}", march));
  std::ranges::sort(flags);
  flags.erase(std::ranges::unique(flags).begin(), flags.end());
  return flags;
}

// The compiler of AlmaLinux 9, in the image of manylinux_2_34, compiles for x86-64-v2 unless a flag says otherwise.
bool may_be_the_image(const WheelView& view) {
  return std::ranges::any_of(view.claims, [](const Claim& claim) {
    return claim.tag.family == PlatformTag::Family::Manylinux && claim.tag.libc >= Version{{2, 34}};
  });
}

std::string fix_of(const std::vector<std::string>& flags, bool arm, bool image) {
  if (image)
    return "compile with -march=x86-64, which the compiler of the manylinux_2_34 image does not do by default, or "
           "build in the manylinux_2_28 image";
  if (flags.empty())
    return arm ? "compile without -march=native, -mcpu and the like (CMAKE_CXX_FLAGS, CFLAGS, RUSTFLAGS with "
                 "target-cpu), "
                 "with -moutline-atomics, and newer instructions only in functions that getauxval(AT_HWCAP) selects"
               : "compile without -march=native, -march=x86-64-v2, -mavx and the like (CMAKE_CXX_FLAGS, CFLAGS, "
                 "RUSTFLAGS with "
                 "target-cpu), or only the functions that a test of CPUID selects";
  return fmt::format(
      "compile without {}; use -march={}, and newer instructions only in functions that a test of {} selects",
      first_of(flags), arm ? "armv8-a" : "x86-64", arm ? "getauxval(AT_HWCAP)" : "CPUID");
}

// "vaddps (AVX, of x86-64-v3)"; "AVX instructions (of x86-64-v3)" where the code was not read again for the name.
std::string what_of(const StartupInstruction& one) {
  const std::string level = one.x86_level == 0 ? "" : fmt::format("of x86-64-v{}", one.x86_level);
  if (one.instruction.empty())
    return level.empty() ? fmt::format("{} instructions", one.feature)
                         : fmt::format("{} instructions ({})", one.feature, level);
  return fmt::format("{} ({}{}{})", one.instruction, one.feature, level.empty() ? "" : ", ", level);
}

// One finding for a machine: the files of a wheel were usually compiled with the same flags.
void report(const std::vector<AtImport>& all, const WheelView& view, const Emit& emit) {
  if (all.empty()) return;
  const AtImport worst = *std::ranges::max_element(all, {}, &AtImport::rank);
  const StartupInstruction& one = *worst.worst;
  std::vector<Evidence> evidence{
      {"instruction", fmt::format("{} at {:#x}", one.instruction.empty() ? one.feature : one.instruction, one.address)},
      {"reached from", one.entry}};
  if (!one.function.empty()) evidence.push_back({"in function", one.function});
  std::vector<std::string> files;
  for (const AtImport& other : all)
    if (other.index != worst.index) files.emplace_back(path_of(view, other.index));
  const std::vector<std::string> flags = flags_of(all);
  if (!flags.empty()) evidence.push_back({"compiler flags", list_of(flags)});
  if (!files.empty()) evidence.push_back({"also", list_of(files)});
  const std::string also = files.empty() ? "" : fmt::format(" (also {})", count_of(files.size(), "other file"));
  emit({.place = AtElf{worst.index},
        .message = one.certain
                       ? fmt::format("its import executes {}: without it ({}) the process ends with SIGILL{}",
                                     what_of(one), machines_without(one.feature), also)
                       : fmt::format("its import reaches {} without a test of the processor: without it ({}) the "
                                     "process can end with SIGILL{}",
                                     what_of(one), machines_without(one.feature), also),
        .evidence = std::move(evidence),
        .fix = fix_of(flags, one.x86_level == 0, one.x86_level == 2 && flags.empty() && may_be_the_image(view)),
        // Processors below x86-64-v2 are from before 2011, and distributions such as RHEL 9 refuse them as well.
        .severity = is_old(one)                         ? Severity::Note
                    : one.certain && one.x86_level != 2 ? Severity::Error
                                                        : Severity::Warning});
}

void check(const WheelView& view, const Emit& emit) {
  const ImportedFiles imported(view.wheel);
  const unsigned allowed = allowed_x86_level(view);
  for (const Arch arch : {Arch::x86_64, Arch::aarch64}) {
    if (!claimed_archs(view).contains(arch)) continue;
    std::vector<AtImport> all;
    for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
      if (elf.facts.arch != arch || (elf.facts.startup.empty() && !elf.facts.startup_cut)) return;
      if (elf.facts.x86_isa_needed > 1 || !imported.contains(index)) return;  // WC111
      if (const StartupInstruction* const worst = worst_of(elf.facts, allowed))
        all.push_back({index, &elf, worst});
      else if (elf.facts.startup_cut)
        emit({.place = AtElf{index},
              .message = "the code that its import runs is too large or too scattered to be read: whether older "
                         "processors have all of its instructions is not known",
              .fix = "import it on the oldest processor that the tag allows, or with qemu-user and its -cpu option",
              .severity = Severity::Note});
    });
    report(all, view, emit);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC120",
    .name = "isa-at-import",
    .severity = Severity::Error,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::isa_at_import
