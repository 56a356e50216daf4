#include "wheel/json_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/text.h"
#include "json/json.h"
#include "wheel/complaints.h"
#include "wheel/entry_points.h"
#include "wheel/index_checks.h"

namespace wheelcheck::wheel {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 64;       // levels of nested arrays and objects
constexpr std::size_t shown_bytes = 100;  // of a text from the file in a message

class Reader {
 public:
  Reader(WheelArea area, MemberIndex member, std::string_view path) : complain(area, member, path, result_.flaws) {}

  std::optional<Json> parse(std::string_view text) {
    auto parsed = json::parse(text, deepest);
    if (parsed && parsed->is_object()) return std::move(*parsed);
    complain(parsed ? fmt::format("is {}, not a JSON object", json::type_name(*parsed))
                    : escape(parsed.error().front(), 2 * shown_bytes));
    return std::nullopt;
  }

  JsonReading result_;
  const Complaints complain;
};

const Json* find(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

// ^[a-z0-9_]+$, and with dots for values (PEP 825, "Variant properties").
bool is_word(std::string_view text, bool dots) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_lower(c) || is_digit(c) || c == '_' || (dots && c == '.');
  });
}

class VariantReader : public Reader {
 public:
  using Reader::Reader;

  void read(const Json& document, std::string_view label) {
    if (const Json* schema = find(document, "$schema"); schema == nullptr || !schema->is_string())
      complain("has no $schema with the URL of a schema");
    priorities(find(document, "default-priorities"));
    const Json* const variants = find(document, "variants");
    if (variants == nullptr || !variants->is_object()) return complain("has no object \"variants\"");
    if (variants->size() != 1)
      complain(fmt::format("lists {} variants, but the variant.json of a wheel lists only its own", variants->size()));
    const auto own = variants->find(std::string(label));
    if (own != variants->end()) return properties(*own, label);
    if (!label.empty() && !variants->empty())
      complain(fmt::format("lists the variant {}, but the label of the file name is {}",
                           escape(variants->begin().key(), shown_bytes), label));
  }

 private:
  // Checks a non-empty list of distinct words.
  bool list(const Json& value, bool dots, const std::string& what) {
    std::set<std::string_view> seen;
    bool good = value.is_array() && !value.empty();
    if (good)
      for (const Json& item : value) {
        const std::string* const text = item.get_ptr<const std::string*>();
        good = good && text != nullptr && is_word(*text, dots) && seen.insert(*text).second;
      }
    if (!good)
      complain(fmt::format("{} must be a list of different words of a-z, 0-9{} and at least one", what,
                           dots ? ", '.' and '_'" : " and '_'"));
    return good;
  }

  void priorities(const Json* value) {
    if (value == nullptr || !value->is_object()) return complain("has no object \"default-priorities\"");
    const Json* const names = find(*value, "namespace");
    if (names == nullptr) return complain("has no list \"default-priorities\"/\"namespace\"");
    if (!list(*names, false, "\"default-priorities\"/\"namespace\"")) return;
    for (const Json& name : *names) namespaces_.insert(name.get<std::string>());
  }

  void properties(const Json& variant, std::string_view label) {
    if (!variant.is_object()) return complain(fmt::format("has no object for the variant {}", label));
    if (label == "null" && !variant.empty()) complain("gives properties to the variant null, which has none");
    for (const auto& [name, features] : variant.items()) {
      const std::string shown = escape(name, shown_bytes);
      if (!is_word(name, false) || !features.is_object()) {
        complain(fmt::format("has no object of features for the namespace {}", shown));
        continue;
      }
      if (!namespaces_.empty() && !namespaces_.contains(name))
        complain(fmt::format("uses the namespace {}, which \"default-priorities\" does not list", shown));
      for (const auto& [feature, values] : features.items()) {
        const std::string what = fmt::format("{} :: {}", shown, escape(feature, shown_bytes));
        if (!is_word(feature, false)) complain(fmt::format("{} is not a name of a-z, 0-9 and '_'", what));
        if (list(values, true, what) && name == "x86_64" && feature == "level") take_level(values);
      }
    }
  }

  // The machine must support one of the values, so only the lowest is certain.
  void take_level(const Json& values) {
    static constexpr std::array<std::string_view, 4> levels{"v1", "v2", "v3", "v4"};
    std::size_t least = levels.size();
    for (const Json& value : values) {
      const auto at = std::ranges::find(levels, std::string_view(value.get_ref<const std::string&>()));
      least = std::min(least, static_cast<std::size_t>(at - levels.begin()));
    }
    if (least < levels.size()) result_.variant_x86_level = static_cast<std::uint32_t>(least + 1);
  }

  std::set<std::string> namespaces_;
};

constexpr std::size_t max_parts = 20'000, max_part_text = 512;

// Collects what a bill of materials lists. Texts of another type count as absent.
class SbomReader {
 public:
  explicit SbomReader(MemberIndex member) : sbom_{.member = member, .tool = {}, .parts = {}} {}

  Sbom read(const Json& document, bool cyclone) {
    if (cyclone) {
      if (const Json* const metadata = find(document, "metadata"); metadata != nullptr && metadata->is_object())
        if (const Json* const tools = find(*metadata, "tools")) cyclone_tool(*tools);
      components(find(document, "components"), 0);
    } else {
      spdx_tool(find(document, "creationInfo"));
      each(find(document, "packages"),
           [&](const Json& package) { add(text(package, "name"), spdx_purl(package), false); });
      each(find(document, "files"), [&](const Json& file) { add(text(file, "fileName"), "", true); });
    }
    return std::move(sbom_);
  }

 private:
  static std::string text(const Json& object, const char* key) {
    const Json* const value = object.is_object() ? find(object, key) : nullptr;
    return value != nullptr && value->is_string() ? value->get_ref<const std::string&>().substr(0, max_part_text) : "";
  }
  template <class Visit>
  static void each(const Json* list, Visit visit) {
    if (list == nullptr || !list->is_array()) return;
    for (const Json& one : *list)
      if (one.is_object()) visit(one);
  }
  void add(std::string name, std::string purl, bool is_file) {
    if (sbom_.parts.size() < max_parts && !(name.empty() && purl.empty()))
      sbom_.parts.push_back({.name = std::move(name), .purl = std::move(purl), .is_file = is_file});
  }
  // A list of tools until CycloneDX 1.4; an object with components and services since 1.5.
  void cyclone_tool(const Json& tools) {
    const Json* const list = tools.is_object() ? find(tools, "components") : &tools;
    each(list, [&](const Json& tool) {
      if (sbom_.tool.empty()) sbom_.tool = text(tool, "name");
    });
  }
  void spdx_tool(const Json* creation) {
    if (creation == nullptr || !creation->is_object()) return;
    const Json* const creators = find(*creation, "creators");
    if (creators == nullptr || !creators->is_array()) return;
    constexpr std::string_view tool = "Tool: ";
    for (const Json& creator : *creators)
      if (creator.is_string() && creator.get_ref<const std::string&>().starts_with(tool) && sbom_.tool.empty())
        sbom_.tool = creator.get_ref<const std::string&>().substr(tool.size(), max_part_text);
  }
  // A component may contain others, and name the places where it was found.
  void components(const Json* list, std::size_t level) {
    if (level > deepest) return;
    each(list, [&](const Json& component) {
      add(text(component, "name"), text(component, "purl"), text(component, "type") == "file");
      if (const Json* const evidence = find(component, "evidence"); evidence != nullptr && evidence->is_object())
        each(find(*evidence, "occurrences"), [&](const Json& place) { add(text(place, "location"), "", true); });
      components(find(component, "components"), level + 1);
    });
  }
  static std::string spdx_purl(const Json& package) {
    std::string purl;
    each(find(package, "externalRefs"), [&](const Json& reference) {
      if (text(reference, "referenceType") == "purl") purl = text(reference, "referenceLocator");
    });
    return purl;
  }

  Sbom sbom_;
};

}  // namespace

CheckedFiles checked_files(std::span<const MemberFacts> members, const std::optional<std::string>& dist_info) {
  CheckedFiles files;
  if (!dist_info) return files;
  std::uint64_t left = max_sbom_bytes;
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    const std::string_view path = members[i].path.text();
    if (!path.starts_with(*dist_info)) continue;
    const std::string_view rest = path.substr(dist_info->size());
    const bool sbom = rest.starts_with("/sboms/") && rest.ends_with(".json");
    if (!sbom && rest != "/entry_points.txt" && rest != "/variant.json") continue;
    const bool fits = members[i].size <= (sbom ? std::min(left, largest_json) : largest_json);
    if (sbom && fits) left -= members[i].size;
    const WheelArea area = sbom ? WheelArea::Sbom : rest == "/variant.json" ? WheelArea::Variant : WheelArea::DistInfo;
    (fits ? files.read : files.too_long).emplace(MemberIndex{i}, area);
  }
  return files;
}

JsonReading read_dist_info_file(WheelArea area, std::string_view text, MemberIndex member, std::string_view path,
                                const WheelFacts& wheel) {
  if (area == WheelArea::Sbom) return read_sbom(text, member, path);
  if (area == WheelArea::Variant) return read_variant(text, member, path, wheel.name.variant);
  EntryPoints points = read_entry_points(text, member, path, wheel.members);
  JsonReading reading{.flaws = std::move(points.flaws), .scripts = std::move(points.scripts)};
  if (std::string problem = index_entry_points_problem(text); !problem.empty())
    reading.flaws.push_back({.area = WheelArea::IndexEntryPoints,
                             .member = member,
                             .subject = std::string(path),
                             .reason = std::move(problem)});
  return reading;
}

JsonReading read_variant(std::string_view text, MemberIndex member, std::string_view path, std::string_view label) {
  VariantReader reader(WheelArea::Variant, member, path);
  if (const std::optional<Json> document = reader.parse(text)) reader.read(*document, label);
  return std::move(reader.result_);
}

JsonReading read_sbom(std::string_view text, MemberIndex member, std::string_view path) {
  Reader reader(WheelArea::Sbom, member, path);
  const std::optional<Json> document = reader.parse(text);
  if (!document) return std::move(reader.result_);
  // CycloneDX has a format name (bomFormat), SPDX 2 a version; SPDX 3 is JSON-LD.
  const bool cyclone = find(*document, "bomFormat") != nullptr;
  const bool spdx = find(*document, "spdxVersion") != nullptr;
  if (!cyclone && !spdx && find(*document, "@context") == nullptr) reader.complain("is neither CycloneDX nor SPDX");
  if (cyclone || spdx) reader.result_.sbom = SbomReader(member).read(*document, cyclone);
  const Json* const parts = cyclone ? find(*document, "components") : spdx ? find(*document, "packages") : nullptr;
  // A document about the wheel may say that nothing is bundled in it.
  const Json* const metadata = cyclone ? find(*document, "metadata") : nullptr;
  const bool of_wheel = metadata != nullptr && metadata->is_object() && find(*metadata, "component") != nullptr;
  if ((cyclone || spdx) && (parts == nullptr || !parts->is_array() || (parts->empty() && !of_wheel)))
    reader.complain(fmt::format("lists no {}", cyclone ? "components" : "packages"));
  return std::move(reader.result_);
}

}  // namespace wheelcheck::wheel
