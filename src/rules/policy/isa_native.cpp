// WC116: code was compiled for a newer processor than the tag allows, according to the compiler's record in the file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "rules/common.h"
#include "rules/policy/processor_name.h"

namespace wheelcheck::rules::isa_native {
namespace {

// The minimum x86-64 level of a processor with this name (GCC manual, "x86 Options", and the x86-64 psABI); 1 is the
// baseline. nullopt for an unknown name, which is not reported.
std::optional<unsigned> level_of(std::string_view march) {
  struct Known {
    std::string_view name;
    unsigned level;
  };
  static constexpr std::array<Known, 49> known{{{"alderlake", 3},
                                                {"arrowlake", 3},
                                                {"athlon64", 1},
                                                {"athlon64-sse3", 1},
                                                {"barcelona", 1},
                                                {"bdver1", 2},
                                                {"bdver2", 2},
                                                {"bdver3", 2},
                                                {"bdver4", 3},
                                                {"bonnell", 1},
                                                {"broadwell", 3},
                                                {"btver1", 1},
                                                {"btver2", 2},
                                                {"cannonlake", 4},
                                                {"cascadelake", 4},
                                                {"cooperlake", 4},
                                                {"core-avx-i", 2},
                                                {"core-avx2", 3},
                                                {"core2", 1},
                                                {"corei7", 2},
                                                {"corei7-avx", 2},
                                                {"emeraldrapids", 4},
                                                {"goldmont", 2},
                                                {"graniterapids", 4},
                                                {"haswell", 3},
                                                {"icelake-client", 4},
                                                {"icelake-server", 4},
                                                {"ivybridge", 2},
                                                {"k8", 1},
                                                {"k8-sse3", 1},
                                                {"native", 2},
                                                {"nehalem", 2},
                                                {"nocona", 1},
                                                {"opteron", 1},
                                                {"rocketlake", 4},
                                                {"sandybridge", 2},
                                                {"sapphirerapids", 4},
                                                {"silvermont", 2},
                                                {"skylake", 3},
                                                {"skylake-avx512", 4},
                                                {"tigerlake", 4},
                                                {"westmere", 2},
                                                {"x86-64", 1},
                                                {"x86-64-v2", 2},
                                                {"x86-64-v3", 3},
                                                {"x86-64-v4", 4},
                                                {"znver1", 3},
                                                {"znver2", 3},
                                                {"znver3", 3}}};
  if (march.empty()) return 1;
  if (march == "znver4" || march == "znver5") return 4;
  const auto* const at = std::ranges::find(known, march, &Known::name);
  return at == known.end() ? std::nullopt : std::optional(at->level);
}

void check(const WheelView& view, const Emit& emit) {
  if (!claimed_archs(view).contains(Arch::x86_64)) return;
  const std::set<std::string_view> needed = needed_names(view);
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::vector<std::string_view>& marches = elf.facts.sections.marches;
    if (elf.facts.arch != Arch::x86_64 || marches.empty() || elf.facts.x86_isa_needed > 1) return;  // WC111
    if (!is_loaded(view, needed, elf) || is_named_for_a_processor(path_of(view, index))) return;
    unsigned least = 4;
    std::vector<std::string> flags;
    for (const std::string_view march : marches) {
      const std::optional<unsigned> level = level_of(march);
      if (!level) return;
      least = std::min(least, *level);
      flags.push_back(fmt::format("-march={}", march));
    }
    // A part that was compiled for the baseline may select the other parts at run time.
    if (least <= std::max(1U, view.wheel.variant_x86_level)) return;
    emit({.place = AtElf{index},
          .message =
              fmt::format("was compiled with {} and requires an x86-64-v{} processor, but its tag allows only {}",
                          first_of(flags), least,
                          view.wheel.variant_x86_level > 1 ? fmt::format("x86-64-v{}", view.wheel.variant_x86_level)
                                                           : std::string("the baseline")),
          .evidence = {{"compiler flags", list_of(flags)}},
          .fix = "compile with -march=x86-64 and choose faster code at run time (function multiversioning), or publish "
                 "a variant for this processor",
          .severity = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC116",
    .name = "isa-native",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::isa_native
