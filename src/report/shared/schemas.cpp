// Looks up a published JSON Schema by name.
#include "report/shared/schemas.h"

#include <algorithm>
#include <cstddef>

#include "base/embedded.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_schemas[];
extern const std::size_t embedded_schemas_count;

namespace report {
namespace {

// report.schema.json -> report, policy.json -> policy
std::string_view stem(std::string_view file) {
  for (const std::string_view ending : {".json", ".schema"})
    if (file.ends_with(ending)) file.remove_suffix(ending.size());
  return file;
}

}  // namespace

std::string_view find_schema(std::string_view name) {
  if (name == "json") name = "report";  // the format's name, as on the command line
  for (std::size_t i = 0; i < embedded_schemas_count; ++i)
    if (stem(embedded_schemas[i].name) == name) return embedded_schemas[i].text;
  return {};
}

std::vector<std::string_view> schema_names() {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < embedded_schemas_count; ++i) out.push_back(stem(embedded_schemas[i].name));
  if (std::ranges::find(out, std::string_view("report")) != out.end()) out.emplace_back("json");
  std::ranges::sort(out);
  return out;
}

}  // namespace report
}  // namespace wheelcheck
