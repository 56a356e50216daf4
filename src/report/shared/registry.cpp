// The formats by name. The build lists them from the files of this room; nothing here names one.
#include <algorithm>
#include <vector>

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

}  // namespace wheelcheck
