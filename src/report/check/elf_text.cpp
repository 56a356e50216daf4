// The facts of one ELF file as text: what it is, its highest versions with who asks, and how each DT_NEEDED was found.
#include "report/check/elf_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/text.h"
#include "report/shared/unmet_requirement.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t symbols_of_need = 3;

std::string isa_text(std::uint32_t needed) {
  if ((needed & 8u) != 0) return "x86-64-v4";
  if ((needed & 4u) != 0) return "x86-64-v3";
  return (needed & 2u) != 0 ? "x86-64-v2" : "";
}

std::string how_text(const Subject& subject, ElfIndex self, const NeededFound& needed) {
  std::string of;
  if (needed.by && *needed.by != ElfRef{WheelIndex{0}, self}) of = fmt::format(" of {}", elf_path(subject, *needed.by));
  switch (needed.how) {
    case How::Rpath:
      return fmt::format("RPATH {}{}", escape(needed.element), of);
    case How::Runpath:
      return fmt::format("RUNPATH {}{}", escape(needed.element), of);
    case How::AlreadyLoaded:
      return "loaded earlier by its soname";
    case How::Path:
      return "by its path";
    case How::None:
      break;
  }
  return "no search path";
}

// Libraries with the same answer share a line: the platform's first names are of little interest one by one.
std::vector<std::pair<std::string, std::string>> needed_rows(const Subject& subject, const LibraryLevels& levels,
                                                             ElfIndex elf) {
  std::vector<std::pair<std::string, std::string>> rows;
  if (elf.value >= subject.wheel.resolution.needed.size()) return rows;
  for (const NeededFound& needed : subject.wheel.resolution.needed[elf.value]) {
    const std::string text = found_text(subject, levels, elf, needed);
    const auto same = std::ranges::find(rows, text, &std::pair<std::string, std::string>::second);
    if (same == rows.end())
      rows.emplace_back(escape(needed.name), text);
    else
      same->first += ", " + escape(needed.name);
  }
  std::ranges::stable_partition(rows, [](const auto& row) { return row.second != "from the platform"; });
  return rows;
}

void add_needed(std::string& out, const Subject& subject, const LibraryLevels& levels, ElfIndex elf,
                const Paint& paint) {
  std::string_view label = "needs";
  for (const auto& [names, text] : needed_rows(subject, levels, elf)) {
    const bool missing = is_missing(text);
    const std::string line = wrapped(names + " => " + text, 13, 15);
    out += fmt::format("    {:<9}{}\n", label, missing ? paint.yellow(line) : line);
    label = "";
  }
}

void add_versions(std::string& out, const WheelReport& wheel, ElfIndex elf, const Paint& paint) {
  const auto floors = floors_of(wheel, elf);
  std::size_t width = 0;
  for (const auto& [family, floor] : floors) width = std::max(width, columns(escape(floor.node)));
  width = std::min<std::size_t>(width, 40);
  std::string_view label = "requires";
  for (const auto& [family, floor] : floors) {
    std::vector<std::string> symbols;
    for (const std::string_view symbol : floor.symbols) symbols.push_back(escape(symbol));
    const std::string node = escape(floor.node);
    const std::string names =
        symbols.empty() ? "no symbol names it" : first_few(symbols, symbols_of_need, line_width - 15 - width);
    out += fmt::format("    {:<9}{}  {}\n", label,
                       paint.cyan(node) + std::string(width - std::min(width, columns(node)), ' '),
                       wrapped(names, 15 + std::max(width, columns(node)), 15 + width));
    label = "";
  }
}

void add_flaws(std::string& out, const ElfFacts& facts, const Paint& paint) {
  for (const Flaw& flaw : facts.flaws) {
    const std::string line = wrapped(fmt::format("{}: {}", name_of(flaw.area), escape(flaw.reason)), 13, 15);
    out += fmt::format("    {:<9}{}\n", "flaw", flaw.fatal ? paint.red(line) : paint.yellow(line));
  }
}

}  // namespace

std::string identity_text(const ElfMember& elf) {
  const ElfFacts& facts = elf.facts;
  std::vector<std::string> parts = {std::holds_alternative<BundledLibrary>(elf.role) ? "bundled library"
                                                                                     : escape(name_of(elf.role))};
  const bool plain = facts.use == MachineUse::Host && facts.arch != Arch::Other;
  if (plain)
    parts.emplace_back(name_of(facts.arch));
  else if (!facts.machine_name.empty())
    parts.push_back(escape(facts.machine_name));
  if (elf.libc != Libc::None)
    parts.emplace_back(name_of(elf.libc));
  else if (facts.use == MachineUse::Host && facts.dynamic)
    parts.emplace_back("no C library named");
  if (facts.dynamic && facts.dynamic->soname) parts.push_back(fmt::format("soname {}", escape(*facts.dynamic->soname)));
  if (const std::string isa = isa_text(facts.x86_isa_needed); !isa.empty()) parts.push_back(isa);
  if (facts.segments.executable_stack == true) parts.emplace_back("executable stack");
  if (!facts.dynamic && facts.kind == ElfKind::Executable) parts.emplace_back("statically linked");
  if (!facts.has_sections) parts.emplace_back("no section headers");
  if (elf.disguised) parts.emplace_back("not named as ELF");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string found_text(const Subject& subject, const LibraryLevels& levels, ElfIndex self, const NeededFound& needed) {
  if (needed.provider)
    return fmt::format("{} ({})", elf_path(subject, *needed.provider), how_text(subject, self, needed));
  if (needed.found == Found::InProcess) return "from the platform";
  if (needed.found == Found::Declared) return "another distribution (--external)";
  const std::string_view tag_result = levels.of(self, needed.name);
  std::string out = "not in the wheel";
  if (tag_result.starts_with("allowed by every"))
    out = "from the platform";
  else if (!tag_result.empty())
    out = fmt::format("{}, {}", tag_result.starts_with("allowed by no ") ? "not in the wheel" : "from the platform",
                      tag_result);
  if (needed.unreached)
    out +=
        fmt::format("; {} answers to that name, but no search path leads there", elf_path(subject, *needed.unreached));
  return out;
}

bool is_missing(std::string_view found_text) { return found_text.starts_with("not in the wheel"); }

LibraryLevels::LibraryLevels(const WheelReport& wheel) : assessment_(wheel.facts.elfs.size()) {
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i) {
    const Assessment& assessment = wheel.assessments[i];
    for (std::uint32_t r = 0; r < assessment.requirements.size(); ++r) {
      const Requirement& requirement = assessment.requirements[r];
      if (requirement.elf.value < assessment_.size()) assessment_[requirement.elf.value] = i;
      const auto* asks = std::get_if<LibraryRequirement>(&requirement.what);
      if (asks == nullptr) continue;
      const auto [at, fresh] = text_.try_emplace({i, asks->library});
      if (fresh) at->second = allowed_by(assessment, RequirementIndex{r});
    }
  }
}

std::string_view LibraryLevels::of(ElfIndex elf, std::string_view library) const {
  if (elf.value >= assessment_.size() || !assessment_[elf.value]) return "";
  const auto at = text_.find(std::pair<std::size_t, std::string>(*assessment_[elf.value], library));
  return at == text_.end() ? std::string_view() : at->second;
}

std::string elf_text(const Subject& subject, const LibraryLevels& levels, ElfIndex elf, const Paint& paint) {
  const ElfMember& member = subject.wheel.facts.elfs[elf.value];
  std::string out =
      fmt::format("  {}\n    {}\n", paint.bold(elf_path(subject.wheel.facts, elf)), identity_text(member));
  add_versions(out, subject.wheel, elf, paint);
  add_needed(out, subject, levels, elf, paint);
  add_flaws(out, member.facts, paint);
  return out;
}

}  // namespace wheelcheck::report
