// CycloneDX 1.6 (ECMA-424): the software in a wheel, as far as its bytes prove it. Each ELF file is a component with
// its hash. Each library that was recognized in a file is another component, with the evidence. A component has a
// version only if the file contains it; an uncertain version is listed as evidence.
#include "report/check/cyclonedx.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "base/hash.h"
#include "model/requires_dist.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {
namespace {

double number_of(Confidence confidence) {
  if (confidence == Confidence::High) return 0.9;
  return confidence == Confidence::Medium ? 0.6 : 0.3;
}

Json hashes_of(const MemberFacts& member) { return Json::array({{{"alg", "SHA-256"}, {"content", member.sha256}}}); }

// One library in the files of a wheel with the same proven version.
struct Bundled {
  const IdentifiedLibrary* first = nullptr;  // never null
  std::string version;                       // proven, or ""
  struct Place {
    ElfIndex elf;
    const IdentifiedLibrary* seen = nullptr;  // never null
  };
  std::vector<Place> places;
};
using Libraries = std::map<std::pair<std::string, std::string>, Bundled>;  // by id and proven version
// The C++ runtimes that are linked into files; each has a place in `Libraries`, like the libraries of the tables.
using Runtimes = std::deque<IdentifiedLibrary>;

// No text in the code of libstdc++ names its version.
const IdentifiedLibrary* static_runtime(const CxxAbi& cxx, Runtimes& runtimes) {
  const bool gnu = cxx.runtime == CxxRuntime::StaticLibstdcxx;
  if (!gnu && cxx.runtime != CxxRuntime::StaticLibcxx) return nullptr;
  IdentifiedLibrary library;
  library.library = gnu ? "libstdcxx" : "libcxx";
  library.name = gnu ? "libstdc++" : "libc++";
  library.confidence = Confidence::Medium;
  for (const std::string& text : cxx.runtime_evidence) library.evidence.push_back({"symbols", text});
  return &runtimes.emplace_back(std::move(library));
}

// The version in a string is the release. The number in a soname or version node is that of an interface.
bool is_proven(const IdentifiedLibrary& library) {
  return library.version && library.confidence == Confidence::High &&
         std::ranges::any_of(library.evidence, [&](const LibraryEvidence& evidence) {
           return evidence.what == "string" && evidence.text.find(*library.version) != std::string::npos;
         });
}
Confidence of_version(const IdentifiedLibrary& library) {
  return is_proven(library) ? Confidence::High : std::min(library.confidence, Confidence::Medium);
}

Libraries libraries_of(const WheelReport& wheel, Runtimes& runtimes) {
  Libraries out;
  const auto add = [&](ElfIndex elf, const IdentifiedLibrary& library) {
    const std::string version = is_proven(library) ? *library.version : "";
    Bundled& bundled = out[{library.library, version}];
    if (bundled.first == nullptr) bundled = {.first = &library, .version = version, .places = {}};
    bundled.places.push_back({elf, &library});
  };
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ElfAnalysis& elf = analysis_of(wheel.analysis, ElfIndex{i});
    for (const IdentifiedLibrary& library : elf.libraries)
      if (!library.itself || !elf.package) add(ElfIndex{i}, library);  // otherwise the package is it
    const auto is_runtime = [](const IdentifiedLibrary& library) { return library.family == "cxx-runtime"; };
    if (std::ranges::any_of(elf.libraries, is_runtime)) continue;
    if (const IdentifiedLibrary* const runtime = static_runtime(elf.cxx, runtimes)) add(ElfIndex{i}, *runtime);
  }
  return out;
}

std::string file_ref(const std::string& wheel_ref, const WheelReport& wheel, ElfIndex elf) {
  return fmt::format("{}::{}", wheel_ref, elf_path(wheel.facts, elf));
}
std::string library_ref(const std::string& wheel_ref, const Bundled& bundled) {
  return fmt::format("{}?library={}{}{}", wheel_ref, safe(bundled.first->library), bundled.version.empty() ? "" : "@",
                     safe(bundled.version));
}

Json method_json(const LibraryEvidence& evidence, Confidence confidence) {
  return {{"technique", "binary-analysis"},
          {"confidence", number_of(confidence)},
          {"value", fmt::format("{}: {}", safe(evidence.what), safe(evidence.text))}};
}

// The name, and the version if a file contains one, each with its evidence.
Json identity_json(const Bundled& bundled) {
  Json methods = Json::array();
  std::set<std::pair<std::string, std::string>> listed;  // files of one library usually have the same evidence
  Confidence best = Confidence::Low;
  const IdentifiedLibrary* versioned = nullptr;
  for (const auto& [elf, seen] : bundled.places) {
    best = std::max(best, seen->confidence);
    if (seen->version && (versioned == nullptr || of_version(*seen) > of_version(*versioned))) versioned = seen;
    for (const LibraryEvidence& evidence : seen->evidence)
      if (listed.emplace(evidence.what, evidence.text).second)
        methods.push_back(method_json(evidence, seen->confidence));
  }
  Json out = Json::array({{{"field", "name"}, {"confidence", number_of(best)}, {"methods", methods}}});
  if (versioned == nullptr) return out;
  Json grounds = Json::array();
  for (const LibraryEvidence& evidence : versioned->evidence)
    if (evidence.text.find(*versioned->version) != std::string::npos)
      grounds.push_back(method_json(evidence, of_version(*versioned)));
  out.push_back({{"field", "version"},
                 {"confidence", number_of(of_version(*versioned))},
                 {"concludedValue", safe(*versioned->version)},
                 {"methods", grounds.empty() ? methods : grounds}});
  return out;
}

Json library_json(const WheelReport& wheel, const std::string& wheel_ref, const Bundled& bundled) {
  const IdentifiedLibrary& library = *bundled.first;
  Json occurrences = Json::array();
  for (const auto& [elf, seen] : bundled.places)
    occurrences.push_back({{"location", elf_path(wheel.facts, elf)},
                           {"additionalContext", seen->itself ? "the file is the library" : "linked into the file"}});
  Json out = {{"type", "library"}, {"bom-ref", library_ref(wheel_ref, bundled)}, {"name", safe(library.name)}};
  if (!bundled.version.empty()) {
    out["version"] = safe(bundled.version);
    out["purl"] = fmt::format("pkg:generic/{}@{}", uri_segment(library.library), uri_segment(bundled.version));
  }
  // If the library is a file of its own, the file's hash is that of the library.
  const MemberFacts& member = member_of(wheel.facts, bundled.places.front().elf);
  if (bundled.places.size() == 1 && library.itself && !member.sha256.empty()) out["hashes"] = hashes_of(member);
  out["evidence"] = {{"identity", identity_json(bundled)}, {"occurrences", std::move(occurrences)}};
  return out;
}

std::string package_ref(const std::string& wheel_ref, const LibraryPackage& package) {
  return fmt::format("{}?package={}", wheel_ref, package.purl);
}

Json package_json(const WheelReport& wheel, const std::string& wheel_ref, const LibraryPackage& package,
                  const std::vector<ElfIndex>& files) {
  Json occurrences = Json::array();
  for (const ElfIndex elf : files) occurrences.push_back({{"location", elf_path(wheel.facts, elf)}});
  return {{"type", "library"},          {"bom-ref", package_ref(wheel_ref, package)},
          {"name", safe(package.name)}, {"version", safe(package.version)},
          {"purl", safe(package.purl)}, {"evidence", {{"occurrences", std::move(occurrences)}}}};
}

Json file_json(const WheelReport& wheel, const std::string& wheel_ref, ElfIndex elf) {
  const ElfMember& file = wheel.facts.elfs[elf.value];
  const MemberFacts& member = member_of(wheel.facts, elf);
  Json out = {{"type", "file"},
              {"bom-ref", file_ref(wheel_ref, wheel, elf)},
              {"name", safe(member.path.text())},
              {"description", name_of(file.role)}};
  if (!member.sha256.empty()) out["hashes"] = hashes_of(member);
  if (file.facts.dynamic && file.facts.dynamic->soname)
    out["properties"] = Json::array({{{"name", "wheelcheck:soname"}, {"value", safe(*file.facts.dynamic->soname)}}});
  return out;
}

Json wheel_json(const WheelReport& wheel, const std::string& wheel_ref) {
  const WheelName& name = wheel.facts.name;
  Json out = {{"type", "library"}, {"bom-ref", wheel_ref}, {"name", safe(name.distribution)}};
  if (!name.version.empty()) {
    out["version"] = safe(name.version);
    out["purl"] =
        fmt::format("pkg:pypi/{}@{}", uri_segment(normal_project_name(name.distribution)), uri_segment(name.version));
  }
  out["properties"] = Json::array({{{"name", "wheelcheck:file"}, {"value", safe(wheel.facts.file)}}});
  return out;
}

struct Bom {
  Json wheels = Json::array(), components = Json::array(), dependencies = Json::array(), unreadable = Json::array();
};

void add_wheel(Bom& bom, const WheelReport& wheel, const std::string& ref) {
  std::vector<std::set<std::string>> needs(wheel.facts.elfs.size());
  std::set<std::string> files;
  for (std::uint32_t i = 0; i < needs.size(); ++i) {
    bom.components.push_back(file_json(wheel, ref, ElfIndex{i}));
    files.insert(file_ref(ref, wheel, ElfIndex{i}));
    if (i >= wheel.resolution.needed.size()) continue;
    for (const NeededFound& needed : wheel.resolution.needed[i])
      if (needed.provider && needed.provider->wheel.value == 0 && needed.provider->elf.value != i)
        needs[i].insert(file_ref(ref, wheel, needed.provider->elf));
  }
  Runtimes runtimes;
  for (const auto& [key, bundled] : libraries_of(wheel, runtimes)) {
    bom.components.push_back(library_json(wheel, ref, bundled));
    for (const auto& [elf, seen] : bundled.places) needs[elf.value].insert(library_ref(ref, bundled));
  }
  std::map<LibraryPackage, std::vector<ElfIndex>> files_of;
  for (std::uint32_t i = 0; i < needs.size(); ++i) {
    const auto& package = analysis_of(wheel.analysis, ElfIndex{i}).package;
    if (!package) continue;
    files_of[*package].push_back(ElfIndex{i});
    needs[i].insert(package_ref(ref, *package));
  }
  for (const auto& [package, elfs] : files_of) bom.components.push_back(package_json(wheel, ref, package, elfs));
  bom.wheels.push_back(wheel_json(wheel, ref));
  bom.dependencies.push_back({{"ref", ref}, {"dependsOn", files}});
  for (std::uint32_t i = 0; i < needs.size(); ++i)
    if (!needs[i].empty())
      bom.dependencies.push_back({{"ref", file_ref(ref, wheel, ElfIndex{i})}, {"dependsOn", needs[i]}});
}

Bom bom_of(const Report& report) {
  Bom bom;
  std::map<std::string, std::size_t> seen;  // wheels with the same name may be in several directories
  for (const Report::Entry& entry : report.entries) {
    if (entry.unreadable) {
      bom.unreadable.push_back({{"name", "wheelcheck:unreadable"}, {"value", unreadable_sentence(*entry.unreadable)}});
      continue;
    }
    const std::string file = safe(entry.wheel->facts.file);
    const std::size_t count = ++seen[file];
    add_wheel(bom, *entry.wheel, count == 1 ? file : fmt::format("{}#{}", file, count));
  }
  return bom;
}

std::string document_of(Bom bom, std::string_view version) {
  const Json tool = {{"type", "application"}, {"name", "wheelcheck"}, {"version", safe(version)}};
  Json metadata = {{"lifecycles", Json::array({{{"phase", "post-build"}}})},
                   {"tools", {{"components", Json::array({tool})}}}};
  // A document describes one subject. For several wheels it has none.
  Json components = Json::array();
  if (bom.wheels.size() == 1)
    metadata["component"] = bom.wheels.front();
  else
    components = std::move(bom.wheels);
  for (Json& component : bom.components) components.push_back(std::move(component));
  if (!bom.unreadable.empty()) metadata["properties"] = std::move(bom.unreadable);
  Json document = {{"$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json"},
                   {"bomFormat", "CycloneDX"},
                   {"specVersion", "1.6"},
                   {"version", 1},
                   {"metadata", std::move(metadata)},
                   {"components", std::move(components)},
                   {"dependencies", std::move(bom.dependencies)}};
  const auto text = [&] { return document_text(document); };
  document["serialNumber"] = "urn:uuid:" + uuid5(text());
  return text();
}

std::string render_cyclonedx(const Report& report, const RenderOptions&) {
  return document_of(bom_of(report), report.version);
}

// ">=1.23,<2" as in Requires-Dist; "" where neither limit is proved.
std::string range_of(const InterfaceEntry& entry) {
  std::string out;
  if (!entry.minimum.empty()) out = ">=" + safe(entry.minimum);
  if (!entry.below.empty()) out += (out.empty() ? "<" : ",<") + safe(entry.below);
  return out;
}

// The names of properties are free; a namespace before a colon keeps tools apart (CycloneDX, "Properties").
void add_interfaces(Json& properties, const WheelFacts& wheel, std::span<const InterfaceEntry> entries) {
  for (const InterfaceEntry& entry : entries) {
    const std::string name = fmt::format("wheelcheck:requires:{}:{}", name_of(entry.group), safe(entry.name));
    const std::string range = range_of(entry);
    const auto add = [&](std::string_view part, const std::string& value) {
      if (!value.empty()) properties.push_back({{"name", name + std::string(part)}, {"value", value}});
    };
    add("", range.empty() && entry.detail.empty() ? "any version" : range);
    add(":detail", safe_long(entry.detail));
    add(":evidence", fmt::format("{}: {}", elf_path(wheel, entry.file), safe_long(entry.evidence)));
  }
}

}  // namespace

std::string render_sbom(const WheelReport& wheel, std::span<const InterfaceEntry> entries, std::string_view version) {
  Bom bom;
  add_wheel(bom, wheel, safe(wheel.facts.file));
  add_interfaces(bom.wheels.front()["properties"], wheel.facts, entries);
  return document_of(std::move(bom), version);
}

extern const Renderer cyclonedx{"cyclonedx", "CycloneDX 1.6, the bundled libraries", &render_cyclonedx};

}  // namespace wheelcheck::report
