#include "stories/roots.h"

#include <algorithm>
#include <string>

#include "base/dependency.h"

namespace wheelcheck::stories {
namespace {

using imports::Module;

// google.protobuf is one, where google is a mere directory.
bool is_top(const imports::Modules& modules, const Module& module) {
  if (module.form == Module::Form::Directory || !module.package) return false;
  for (std::size_t dot = module.name.find('.'); dot != module.name.npos; dot = module.name.find('.', dot + 1)) {
    const auto above = modules.find(std::string_view(module.name).substr(0, dot));
    if (!above || modules[*above].form != Module::Form::Directory) return false;
  }
  return true;
}

}  // namespace

std::vector<imports::ModuleId> roots_of(const imports::Modules& modules, std::uint32_t party) {
  const std::string own = normal_project_name(modules.part(party).wheel->name.distribution);
  std::vector<imports::ModuleId> tops, plain;
  for (imports::ModuleId id = 0; id < modules.size(); ++id) {
    const Module& module = modules[id];
    if (module.party != party) continue;
    if (is_top(modules, module)) tops.push_back(id);
    if (module.name.find('.') == module.name.npos && module.form != Module::Form::Directory) plain.push_back(id);
  }
  const auto has_own_name = [&](imports::ModuleId id) { return normal_project_name(modules[id].name) == own; };
  for (const auto* const list : {&tops, &plain}) {
    const auto named = std::ranges::find_if(*list, has_own_name);
    if (named != list->end()) return {*named};
  }
  if (tops.empty()) tops = plain;
  std::ranges::sort(tops, {}, [&](imports::ModuleId id) -> const std::string& { return modules[id].name; });
  return tops;
}

}  // namespace wheelcheck::stories
