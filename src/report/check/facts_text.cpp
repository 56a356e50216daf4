// The facts and the analysis of a wheel and of each ELF file as text.
#include "report/check/facts_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "report/answers/symbols.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"

namespace wheelcheck::report {

namespace {

constexpr std::size_t max_foreign_files = 5;  // files named for each kind

constexpr std::size_t analysed_files = 5, shown_libraries = 6, analysed_scopes = 5, shown_calls = 20;
// A few exported functions are not reported; vtables and typeinfo are exported wherever a library is used.
constexpr std::uint32_t least_leak = 5;
constexpr std::size_t label_width = 13;  // four blanks, a label, a blank

bool is_leak(const LibraryCount& library) {
  return !library.own && !library.itself && library.exports - library.rtti >= least_leak;
}

std::string with_version(const ElfAnalysis& file, const LibraryCount& library) {
  const IdentifiedLibrary* const found = file.library(library.library);
  const std::string name = escape(library.name);
  return found != nullptr && found->version ? fmt::format("{} {}", name, escape(*found->version)) : name;
}

struct Leaks {
  ElfIndex elf;
  std::uint32_t exports = 0;  // of other libraries
  std::vector<std::string> libraries;
};

std::vector<Leaks> leaks_of(const WheelReport& wheel) {
  std::vector<Leaks> out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ElfAnalysis& file = analysis_of(wheel.analysis, ElfIndex{i});
    Leaks leaks{.elf = ElfIndex{i}, .libraries = {}};
    for (const LibraryCount& library : file.exports.libraries) {
      if (!is_leak(library)) continue;
      leaks.exports += library.exports;
      leaks.libraries.push_back(fmt::format("{} {}", library.exports, with_version(file, library)));
    }
    if (leaks.exports != 0) out.push_back(std::move(leaks));
  }
  std::ranges::stable_sort(out, [](const Leaks& a, const Leaks& b) { return a.exports > b.exports; });
  return out;
}

void add_line(std::string& out, std::string_view label, const std::string& text, const Paint& paint) {
  if (!text.empty()) out += fmt::format("    {:<9}{}\n", label, paint.wrapped(text, label_width, label_width + 2));
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ") {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string exports_line(const ExportSummary& exports) {
  if (exports.all == 0) return "";
  std::vector<std::string> parts;
  for (const ScopeCount& scope : exports.scopes)
    parts.push_back(fmt::format("{} {}", scope.exports, escape(scope_name(scope.scope))));
  if (exports.rust != 0) parts.push_back(fmt::format("{} Rust", exports.rust));
  if (exports.c != 0) parts.push_back(fmt::format("{} C", exports.c));
  return fmt::format("{}: {}", count_of(exports.all, "export"), first_few(parts, analysed_scopes));
}

std::string inside_line(const std::vector<IdentifiedLibrary>& libraries) {
  std::vector<std::string> parts;
  for (const IdentifiedLibrary& library : libraries) {
    std::string part = escape(library.name);
    if (library.version) part += " " + escape(*library.version);
    if (library.itself) part += " (is it)";
    if (library.confidence == Confidence::Low) part += " (perhaps)";
    parts.push_back(std::move(part));
  }
  return joined(parts);
}

std::string strings_text(StringAbi abi, std::string_view side) {
  if (abi == StringAbi::None) return "";
  const std::string_view word = abi == StringAbi::Both ? "old and new" : name_of(abi);
  return fmt::format("{} std::string in {}", word, side);
}

std::string cxx_line(const CxxAbi& cxx) {
  std::vector<std::string> parts;
  if (cxx.runtime != CxxRuntime::None) parts.emplace_back(name_of(cxx.runtime));
  for (std::string part : {strings_text(cxx.defined, "exports"), strings_text(cxx.imported, "imports")})
    if (!part.empty()) parts.push_back(std::move(part));
  if (cxx.early_cxx11) parts.emplace_back("C++11 of a GCC before 5");
  return joined(parts, "; ");
}

std::string compilers_line(const std::vector<Compiler>& compilers) {
  std::vector<std::string> parts;
  for (const Compiler& compiler : compilers)
    parts.push_back(compiler.version.empty() ? escape(compiler.name)
                                             : fmt::format("{} {}", escape(compiler.name), escape(compiler.version)));
  return first_few(parts, shown_libraries);
}

// A line such as "cubins for sm_80, sm_90a; PTX for compute_90; 9.7 kB; names libcuda.so.1".
std::string gpu_line(const WheelReport& wheel, ElfIndex elf) {
  const ElfMember& member = wheel.facts.elfs[elf.value];
  std::vector<std::string> targets, parts;
  for (const DeviceImage& image : member.facts.device.images) {
    const std::string target = fmt::format("{} {}", name_of(image.kind), escape(image.target));
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  }
  if (!targets.empty()) parts.push_back(first_few(targets, 12));
  if (member.facts.device.bytes != 0) parts.push_back(size_text(member.facts.device.bytes) + " of device code");
  std::map<GpuUse, std::vector<std::string>> names;
  for (const GpuReference& reference : wheel.analysis.gpu)
    if (reference.member == member.member) names[reference.use].push_back(escape(reference.name));
  for (const auto& [use, list] : names) parts.push_back(fmt::format("{}: {}", name_of(use), first_few(list, 8)));
  return joined(parts, "; ");
}

std::string call_text(const WheelFacts& wheel, const PythonFile& file, const PythonCall& call) {
  std::string out =
      fmt::format("{}:{}: {}", escape(wheel.members[file.member.value].path.text()), call.line, name_of(call.call));
  if (call.library) out += " " + escape(*call.library);
  if (call.global) out += ", RTLD_GLOBAL";
  return fmt::format("{} ({})", out, name_of(call.reach));
}

}  // namespace

std::string leaks_text(const WheelReport& wheel, const Paint& paint) {
  const std::vector<Leaks> all = leaks_of(wheel);
  if (all.empty()) return "";
  std::string out = fmt::format("\n{}\n", paint.bold("Exports of other libraries"));
  for (std::size_t i = 0; i < std::min(all.size(), analysed_files); ++i) {
    const Leaks& leaks = all[i];
    const std::uint32_t total = analysis_of(wheel.analysis, leaks.elf).exports.all;
    out += fmt::format("  {}\n    {}\n", paint.bold(elf_path(wheel.facts, leaks.elf)),
                       paint.wrapped(fmt::format("{} of {}: {}", leaks.exports, count_of(total, "export"),
                                                 first_few(leaks.libraries, shown_libraries)),
                                     4, 6));
  }
  if (all.size() <= analysed_files) return out;
  const std::string more =
      fmt::format("{} (wheelcheck symbols --by library)", count_of(all.size() - analysed_files, "more file"));
  return out + fmt::format("  {}\n", paint.dim(more));
}

std::string analysis_text(const WheelReport& wheel, ElfIndex elf, const Paint& paint) {
  const ElfAnalysis& file = analysis_of(wheel.analysis, elf);
  std::string out;
  add_line(out, "exports", exports_line(file.exports), paint);
  add_line(out, "contains", inside_line(file.libraries), paint);
  add_line(out, "C++", cxx_line(file.cxx), paint);
  add_line(out, "built", compilers_line(file.cxx.compilers), paint);
  add_line(out, "GPU", gpu_line(wheel, elf), paint);
  return out;
}

std::string python_text(const WheelReport& wheel, const Paint& paint) {
  std::vector<std::string> calls;
  for (const PythonFile& file : wheel.facts.python)
    for (const PythonCall& call : file.calls) calls.push_back(call_text(wheel.facts, file, call));
  if (calls.empty()) return "";
  std::string out = fmt::format("\n{}\n", paint.bold("Python code that loads libraries"));
  for (std::size_t i = 0; i < std::min(calls.size(), shown_calls); ++i)
    out += fmt::format("  {}\n", paint.wrapped(calls[i], 2, 4));
  if (calls.size() > shown_calls)
    out += fmt::format("  {}\n", paint.dim(count_of(calls.size() - shown_calls, "more call")));
  return out;
}

std::string foreign_text(const WheelReport& wheel, const Paint& paint) {
  std::map<std::string_view, std::vector<std::string>> by_kind;
  for (const MemberFacts& member : wheel.facts.members)
    if (member.foreign != ForeignKind::None) by_kind[name_of(member.foreign)].push_back(escape(member.path.text()));
  if (by_kind.empty()) return "";
  std::string out = fmt::format("\n{}\n", paint.bold("Not judged: archives, and code for other systems"));
  for (const auto& [kind, files] : by_kind) {
    const std::string line = fmt::format("{}: {}", kind, first_few(files, max_foreign_files));
    out += fmt::format("  {}\n", paint.wrapped(line, 2, 4));
  }
  return out;
}

// The facts of one ELF file: its type, its highest versions with the symbols that require them, and how each DT_NEEDED
// is found.

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

// Libraries with the same result share a line, because the individual libraries of the platform are of little interest.
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
    const std::string line = paint.wrapped(names + " => " + text, 13, 15);
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
    for (const std::string_view symbol : floor.symbols) symbols.push_back(escape(short_symbol(symbol)));
    const std::string node = escape(floor.node);
    const std::string names =
        symbols.empty() ? "no symbol has this version"
                        : first_few(symbols, symbols_of_need, paint.width() - std::min(paint.width(), 15 + width));
    out += fmt::format("    {:<9}{}  {}\n", label,
                       paint.cyan(node) + std::string(width - std::min(width, columns(node)), ' '),
                       paint.wrapped(names, 15 + std::max(width, columns(node)), 15 + width));
    label = "";
  }
}

void add_flaws(std::string& out, const ElfFacts& facts, const Paint& paint) {
  for (const Flaw& flaw : facts.flaws) {
    const std::string line = paint.wrapped(fmt::format("{}: {}", name_of(flaw.area), escape(flaw.reason)), 13, 15);
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
  if (needed.source) return source_text(subject.wheel.resolution.sources[needed.source->value]);
  const std::string_view tag_result = levels.of(self, needed.name);
  if (needed.unreached && (tag_result.empty() || tag_result.starts_with("allowed by no ")))
    return fmt::format("not found: {} has that name, but no search path leads there",
                       elf_path(subject, *needed.unreached));
  std::string out = "not in the wheel";
  if (tag_result.starts_with("allowed by every"))
    out = "from the platform";
  else if (!tag_result.empty())
    out = fmt::format("{}, {}", tag_result.starts_with("allowed by no ") ? "not in the wheel" : "from the platform",
                      tag_result);
  if (needed.unreached)
    out += fmt::format("; {} has that name, but no search path leads there", elf_path(subject, *needed.unreached));
  return out;
}

bool is_missing(std::string_view found_text) { return found_text.starts_with("not "); }

LibraryLevels::LibraryLevels(const WheelReport& wheel) : assessment_(wheel.facts.elfs.size()) {
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i) {
    const Assessment& assessment = wheel.assessments[i];
    for (std::uint32_t r = 0; r < assessment.requirements.size(); ++r) {
      const Requirement& requirement = assessment.requirements[r];
      if (requirement.elf.value < assessment_.size()) assessment_[requirement.elf.value] = i;
      const auto* required = std::get_if<LibraryRequirement>(&requirement.what);
      if (required == nullptr) continue;
      const auto [at, fresh] = text_.try_emplace({i, required->library});
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
