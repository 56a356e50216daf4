// WC116: code was compiled for a newer processor than the tag allows, according to the compiler's record in the file,
// or because all of its vector instructions are newer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "model/imported_files.h"
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

struct NativeFile {
  ElfIndex index;
  const VectorCode* code;
};

// One finding for a wheel: its files were usually compiled with the same flags.
void report_vector_code(const std::vector<NativeFile>& all, const WheelView& view, const Emit& emit) {
  if (all.empty()) return;
  const auto [index, code] = *std::ranges::max_element(
      all, {}, [](const NativeFile& one) { return std::pair(one.code->x86_level, one.code->count); });
  const std::string_view set = code->x86_level == 4 ? "AVX-512" : "AVX";
  const std::string_view least = code->cut ? "at least " : "";
  std::vector<Evidence> evidence{{"instructions", fmt::format("{}{} of {}", least, code->count, set)},
                                 {"first at", fmt::format("{:#x}", code->address)}};
  if (!code->function.empty()) evidence.push_back({"nearest exported function", code->function});
  std::vector<std::string> files;
  for (const NativeFile& one : all)
    if (one.index != index) files.emplace_back(path_of(view, one.index));
  if (!files.empty()) evidence.push_back({"also", list_of(files)});
  emit({.place = AtElf{index},
        .message = fmt::format("contains {}{} {} instructions, but nothing that tests the processor: below x86-64-v{} "
                               "a call can end the process with SIGILL{}",
                               least, code->count, set, code->x86_level,
                               files.empty() ? "" : fmt::format(" (also {})", count_of(files.size(), "other file"))),
        .evidence = std::move(evidence),
        .fix = "compile without -march=native, -mavx and the like (CMAKE_CXX_FLAGS, CFLAGS), or use -march=x86-64, and "
               "newer instructions only in functions that a test of CPUID selects",
        .severity = {}});
}

void check(const WheelView& view, const Emit& emit) {
  const unsigned allowed = allowed_x86_level(view);
  if (!claimed_archs(view).contains(Arch::x86_64)) return;
  const std::set<std::string_view> needed = needed_names(view);
  std::vector<NativeFile> whole;
  bool known = false;  // WC120 or a flag of the compiler says it
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::vector<std::string_view>& marches = elf.facts.sections.marches;
    if (elf.facts.arch != Arch::x86_64 || elf.facts.x86_isa_needed > 1) return;  // WC111
    const bool at_import =
        std::ranges::any_of(elf.facts.startup, [&](const StartupInstruction& one) { return one.x86_level > allowed; });
    known = known || at_import;
    if (marches.empty() && !elf.facts.vector_code) return;
    if (!is_loaded(view, needed, elf) || is_named_for_a_processor(path_of(view, index))) return;
    if (at_import) return;  // WC120
    if (elf.facts.vector_code && elf.facts.vector_code->x86_level > allowed)
      whole.push_back({index, &*elf.facts.vector_code});
    if (marches.empty()) return;
    unsigned least = 4;
    std::vector<std::string> flags;
    for (const std::string_view march : marches) {
      const std::optional<unsigned> level = level_of(march);
      if (!level) return;
      least = std::min(least, *level);
      flags.push_back(fmt::format("-march={}", march));
    }
    // A part that was compiled for the baseline may select the other parts at run time.
    if (least <= allowed) return;
    known = true;
    emit({.place = AtElf{index},
          .message = fmt::format(
              "was compiled with {} and requires an x86-64-v{} processor, but its tag allows only {}", first_of(flags),
              least, allowed > 1 ? fmt::format("x86-64-v{}", allowed) : std::string("the baseline")),
          .evidence = {{"compiler flags", list_of(flags)}},
          .fix = "compile with -march=x86-64 and choose faster code at run time (function multiversioning), or publish "
                 "a variant for this processor",
          .severity = {}});
  });
  if (!known) report_vector_code(whole, view, emit);
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
