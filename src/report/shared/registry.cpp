// The formats by name. The build lists them from the files of this room; nothing here names one.

#include "report/shared/registry.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/embedded.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

extern const std::span<const Renderer* const> renderer_list;  // written by the build, in the order of the file names

std::span<const Renderer* const> all_renderers() {
  static const std::vector<const Renderer*> sorted = [] {
    std::vector<const Renderer*> list(renderer_list.begin(), renderer_list.end());
    std::ranges::sort(list, {}, [](const Renderer* renderer) { return renderer->name; });
    return list;
  }();
  return sorted;
}

const Renderer* find_renderer(std::string_view name) {
  const std::span<const Renderer* const> all = all_renderers();
  const auto at = std::ranges::find(all, name, [](const Renderer* renderer) { return renderer->name; });
  return at == all.end() ? nullptr : *at;
}

// Looks up a published JSON Schema by name.

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
