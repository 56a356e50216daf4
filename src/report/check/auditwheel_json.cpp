// The document of `auditwheel show --json`, version 1, for programs that read that format. It has the same keys, with
// this program's results. Several wheels give several documents, one after another.
#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {
namespace {

using Nodes = std::map<std::string, std::set<std::string, NaturalLess>>;

template <class Kind>
bool any_at(const Assessment& assessment, std::size_t level) {
  return std::ranges::any_of(assessment.levels[level].unmet_requirements, [&](RequirementIndex index) {
    return std::holds_alternative<Kind>(assessment.requirements[index.value].what);
  });
}

// The oldest level that all version nodes allow, regardless of other requirements.
std::string symbol_tag(const Assessment& assessment) {
  for (std::size_t i = assessment.levels.size(); i-- > 0;)
    if (!any_at<VersionRequirement>(assessment, i)) return safe(assessment.level_names[i]);
  return safe(assessment.level_names.front());
}

// The loader's own versions give no information beyond that of its libc.
bool is_loader(std::string_view library) {
  return library.find("ld-linux") != std::string_view::npos || library.starts_with("ld64.so.");
}

Json versioned_symbols(const WheelReport& wheel, const Assessment& assessment) {
  Nodes nodes;
  std::set<ElfIndex> files;
  for (const Requirement& requirement : assessment.requirements) {
    files.insert(requirement.elf);
    const auto* required = std::get_if<VersionRequirement>(&requirement.what);
    if (required != nullptr && !is_loader(required->library))
      nodes[safe(required->library)].insert(safe(required->version));
  }
  // auditwheel also lists weak needs, and those of libraries that other distributions provide.
  for (const ElfIndex elf : files) {
    const std::optional<DynamicFacts>& dynamic = wheel.facts.elfs[elf.value].facts.dynamic;
    if (!dynamic) continue;
    const std::set<std::string_view> answered = answered_here(wheel, elf);
    for (const VersionNeed& need : dynamic->needs)
      if ((need.weak || source_of(wheel.resolution, elf, need.library) != nullptr) && !is_loader(need.library) &&
          !answered.contains(need.library))
        nodes[safe(need.library)].insert(safe(need.version));
  }
  Json out = Json::object();
  for (const auto& [library, versions] : nodes) out[library] = texts(versions);
  return out;
}

std::set<std::string> libraries_at(const Assessment& assessment, std::size_t level) {
  std::set<std::string> out;
  for (const RequirementIndex index : assessment.levels[level].unmet_requirements)
    if (const auto* required = std::get_if<LibraryRequirement>(&assessment.requirements[index.value].what))
      out.insert(safe(required->library));
  return out;
}

// For auditwheel, a library that another distribution provides is missing.
std::set<std::string> libraries_of_others(const WheelReport& wheel) {
  std::set<std::string> out;
  for (const LibrarySource& source : wheel.resolution.sources)
    for (const std::string& library : source.libraries) out.insert(safe(library));
  return out;
}

Json upgrades(const WheelReport& wheel, const Assessment& assessment) {
  Json out = Json::object();
  const std::set<std::string> others = libraries_of_others(wheel);
  const std::size_t best = others.empty() ? assessment.best.value : 0;
  for (std::size_t i = best + 1; i < assessment.levels.size(); ++i) {
    Json entry = Json::object();
    std::set<std::string> libraries = libraries_at(assessment, i);
    libraries.insert(others.begin(), others.end());
    if (!libraries.empty()) entry["libs_to_eliminate"] = libraries;
    std::map<std::string, std::set<std::string>> symbols;
    for (const RequirementIndex index : assessment.levels[i].unmet_requirements)
      if (const auto* required = std::get_if<SymbolRequirement>(&assessment.requirements[index.value].what))
        symbols[safe(required->library)].insert(safe(required->symbol));
    if (!symbols.empty()) entry["blacklisted_symbols"] = symbols;
    if (!entry.empty()) out[safe(assessment.level_names[i])] = std::move(entry);
  }
  return out;
}

bool requires_interpreter(const Assessment& assessment, std::string_view part) {
  return std::ranges::any_of(assessment.requirements, [&](const Requirement& requirement) {
    const auto* required = std::get_if<InterpreterRequirement>(&requirement.what);
    return required != nullptr && required->symbol.find(part) != std::string::npos;
  });
}

Json platform_document(const WheelReport& wheel) {
  const Assessment& assessment = wheel.assessments.front();
  const std::size_t oldest = assessment.levels.size() - 1;
  Json external = Json::object();
  for (const std::string& library : libraries_at(assessment, oldest)) external[library] = nullptr;
  const std::set<std::string> others = libraries_of_others(wheel);
  for (const std::string& library : others) external[library] = nullptr;
  return {{"version", 1},
          {"wheel", safe(wheel.facts.file)},
          {"pure", false},
          {"overall_tag", safe(others.empty() ? wheel.verdict.best_tag : assessment.level_names.front())},
          {"sym_tag", symbol_tag(assessment)},
          {"pyfpe", requires_interpreter(assessment, "PyFPE_")},
          {"ucs2", requires_interpreter(assessment, "PyUnicodeUCS2_")},
          {"unsupported_isa", any_at<IsaRequirement>(assessment, oldest)},
          {"versioned_symbols", versioned_symbols(wheel, assessment)},
          {"external_libs", std::move(external)},
          {"policy_upgrades", upgrades(wheel, assessment)}};
}

// For a pure wheel, auditwheel reports an error unless it is called with an option that allows pure wheels.
Json document(const Report::Entry& entry) {
  if (entry.unreadable) {
    return {{"version", 1},
            {"wheel", safe(base_name(entry.unreadable->path))},
            {"error", unreadable_message(*entry.unreadable)}};
  }
  const WheelReport& wheel = *entry.wheel;
  if (!wheel.verdict.pure && !wheel.assessments.empty() && !wheel.assessments.front().levels.empty())
    return platform_document(wheel);
  const std::string_view error = wheel.facts.elfs.empty()
                                     ? "not a platform wheel: the archive contains no ELF file"
                                     : "not a platform wheel: no ELF file in it is code for a host";
  return {{"version", 1}, {"wheel", safe(wheel.facts.file)}, {"error", error}};
}

std::string render_auditwheel_json(const Report& report, const RenderOptions&) {
  std::string out;
  for (const Report::Entry& entry : report.entries)
    out += document(entry).dump(4, ' ', true, Json::error_handler_t::replace) + "\n";
  return out;
}

}  // namespace

extern const Renderer auditwheel_json{"auditwheel-json", "the document of `auditwheel show --json`, version 1",
                                      &render_auditwheel_json};

}  // namespace wheelcheck::report
