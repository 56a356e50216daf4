// The facts and the analysis of a wheel and of each ELF file as JSON. The facts alone come from their description
// (report_form.h); this file adds what resolution and analysis say.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <variant>

#include "report/check/json_wheel.h"
#include "report/check/report_form.h"

namespace wheelcheck::report {

namespace {

constexpr std::size_t json_scopes = 50;    // `symbols --by file` lists all of them
constexpr std::size_t shown_evidence = 8;  // for one library
constexpr std::size_t shown_references = 1000;

Json scope_json(const ScopeCount& scope) {
  return {{"scope", safe(scope.scope)}, {"exports", scope.exports}, {"rtti", scope.rtti}, {"own", scope.own}};
}

Json library_count_json(const LibraryCount& count) {
  return {{"library", safe(count.library)},
          {"name", safe(count.name)},
          {"exports", count.exports},
          {"rtti", count.rtti},
          {"own", count.own},
          {"itself", count.itself},
          {"examples", texts(count.examples)}};
}

Json exports_json(const ExportSummary& exports) {
  Json out = {{"all", exports.all},      {"c", exports.c},       {"cxx", exports.cxx},
              {"rust", exports.rust},    {"rtti", exports.rtti}, {"standard", exports.standard},
              {"unique", exports.unique}};
  add_first(out, "scopes", "more_scopes", exports.scopes, json_scopes, scope_json);
  add_first(out, "libraries", "more_libraries", exports.libraries, shown_items, library_count_json);
  return out;
}

Json evidence_json(const LibraryEvidence& evidence) {
  return {{"what", safe(evidence.what)}, {"text", safe(evidence.text)}};
}

Json identified_json(const IdentifiedLibrary& library) {
  Json out = {{"library", safe(library.library)},
              {"name", safe(library.name)},
              {"family", safe(library.family)},
              {"version", maybe(library.version)},
              {"confidence", name_of(library.confidence)},
              {"itself", library.itself}};
  add_first(out, "evidence", "more_evidence", library.evidence, shown_evidence, evidence_json);
  return out;
}

Json cxx_json(const CxxAbi& cxx) {
  Json out = {{"runtime", word_of(cxx.runtime)},
              {"string_abi", {{"defined", name_of(cxx.defined)}, {"imported", name_of(cxx.imported)}}},
              {"symbols",
               {{"defined_old", cxx.defined_old},
                {"defined_new", cxx.defined_new},
                {"imported_old", cxx.imported_old},
                {"imported_new", cxx.imported_new},
                {"own_old", cxx.own_old},
                {"own_new", cxx.own_new}}},
              {"early_cxx11", cxx.early_cxx11},
              {"runtime_evidence", texts(cxx.runtime_evidence)},
              {"examples_old", texts(cxx.examples_old)},
              {"examples_new", texts(cxx.examples_new)}};
  add_first(out, "compilers", "more_compilers", cxx.compilers, shown_items, [](const Compiler& compiler) -> Json {
    return {{"name", safe(compiler.name)}, {"version", safe(compiler.version)}, {"text", safe(compiler.text)}};
  });
  return out;
}

Json member_json(const WheelFacts& wheel, const std::optional<MemberIndex>& member) {
  return member ? Json(safe(wheel.members[member->value].path.text())) : Json(nullptr);
}

Json python_json(const WheelFacts& wheel, const PythonFile& python) {
  Json out = facts_json(python);
  out["member"] = member_json(wheel, python.member);
  return out;
}

Json reference_json(const WheelFacts& wheel, const GpuReference& reference) {
  return {{"name", safe(reference.name)},
          {"stem", safe(reference.stem)},
          {"vendor", safe(reference.vendor)},
          {"component", safe(reference.component)},
          {"use", word_of(reference.use)},
          {"driver", reference.driver},
          {"version", safe(reference.version)},
          {"major", safe(reference.major)},
          {"member", member_json(wheel, reference.member)},
          {"line", reference.line == 0 ? Json(nullptr) : Json(reference.line)},
          {"provided_by", texts(reference.provided_by)},
          {"required", reference.required}};
}

}  // namespace

void add_analysis(Json& out, const WheelReport& wheel) {
  out["own_scopes"] = texts(wheel.analysis.own_scopes);
  add_first(out, "gpu", "more_gpu", wheel.analysis.gpu, shown_references,
            [&](const GpuReference& reference) { return reference_json(wheel.facts, reference); });
  // Files that only import are read only in some runs (Limits::imports).
  std::vector<const PythonFile*> python;
  for (const PythonFile& file : wheel.facts.python)
    if (file.broken || file.cut != PythonCut::None || !file.calls.empty() || !file.names.empty())
      python.push_back(&file);
  add_first(out, "python", "more_python", python, shown_references,
            [&](const PythonFile* file) { return python_json(wheel.facts, *file); });
}

namespace {

Json needed_json(const Subject& subject, ElfIndex elf) {
  Json out = Json::array();
  const auto& all = subject.wheel.resolution.needed;
  if (elf.value >= all.size()) return out;
  for (const NeededFound& needed : all[elf.value]) {
    const bool searched = needed.how == How::Rpath || needed.how == How::Runpath;
    out.push_back({{"name", safe(needed.name)},
                   {"found", name_of(needed.found)},
                   {"how", name_of(needed.how)},
                   {"provider", reference(subject, needed.provider)},
                   {"search_path_of", reference(subject, needed.by)},
                   {"search_path_element", searched ? Json(safe(needed.element)) : Json(nullptr)},
                   {"unreached", reference(subject, needed.unreached)}});
  }
  return out;
}

Json versions_json(const WheelReport& wheel, ElfIndex elf) {
  Json out = Json::object();
  for (const auto& [family, floor] : floors_of(wheel, elf))
    out[safe(family)] = {{"highest", safe(floor.node)}, {"symbols", symbol_texts(floor.symbols)}};
  return out;
}

Json needs_json(const WheelReport& wheel, ElfIndex elf, const DynamicFacts& dynamic) {
  Json out = Json::array();
  const std::vector<std::vector<std::string_view>> symbols = symbols_by_need(dynamic);
  const auto missing = std::ranges::equal_range(wheel.resolution.missing_versions, elf, {}, &MissingVersion::user);
  for (std::uint32_t i = 0; i < dynamic.needs.size(); ++i) {
    const VersionNeed& need = dynamic.needs[i];
    out.push_back({{"library", safe(need.library)},
                   {"version", safe(need.version)},
                   {"weak", need.weak},
                   {"missing", std::ranges::binary_search(missing, NeedIndex{i}, {}, &MissingVersion::need)},
                   {"symbols", symbol_texts(symbols[i])}});
  }
  return out;
}

void add_dynamic(Json& out, const Subject& subject, ElfIndex elf, const DynamicFacts& dynamic) {
  const auto weak = static_cast<std::size_t>(std::ranges::count_if(dynamic.imports, &Import::weak));
  out["needed"] = needed_json(subject, elf);
  out["needs"] = needs_json(subject.wheel, elf, dynamic);
  out["imports"] = dynamic.imports.size() + dynamic.dropped.imports;
  out["weak_imports"] = weak + dynamic.dropped.weak_imports;
  out["exports"] = dynamic.exports.size() + dynamic.dropped.exports;
}

}  // namespace

Json elf_json(const Subject& subject, ElfIndex elf) {
  const ElfMember& member = subject.wheel.facts.elfs[elf.value];
  const ElfFacts& facts = member.facts;
  const ElfAnalysis& analysis = analysis_of(subject.wheel.analysis, elf);
  const auto* const module = std::get_if<ExtensionModule>(&member.role);
  Json out = facts_json(member);
  out["member"] = safe(member_of(subject.wheel.facts, elf).path.text());
  out["role"] = safe(name_of(member.role));
  if (module != nullptr) out["module"] = facts_json(*module);
  out["root"] = std::ranges::find(subject.wheel.resolution.roots, elf) != subject.wheel.resolution.roots.end();
  out["libc"] = name_of(member.libc);
  if (const auto& note = facts.abi_note)
    out["abi_note"]["kernel"] = fmt::format("{}.{}.{}", note->major, note->minor, note->patch);
  out["versions"] = versions_json(subject.wheel, elf);
  if (facts.dynamic) add_dynamic(out["dynamic"], subject, elf, *facts.dynamic);
  out["exports"] = exports_json(analysis.exports);
  add_first(out, "libraries", "more_libraries", analysis.libraries, shown_items, identified_json);
  if (const auto& package = analysis.package)
    out["package"] = {
        {"purl", safe(package->purl)}, {"name", safe(package->name)}, {"version", safe(package->version)}};
  out["cxx_abi"] = cxx_json(analysis.cxx);
  return out;
}

}  // namespace wheelcheck::report
