// The facts of one ELF file as JSON, field by field as docs/report.schema.json says.
#include "report/check/json_elf.h"

#include <algorithm>
#include <variant>

#include "report/check/json_analysis.h"

namespace wheelcheck::report {
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
  for (std::uint32_t i = 0; i < dynamic.needs.size(); ++i) {
    const VersionNeed& need = dynamic.needs[i];
    const auto missing = [&](const MissingVersion& m) { return m.user == elf && m.need == NeedIndex{i}; };
    out.push_back({{"library", safe(need.library)},
                   {"version", safe(need.version)},
                   {"weak", need.weak},
                   {"missing", std::ranges::any_of(wheel.resolution.missing_versions, missing)},
                   {"symbols", symbol_texts(symbols[i])}});
  }
  return out;
}

Json loader_flags(const LoaderFlags& flags) {
  return {{"symbolic", flags.symbolic},     {"bind_now", flags.bind_now}, {"text_relocations", flags.text_relocations},
          {"static_tls", flags.static_tls}, {"global", flags.global},     {"nodelete", flags.nodelete},
          {"noopen", flags.noopen},         {"pie", flags.pie},           {"relr", flags.relr}};
}

Json dynamic_json(const Subject& subject, ElfIndex elf, const DynamicFacts& dynamic) {
  Json provides = Json::array();
  for (const VersionDefinition& definition : dynamic.provides)
    provides.push_back({{"version", safe(definition.version)}, {"weak", definition.weak}});
  const auto weak = std::ranges::count_if(dynamic.imports, &Import::weak);
  return {{"soname", maybe(dynamic.soname)},      {"needed", needed_json(subject, elf)},
          {"filters", texts(dynamic.filters)},    {"auxiliaries", texts(dynamic.auxiliaries)},
          {"rpath", texts(dynamic.search.rpath)}, {"runpath", texts(dynamic.search.runpath)},
          {"flags", loader_flags(dynamic.flags)}, {"needs", needs_json(subject.wheel, elf, dynamic)},
          {"provides", std::move(provides)},      {"symbols", dynamic.symbol_count},
          {"imports", dynamic.imports.size()},    {"weak_imports", weak},
          {"exports", dynamic.exports.size()},    {"static_tls_relocations", dynamic.static_tls_relocations}};
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
              {"segments", segments_json(facts.segments)},
              {"versions", versions_json(subject.wheel, elf)},
              {"dynamic", facts.dynamic ? dynamic_json(subject, elf, *facts.dynamic) : Json(nullptr)},
              {"flaws", flaws_json(facts.flaws)}};
  add_analysis(out, subject.wheel, elf);
  return out;
}

}  // namespace wheelcheck::report
