// Whether the import of a wheel ends on a processor with SIGILL: compares what the processor has with the instructions
// that loading its files reaches (elf/startup_code.cpp).
#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "model/imported_files.h"
#include "wheelcheck/processors.h"

namespace wheelcheck {
namespace {

using When = LackingFeature::When;

bool has(const std::vector<std::string>& features, std::string_view feature) {
  return std::ranges::find(features, feature) != features.end();
}

// 1 to 4: x86-64 psABI, "micro-architecture levels".
unsigned level_of(const KnownProcessor& processor) {
  static constexpr std::pair<std::string_view, unsigned> needed[] = {
      {"SSE3", 2}, {"SSSE3", 2}, {"SSE4.1", 2}, {"SSE4.2", 2}, {"POPCNT", 2}, {"CMPXCHG16B", 2}, {"AVX", 3},
      {"AVX2", 3}, {"BMI", 3},   {"BMI2", 3},   {"F16C", 3},   {"FMA", 3},    {"MOVBE", 3},      {"AVX-512", 4}};
  unsigned level = 4;
  for (const auto& [feature, of] : needed)
    if (!has(processor.features, feature)) level = std::min(level, of - 1);
  return level;
}

void add_file(ElfIndex index, const ElfFacts& facts, const KnownProcessor& processor, ProcessorCompatibility& out) {
  if (const unsigned level = level_of(processor); (facts.x86_isa_needed >> level) != 0)
    out.lacking.push_back({.when = When::Refused,
                           .file = index,
                           .feature = "x86-64-v" + std::to_string(std::bit_width(facts.x86_isa_needed)),
                           .instruction = {},
                           .function = {},
                           .entry = {}});
  for (const StartupInstruction& one : facts.startup) {
    if (has(processor.features, one.feature)) continue;
    const bool sure = one.certain && !has(processor.options, one.feature);
    out.lacking.push_back({.when = sure ? When::Import : When::Maybe,
                           .file = index,
                           .feature = one.feature,
                           .instruction = one.instruction,
                           .function = one.function,
                           .entry = one.entry,
                           .address = one.address});
  }
  if (facts.startup_cut) out.unread.push_back(index);
  if (!facts.vector_code) return;
  const std::string feature = facts.vector_code->x86_level == 4 ? "AVX-512" : "AVX";
  if (!has(processor.features, feature))
    out.lacking.push_back({.when = When::Call,
                           .file = index,
                           .feature = feature,
                           .instruction = {},
                           .function = facts.vector_code->function,
                           .entry = {},
                           .address = facts.vector_code->address});
}

}  // namespace

ProcessorCompatibility processor_compatibility_of(const WheelReport& wheel, const KnownProcessor& processor) {
  ProcessorCompatibility out;
  const ImportedFiles imported(wheel.facts);
  std::set<Arch> others;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ElfMember& elf = wheel.facts.elfs[i];
    if (!is_host_code(elf)) continue;
    if (elf.facts.arch != processor.arch) {
      others.insert(elf.facts.arch);
      continue;
    }
    ++out.files;
    if (imported.contains(ElfIndex{i})) add_file(ElfIndex{i}, elf.facts, processor, out);
  }
  out.not_judged.assign(others.begin(), others.end());
  std::ranges::stable_sort(out.lacking, {}, &LackingFeature::when);
  const auto is_sure = [](const LackingFeature& one) { return one.when == When::Import || one.when == When::Refused; };
  if (std::ranges::any_of(out.lacking, is_sure))
    out.runs = Runs::No;
  else if (!out.lacking.empty() || !out.unread.empty() || (out.files == 0 && !others.empty()))
    out.runs = Runs::Depends;
  return out;
}

}  // namespace wheelcheck
