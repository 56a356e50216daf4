// What levels say of themselves: names, places in their files.
#include "policy/authoring/source_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "json/json.h"
#include "policy/document.h"

namespace wheelcheck::policy {
namespace {

// Where the object stands in an array that calls its level `level.name`, or what that is an alias of.
std::size_t index_of(const nlohmann::json& array, const Level& level) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!array[i].is_object() || !array[i].contains("name") || !array[i]["name"].is_string()) continue;
    const auto name = array[i]["name"].get<std::string>();
    if (name == level.name || std::ranges::find(level.aliases, name) != level.aliases.end()) return i;
  }
  return 0;
}

}  // namespace

std::string Origin::name() const { return json::pointer_step(entry, "name"); }

std::string Origin::architectures() const {
  return json::pointer_step(entry, auditwheel ? "symbol_versions" : "architectures");
}

std::string Origin::versions(Arch arch, std::string_view family) const {
  const std::string place = json::pointer_step(architectures(), name_of(arch));
  return json::pointer_step(auditwheel ? place : json::pointer_step(place, "versions"), family);
}

std::string Origin::libraries(Arch arch) const {
  return auditwheel ? json::pointer_step(entry, "lib_whitelist") : json::pointer_step(architectures(), name_of(arch));
}

std::string Origin::denied(Arch arch, std::string_view library) const {
  return auditwheel ? json::pointer_step(json::pointer_step(entry, "blacklist"), library)
                    : json::pointer_step(architectures(), name_of(arch));
}

std::vector<Placed> placed(const Document& document, std::vector<Level> levels) {
  Problems none;
  const auto json = parse_document(document.text, none);
  std::vector<Placed> out;
  for (Level& level : levels) {
    Origin origin{.file = document.file, .entry = "", .auditwheel = json && json->is_array()};
    if (origin.auditwheel) origin.entry = fmt::format("/{}", index_of(*json, level));
    out.push_back({std::move(level), std::move(origin)});
  }
  return out;
}

}  // namespace wheelcheck::policy
