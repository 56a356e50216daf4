// docs/interfaces.schema.json, and variant properties.
#include <string>
#include <string_view>

#include "report/check/json_wheel.h"
#include "report/interfaces/interfaces.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report {
namespace {

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(safe(text)); }

Json entry_json(const WheelFacts& wheel, const InterfaceEntry& entry) {
  return {{"group", name_of(entry.group)},
          {"name", safe(entry.name)},
          {"minimum", or_null(entry.minimum)},
          {"below", or_null(entry.below)},
          {"detail", entry.detail.empty() ? Json(nullptr) : Json(safe_long(entry.detail))},
          {"files", entry.files},
          {"member", elf_path(wheel, entry.file)},
          {"evidence", safe_long(entry.evidence)}};
}

Json provider_json(const Interfaces& one, const ProviderAnswer& answer) {
  Json missing = Json::array();
  for (const ProviderAnswer::Missing& each : answer.missing)
    missing.push_back({{"member", elf_path(one.wheel.facts, each.file)},
                       {"library", or_null(each.library)},
                       {"name", safe_long(each.name)}});
  return {{"distribution", safe(answer.distribution)},
          {"version", safe(answer.version)},
          {"file", safe(one.providers[answer.provider].file)},
          {"sufficient", answer.missing.empty()},
          {"missing", std::move(missing)}};
}

std::string document(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string render_interfaces_json(std::span<const Interfaces> wheels) {
  Json list = Json::array();
  for (const Interfaces& one : wheels) {
    Json entries = Json::array(), providers = Json::array();
    for (const InterfaceEntry& entry : one.found.entries) entries.push_back(entry_json(one.wheel.facts, entry));
    for (const ProviderAnswer& answer : one.found.providers) providers.push_back(provider_json(one, answer));
    list.push_back(
        {{"file", safe(one.wheel.facts.file)}, {"entries", std::move(entries)}, {"providers", std::move(providers)}});
  }
  return document({{"schema", "wheelcheck-interfaces"}, {"version", json_version}, {"wheels", std::move(list)}});
}

namespace {

// What a variant must ask for so that it is chosen only where the files run. Values of one feature are alternatives
// (PEP 825), so each has one. Of alternatives in the wheel, the first one is the lowest.
Json variant_json(const Interfaces& one) {
  std::string toolkit, level;
  constexpr std::string_view prefix = "x86-64-";
  for (const InterfaceEntry& entry : required_in_all(one.found.entries)) {
    if (entry.name == "CUDA toolkit" && toolkit.empty()) toolkit = entry.minimum;
    if (entry.name == "CPU" && entry.minimum.starts_with(prefix)) level = entry.minimum.substr(prefix.size());
  }
  if (toolkit.empty() && level.empty()) return nullptr;
  Json properties = Json::object(), namespaces = Json::array();
  std::string label;
  if (!toolkit.empty()) {
    // A newer driver runs older programs, so there is no upper limit.
    const bool has_minor = toolkit.find('.') != std::string::npos;
    properties["nvidia"]["cuda_version_lower_bound"] = Json::array({safe(has_minor ? toolkit : toolkit + ".0")});
    namespaces.push_back("nvidia");
    label = "cu" + toolkit;
    std::erase(label, '.');
  }
  if (!level.empty()) {
    properties["x86_64"]["level"] = Json::array({safe(level)});
    namespaces.push_back("x86_64");
    label += (label.empty() ? "x86_64_" : "_") + level;
  }
  Json variants = Json::object();
  variants[label] = std::move(properties);
  // The identifier of the schema in the appendix of PEP 825.
  return {{"$schema", "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json"},
          {"default-priorities", {{"namespace", std::move(namespaces)}}},
          {"variants", std::move(variants)}};
}

}  // namespace

std::string render_variants_json(std::span<const Interfaces> wheels) {
  Json list = Json::object();
  for (const Interfaces& one : wheels) list[safe(one.wheel.facts.file)] = variant_json(one);
  return document(list);
}

}  // namespace wheelcheck::report
