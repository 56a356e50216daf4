// Systems as JSON (docs/runs-on.schema.json). Requirements are listed once and systems refer to them by index, because
// a wheel may have thousands of requirements and there are many systems.
#include <string>

#include "report/check/json_wheel.h"
#include "report/runs_on/runs_on.h"
#include "report/shared/json_text.h"
#include "report/shared/names.h"

namespace wheelcheck::report {
namespace {

Json requirement_json(const WheelFacts& wheel, const SystemRequirement& system_requirement) {
  Json out = {{"kind", name_of(system_requirement.kind)}, {"name", safe(system_requirement.name)}};
  if (!system_requirement.library.empty()) out["library"] = safe(system_requirement.library);
  out["member"] = elf_path(wheel, system_requirement.file);
  if (!system_requirement.symbol.empty()) out["symbol"] = safe_long(system_requirement.symbol);
  out["files"] = system_requirement.files;
  return out;
}

Json system_json(const KnownSystem& system, const SystemCompatibility& reach) {
  Json out = {{"id", safe(system.id)},
              {"distribution", safe(system.distribution)},
              {"version", safe(system.version)},
              {"libc", std::string(name_of(system.libc)) + ' ' + to_string(system.libc_version)},
              {"support_ends", system.support_ends.empty() ? Json(nullptr) : Json(safe(system.support_ends))},
              {"runs", name_of(reach.runs)},
              {"pip", !reach.tags.empty()},
              {"tags", texts(reach.tags)},
              {"lacks", reach.lacks},
              {"open", reach.open}};
  return out;
}

Json machine_json(const WheelFacts& wheel, const MachineCompatibility& machine, std::span<const KnownSystem> systems) {
  Json required = Json::array(), answers = Json::array();
  for (const SystemRequirement& system_requirement : machine.required)
    required.push_back(requirement_json(wheel, system_requirement));
  for (const SystemCompatibility& reach : machine.systems) answers.push_back(system_json(systems[reach.system], reach));
  return {{"architecture", machine.arch == Arch::Other ? Json("any") : Json(name_of(machine.arch))},
          {"asks", std::move(required)},
          {"systems", std::move(answers)}};
}

}  // namespace

std::string render_runs_on_json(std::span<const Compatibility> wheels, const RunsOnOptions& options) {
  Json list = Json::array();
  for (const Compatibility& one : wheels) {
    Json machines = Json::array();
    for (const MachineCompatibility& machine : one.reach.machines)
      machines.push_back(machine_json(one.wheel.facts, machine, options.systems));
    list.push_back({{"file", safe(one.wheel.facts.file)}, {"machines", std::move(machines)}});
  }
  const Json document = {{"schema", "wheelcheck-runs-on"},
                         {"version", json_version},
                         {"today", options.today.empty() ? Json(nullptr) : Json(safe(options.today))},
                         {"left_out", options.ended},
                         {"wheels", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::report
