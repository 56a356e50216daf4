// WC404: the GPU libraries that a wheel opens by name, which do not appear in DT_NEEDED.
#include <fmt/format.h>

#include <algorithm>

#include "rules/gpu/gpu_common.h"

namespace wheelcheck::rules::dlopen_inventory {
namespace {

// "pkg/x.so (dlopen)", "pkg/x.py line 12"
std::string where(const WheelView& view, const GpuReference& one) {
  const std::string& path = view.wheel.members[one.member->value].path.text();
  return one.line == 0 ? path : fmt::format("{} line {}", path, one.line);
}

// True for names that a file opens, or that Python code contains for that purpose. A name in a file that opens nothing
// is ignored.
bool is_opened(const GpuReference& one) {
  return one.use == GpuUse::Dlopen || one.use == GpuUse::Python || (one.use == GpuUse::Named && one.line != 0);
}

struct Inventory {
  std::vector<std::string> names, declared, driver;
  std::map<std::string, std::vector<std::string>> by_place;
  std::vector<std::string> missing;  // distributions that contain one of them and are not required
};

Inventory take(const WheelView& view) {
  Inventory result;
  for (const GpuReference& one : view.analysis.gpu) {
    if (one.use == GpuUse::Declared) result.declared.push_back(one.name);
    if (!is_opened(one) || !one.member) continue;
    result.names.push_back(one.name);
    if (one.driver) result.driver.push_back(one.name);
    result.by_place[where(view, one)].push_back(one.name);
    // If several distributions provide it, the choice is up to the wheel.
    if (!one.required && one.provided_by.size() == 1 && one.provided_by.front() != own_name(view))
      result.missing.push_back(one.provided_by.front());
  }
  result.names = distinct(std::move(result.names));
  result.driver = distinct(std::move(result.driver));
  result.missing = distinct(std::move(result.missing));
  return result;
}

void check(const WheelView& view, const Emit& emit) {
  const Inventory found = take(view);
  if (found.names.empty()) return;
  std::vector<Evidence> evidence{{"names", list_of(found.names, shown_symbols)}};
  std::size_t shown = 0;
  for (const auto& [place, names] : found.by_place) {
    if (shown++ == shown_items) {
      evidence.push_back({"and", count_of(found.by_place.size() - shown_items, "more place")});
      break;
    }
    evidence.push_back({place, list_of(distinct(names), shown_items)});
  }
  if (!found.declared.empty()) evidence.push_back({"only declared", list_of(found.declared, shown_items)});
  emit({.place = WholeWheel{},
        .message =
            fmt::format("opens at least {} by name: {}",
                        found.names.size() == 1 ? "1 GPU library" : fmt::format("{} GPU libraries", found.names.size()),
                        list_of(found.names, 3)),
        .evidence = std::move(evidence),
        .fix = found.missing.empty()
                   ? "nothing has to be changed; try the import on a machine without these libraries"
                   : fmt::format("if the package cannot do without them, depend on {}", list_of(found.missing)),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC404",
    .name = "dlopen-inventory",
    .severity = Severity::Info,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::dlopen_inventory
