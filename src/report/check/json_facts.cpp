// The facts and the analysis of a wheel and of each ELF file as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <variant>

#include "report/check/json_wheel.h"

namespace wheelcheck::report {

namespace {

constexpr std::size_t json_scopes = 50;    // `symbols --by file` lists all of them
constexpr std::size_t shown_items = 200;   // items of any other list whose length depends on the wheel
constexpr std::size_t shown_evidence = 8;  // for one library
constexpr std::size_t shown_references = 1000;

// Adds `key`, an array of the first `most` items of `list`, and `more_key`, the number of the others.
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
  // Files that only import are read only in some runs (Limits::imports).
  std::vector<const PythonFile*> python;
  for (const PythonFile& file : wheel.facts.python)
    if (file.broken || file.cut || !file.calls.empty() || !file.names.empty()) python.push_back(&file);
  add_first(out, "python", "more_python", python, shown_references,
            [&](const PythonFile* file) { return python_json(wheel.facts, *file); });
}

// The facts of one ELF file as JSON, in the order of docs/report.schema.json.

namespace {

Json reference(const Subject& subject, const std::optional<ElfRef>& ref) {
  if (!ref) return nullptr;
  const WheelFacts& wheel = wheel_of(subject, ref->wheel);
  return {{"wheel", safe(wheel.file)}, {"member", safe(member_of(wheel, ref->elf).path.text())}};
}

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

Json loader_flags(const LoaderFlags& flags) {
  return {{"symbolic", flags.symbolic},     {"bind_now", flags.bind_now}, {"text_relocations", flags.text_relocations},
          {"static_tls", flags.static_tls}, {"global", flags.global},     {"nodelete", flags.nodelete},
          {"noopen", flags.noopen},         {"pie", flags.pie},           {"relr", flags.relr},
          {"read_only", flags.read_only}};
}

Json dynamic_json(const Subject& subject, ElfIndex elf, const DynamicFacts& dynamic) {
  Json provides = Json::array();
  for (const VersionDefinition& definition : dynamic.provides)
    provides.push_back({{"version", safe(definition.version)}, {"weak", definition.weak}});
  const auto weak = static_cast<std::size_t>(std::ranges::count_if(dynamic.imports, &Import::weak));
  return {{"soname", maybe(dynamic.soname)},
          {"needed", needed_json(subject, elf)},
          {"filters", texts(dynamic.filters)},
          {"auxiliaries", texts(dynamic.auxiliaries)},
          {"rpath", texts(dynamic.search.rpath)},
          {"runpath", texts(dynamic.search.runpath)},
          {"flags", loader_flags(dynamic.flags)},
          {"needs", needs_json(subject.wheel, elf, dynamic)},
          {"provides", std::move(provides)},
          {"symbols", dynamic.symbol_count},
          {"imports", dynamic.imports.size() + dynamic.dropped.imports},
          {"weak_imports", weak + dynamic.dropped.weak_imports},
          {"exports", dynamic.exports.size() + dynamic.dropped.exports},
          {"static_tls_relocations", dynamic.static_tls_relocations},
          {"own_static_tls_relocations", dynamic.own_static_tls_relocations},
          {"own_tls_descriptors", dynamic.own_tls_descriptors}};
}

Json x86_levels(std::uint32_t bits) {
  // GNU_PROPERTY_X86_ISA_1_*: x86-64 psABI, "Program Property".
  static constexpr std::pair<std::uint32_t, std::string_view> names[] = {
      {1, "x86-64"}, {2, "x86-64-v2"}, {4, "x86-64-v3"}, {8, "x86-64-v4"}};
  Json out = Json::array();
  for (const auto& [bit, name] : names)
    if ((bits & bit) != 0) out.push_back(name);
  return out;
}

Json x86_features(std::uint32_t bits) {
  Json out = Json::array();
  if ((bits & 1u) != 0) out.push_back("ibt");
  if ((bits & 2u) != 0) out.push_back("shstk");
  return out;
}

Json segments_json(const Segments& segments) {
  return {{"executable_stack", segments.executable_stack ? Json(*segments.executable_stack) : Json(nullptr)},
          {"writable_code", segments.writable_code},
          {"relro", name_of(segments.relro)},
          {"smallest_load_align", segments.smallest_load_align},
          {"misaligned_load", segments.misaligned_load}};
}

Json abi_note_json(const std::optional<AbiNote>& note) {
  if (!note) return nullptr;
  return {{"system", note->system}, {"kernel", fmt::format("{}.{}.{}", note->major, note->minor, note->patch)}};
}

Json flaws_json(const std::vector<Flaw>& flaws) {
  Json out = Json::array();
  for (const Flaw& flaw : flaws)
    out.push_back({{"area", name_of(flaw.area)}, {"fatal", flaw.fatal}, {"reason", safe(flaw.reason)}});
  return out;
}

Json module_json(const ElfRole& role) {
  const auto* module = std::get_if<ExtensionModule>(&role);
  if (module == nullptr) return nullptr;
  return {{"name", safe(module->module)},
          {"python_major", module->python_major ? Json(*module->python_major) : Json(nullptr)},
          {"stable_abi", module->stable_abi}};
}

}  // namespace

Json elf_json(const Subject& subject, ElfIndex elf) {
  const ElfMember& member = subject.wheel.facts.elfs[elf.value];
  const ElfFacts& facts = member.facts;
  const bool root = std::ranges::find(subject.wheel.resolution.roots, elf) != subject.wheel.resolution.roots.end();
  Json out = {{"member", safe(member_of(subject.wheel.facts, elf).path.text())},
              {"installed", safe(member.installed)},
              {"role", safe(name_of(member.role))},
              {"module", module_json(member.role)},
              {"root", root},
              {"disguised", member.disguised},
              {"in_purelib", member.in_purelib},
              {"arch", name_of(facts.arch)},
              {"libc", name_of(member.libc)},
              {"kind", name_of(facts.kind)},
              {"use", facts.use == MachineUse::Host ? "host" : "device"},
              {"machine", facts.machine},
              {"machine_name", safe(facts.machine_name)},
              {"bits", facts.bits},
              {"little_endian", facts.little_endian},
              {"os_abi", facts.os_abi},
              {"e_flags", facts.flags},
              {"has_sections", facts.has_sections},
              {"debug_only", facts.debug_only},
              {"interpreter", maybe(facts.interpreter)},
              {"build_id", maybe(facts.build_id)},
              {"x86_isa_needed", x86_levels(facts.x86_isa_needed)},
              {"x86_isa_used", x86_levels(facts.x86_isa_used)},
              {"x86_features", x86_features(facts.x86_features)},
              {"abi_note", abi_note_json(facts.abi_note)},
              {"segments", segments_json(facts.segments)},
              {"versions", versions_json(subject.wheel, elf)},
              {"dynamic", facts.dynamic ? dynamic_json(subject, elf, *facts.dynamic) : Json(nullptr)},
              {"flaws", flaws_json(facts.flaws)}};
  add_analysis(out, subject.wheel, elf);
  return out;
}

}  // namespace wheelcheck::report
