#include "import_plan/top_packages.h"

#include <algorithm>
#include <string>

#include "model/dependency.h"

namespace wheelcheck::import_plan {
namespace {

// google.protobuf is one, where google is a mere directory.
bool is_top(const Modules& modules, const Module& module) {
  if (module.form == Module::Form::Directory || !module.package) return false;
  for (std::size_t dot = module.name.find('.'); dot != module.name.npos; dot = module.name.find('.', dot + 1)) {
    const auto above = modules.find(std::string_view(module.name).substr(0, dot));
    if (!above || modules[*above].form != Module::Form::Directory) return false;
  }
  return true;
}

}  // namespace

std::vector<ModuleId> roots_of(const Modules& modules, std::uint32_t party) {
  const std::string own = normal_project_name(modules.part(party).wheel->name.distribution);
  std::vector<ModuleId> tops, plain;
  for (ModuleId id = 0; id < modules.size(); ++id) {
    const Module& module = modules[id];
    if (module.party != party) continue;
    if (is_top(modules, module)) tops.push_back(id);
    if (module.name.find('.') == module.name.npos && module.form != Module::Form::Directory) plain.push_back(id);
  }
  const auto has_own_name = [&](ModuleId id) { return normal_project_name(modules[id].name) == own; };
  for (const auto* const list : {&tops, &plain}) {
    const auto named = std::ranges::find_if(*list, has_own_name);
    if (named != list->end()) return {*named};
  }
  if (tops.empty()) tops = plain;
  std::ranges::sort(tops, {}, [&](ModuleId id) -> const std::string& { return modules[id].name; });
  return tops;
}

}  // namespace wheelcheck::import_plan
