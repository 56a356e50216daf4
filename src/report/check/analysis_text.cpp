#include "report/check/analysis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/shared/names.h"
#include "report/symbols/symbol_names.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t most_foreign_files = 5;  // named of one kind

constexpr std::size_t analysed_files = 5, shown_libraries = 6, analysed_scopes = 5, shown_calls = 20;
// A single function of another's that is exported is no news, and vtables and typeinfo follow from use.
constexpr std::uint32_t least_leak = 5;
constexpr std::size_t label_width = 13;  // four blanks, a label, a blank

bool is_leak(const LibraryCount& library) {
  return !library.own && !library.itself && library.exports - library.rtti >= least_leak;
}

std::string with_version(const ElfAnalysis& file, const LibraryCount& library) {
  const IdentifiedLibrary* const found = identified(file, library.library);
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

void add_line(std::string& out, std::string_view label, const std::string& text) {
  if (!text.empty()) out += fmt::format("    {:<9}{}\n", label, wrapped(text, label_width, label_width + 2));
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
  return fmt::format("{}: {}", plural(exports.all, "export"), first_few(parts, analysed_scopes));
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

// cubins for sm_80, sm_90a; PTX for compute_90; 9.7 kB; names libcuda.so.1
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
                       wrapped(fmt::format("{} of {}: {}", leaks.exports, plural(total, "export"),
                                           first_few(leaks.libraries, shown_libraries)),
                               4, 6));
  }
  if (all.size() <= analysed_files) return out;
  const std::string more =
      fmt::format("{} (wheelcheck symbols --by library)", plural(all.size() - analysed_files, "more file"));
  return out + fmt::format("  {}\n", paint.dim(more));
}

std::string analysis_text(const WheelReport& wheel, ElfIndex elf) {
  const ElfAnalysis& file = analysis_of(wheel.analysis, elf);
  std::string out;
  add_line(out, "exports", exports_line(file.exports));
  add_line(out, "contains", inside_line(file.libraries));
  add_line(out, "C++", cxx_line(file.cxx));
  add_line(out, "built", compilers_line(file.cxx.compilers));
  add_line(out, "GPU", gpu_line(wheel, elf));
  return out;
}

std::string python_text(const WheelReport& wheel, const Paint& paint) {
  std::vector<std::string> calls;
  for (const PythonFile& file : wheel.facts.python)
    for (const PythonCall& call : file.calls) calls.push_back(call_text(wheel.facts, file, call));
  if (calls.empty()) return "";
  std::string out = fmt::format("\n{}\n", paint.bold("Python code that loads libraries"));
  for (std::size_t i = 0; i < std::min(calls.size(), shown_calls); ++i)
    out += fmt::format("  {}\n", wrapped(calls[i], 2, 4));
  if (calls.size() > shown_calls)
    out += fmt::format("  {}\n", paint.dim(plural(calls.size() - shown_calls, "more call")));
  return out;
}

std::string foreign_text(const WheelReport& wheel, const Paint& paint) {
  std::map<std::string_view, std::vector<std::string>> by_kind;
  for (const MemberFacts& member : wheel.facts.members)
    if (member.foreign != ForeignKind::None) by_kind[name_of(member.foreign)].push_back(escape(member.path.text()));
  if (by_kind.empty()) return "";
  std::string out = fmt::format("\n{}\n", paint.bold("Not judged: archives, and code that no loader here maps"));
  for (const auto& [kind, files] : by_kind) {
    const std::string line = fmt::format("{}: {}", kind, first_few(files, most_foreign_files));
    out += fmt::format("  {}\n", wrapped(line, 2, 4));
  }
  return out;
}

}  // namespace wheelcheck::report
