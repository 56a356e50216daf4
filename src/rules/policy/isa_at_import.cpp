// WC120: importing a module executes instructions of newer processors than the tag promises.
#include <fmt/format.h>

#include <algorithm>

#include "model/import_checks.h"
#include "rules/common.h"
#include "rules/policy/processor_name.h"

namespace wheelcheck::rules::isa_at_import {
namespace {

struct Found {
  ElfIndex index;
  const ElfMember* elf;
};

// The files that are named for a processor and that no other file loads in any case. Python code chooses among them.
class ChosenFiles {
 public:
  explicit ChosenFiles(const WheelView& view) : view_(view) {
    for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
      if (is_named_for_a_processor(path_of(view, index))) return;
      if (elf.facts.dynamic) needed_.insert(elf.facts.dynamic->needed.begin(), elf.facts.dynamic->needed.end());
      for (const std::string_view module : cython_modules(elf.facts.interfaces)) imported_.insert(module);
    });
  }
  bool contains(ElfIndex index, const ElfMember& elf) const {
    if (!is_named_for_a_processor(path_of(view_, index))) return false;
    const auto* const module = std::get_if<ExtensionModule>(&elf.role);
    return module != nullptr ? !imported_.contains(module->module) : !is_loaded(view_, needed_, elf);
  }

 private:
  const WheelView& view_;
  std::set<std::string_view> needed_, imported_;  // DT_NEEDED; modules that modules of Cython import
};

// One finding for a wheel: its files were usually compiled with the same flags.
void check(const WheelView& view, const Emit& emit) {
  if (!claimed_archs(view).contains(Arch::x86_64)) return;
  const std::set<std::string_view> needed = needed_names(view);
  const ChosenFiles chosen(view);
  std::vector<Found> all;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    const std::optional<StartupInstruction>& found = elf.facts.startup;
    if (!found || elf.facts.arch != Arch::x86_64 || elf.facts.x86_isa_needed > 1) return;  // WC111
    if (found->x86_level <= view.wheel.variant_x86_level) return;
    if (is_loaded(view, needed, elf) && !chosen.contains(index, elf)) all.push_back({index, &elf});
  });
  if (all.empty()) return;
  const auto level = [](const Found& one) { return one.elf->facts.startup->x86_level; };
  const Found worst = *std::ranges::max_element(all, {}, level);
  const StartupInstruction& instruction = *worst.elf->facts.startup;
  std::vector<Evidence> evidence{{"instruction at", fmt::format("{:#x}", instruction.address)},
                                 {"reached from", instruction.entry}};
  std::vector<std::string> flags, files;
  for (const Found& one : all) {
    if (one.index != worst.index) files.emplace_back(path_of(view, one.index));
    for (const std::string_view march : one.elf->facts.sections.marches)
      if (!march.empty() && march != "x86-64") flags.push_back(fmt::format("-march={}", march));
  }
  std::ranges::sort(flags);
  flags.erase(std::ranges::unique(flags).begin(), flags.end());
  if (!flags.empty()) evidence.push_back({"compiler flags", list_of(flags)});
  if (!files.empty()) evidence.push_back({"also", list_of(files)});
  emit({.place = AtElf{worst.index},
        .message = fmt::format("its import reaches {} instructions without a test of the processor: below x86-64-v{} "
                               "the process can end with SIGILL{}",
                               instruction.x86_level == 4 ? "AVX-512" : "AVX or BMI", instruction.x86_level,
                               files.empty() ? "" : fmt::format(" (also {})", count_of(files.size(), "other file"))),
        .evidence = std::move(evidence),
        .fix = flags.empty() ? "compile without -march=native, -mavx and the like (CMAKE_CXX_FLAGS, CFLAGS, RUSTFLAGS "
                               "with target-cpu), or only the functions that a test of CPUID selects"
                             : fmt::format("compile without {}; use -march=x86-64, and newer instructions only in "
                                           "functions that a test of CPUID selects",
                                           first_of(flags)),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC120",
    .name = "isa-at-import",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::isa_at_import
