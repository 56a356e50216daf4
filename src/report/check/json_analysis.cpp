#include "report/check/json_analysis.h"

#include <algorithm>
#include <cstddef>

namespace wheelcheck::report {
namespace {

constexpr std::size_t json_scopes = 50;    // `symbols --by file` has them all
constexpr std::size_t shown_items = 200;   // of any other list that a wheel can make long
constexpr std::size_t shown_evidence = 8;  // of one library
constexpr std::size_t shown_references = 1000;

// Adds `key`, an array of the first `most` of `list`, and `more_key`, the number of the others.
template <class List, class Make>
void add_first(Json& out, const char* key, const char* more_key, const List& list, std::size_t most, Make make) {
  Json items = Json::array();
  const std::size_t shown = std::min(list.size(), most);
  for (std::size_t i = 0; i < shown; ++i) items.push_back(make(list[i]));
  out[key] = std::move(items);
  out[more_key] = list.size() - shown;
}

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

Json device_json(const DeviceCode& device) {
  Json out = {{"bytes", device.bytes}};
  add_first(out, "images", "more_images", device.images, shown_items, [](const DeviceImage& image) -> Json {
    return {
        {"kind", name_of(image.kind)}, {"target", safe(image.target)}, {"count", image.count}, {"bytes", image.bytes}};
  });
  return out;
}

Json sections_json(const SectionFacts& sections) {
  Json out = {{"debug_bytes", sections.debug_bytes}, {"symbol_table", sections.symbol_table}};
  add_first(out, "comments", "more_comments", sections.comments, shown_items, safe);
  return out;
}

Json texts_json(const TextFacts& texts) {
  Json out = {{"versions", texts.versions.size()}, {"build_paths", texts.build_paths.size()}, {"cut", texts.cut}};
  add_first(out, "libraries", "more_libraries", texts.libraries, shown_items, safe);
  return out;
}

Json call_json(const PythonCall& call) {
  return {{"call", name_of(call.call)},     {"line", call.line},
          {"library", maybe(call.library)}, {"flags", call.flags ? Json(*call.flags) : Json(nullptr)},
          {"global", call.global},          {"reach", name_of(call.reach)},
          {"text", safe(call.text)}};
}

Json member_json(const WheelFacts& wheel, const std::optional<MemberIndex>& member) {
  return member ? Json(safe(wheel.members[member->value].path.text())) : Json(nullptr);
}

Json python_json(const WheelFacts& wheel, const PythonFile& python) {
  Json out = {{"member", member_json(wheel, python.member)}, {"broken", python.broken}, {"cut", python.cut}};
  add_first(out, "calls", "more_calls", python.calls, shown_items, call_json);
  add_first(out, "names", "more_names", python.names, shown_items,
            [](const PythonName& name) -> Json { return {{"text", safe(name.text)}, {"line", name.line}}; });
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

void add_analysis(Json& file, const WheelReport& wheel, ElfIndex elf) {
  const ElfFacts& facts = wheel.facts.elfs[elf.value].facts;
  const ElfAnalysis& analysis = analysis_of(wheel.analysis, elf);
  file["exports"] = exports_json(analysis.exports);
  add_first(file, "libraries", "more_libraries", analysis.libraries, shown_items, identified_json);
  file["cxx_abi"] = cxx_json(analysis.cxx);
  file["device_code"] = device_json(facts.device);
  file["sections"] = sections_json(facts.sections);
  file["texts"] = texts_json(facts.texts);
  file["gil_slot"] = facts.gil_slot;
}

void add_analysis(Json& out, const WheelReport& wheel) {
  out["own_scopes"] = texts(wheel.analysis.own_scopes);
  add_first(out, "gpu", "more_gpu", wheel.analysis.gpu, shown_references,
            [&](const GpuReference& reference) { return reference_json(wheel.facts, reference); });
  // Files that only import are facts of some runs alone (Limits::imports).
  std::vector<const PythonFile*> python;
  for (const PythonFile& file : wheel.facts.python)
    if (file.broken || file.cut || !file.calls.empty() || !file.names.empty()) python.push_back(&file);
  add_first(out, "python", "more_python", python, shown_references,
            [&](const PythonFile* file) { return python_json(wheel.facts, *file); });
}

}  // namespace wheelcheck::report
