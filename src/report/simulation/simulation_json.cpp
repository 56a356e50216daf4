// A simulation as JSON (docs/simulation.schema.json).
#include <string>
#include <utility>
#include <variant>

#include "report/check/json_wheel.h"
#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "report/simulation/simulation.h"

namespace wheelcheck::report {
namespace {

// A requirement: its kind, its library if it has one, and the name or number.
Json requirement_json(const Requirement& required) {
  Json out = {{"kind", kind_of(required)}};
  if (const auto* const version = std::get_if<VersionRequirement>(&required.what)) {
    out["library"] = safe(version->library);
    out["version"] = safe(version->version);
  } else if (const auto* const symbol = std::get_if<SymbolRequirement>(&required.what)) {
    out["library"] = safe(symbol->library);
    out["symbol"] = safe_long(symbol->symbol);
  } else if (const auto* const library = std::get_if<LibraryRequirement>(&required.what)) {
    out["library"] = safe(library->library);
  } else if (const auto* const missing = std::get_if<MissingVersionRequirement>(&required.what)) {
    out["library"] = safe(missing->library);
    out["version"] = safe(missing->version);
  } else {
    out["what"] = subject_of(required);
  }
  return out;
}

Json cause_json(const SimulatedCause& cause) {
  Json out = requirement_json(cause.required);
  out["refused_by"] = cause.lost ? "new" : "old";
  Json files = Json::array();
  for (const SimulatedCause::File& file : cause.files)
    files.push_back({{"member", safe(file.path)}, {"symbols", symbol_texts(file.symbols)}});
  out["files"] = std::move(files);
  return out;
}

Json cause_json(const CountedCause& cause) {
  Json out = requirement_json(cause.required);
  Json symbols = Json::array();
  for (const CountedSymbol& symbol : cause.symbols)
    symbols.push_back({{"name", safe_long(symbol.name)}, {"wheels", symbol.wheels}, {"files", symbol.files}});
  out["wheels"] = cause.wheels;
  out["files"] = cause.files;
  out["explained"] = cause.explained;
  out["symbols"] = std::move(symbols);
  return out;
}

template <class List>
Json list_json(const List& list) {
  Json out = Json::array();
  for (const auto& one : list) out.push_back(cause_json(one));
  return out;
}

Json wheel_json(const SimulatedWheel& wheel) {
  if (wheel.unreadable)
    return {{"file", safe(base_name(wheel.path))},
            {"error",
             {{"code", name_of(wheel.unreadable->code)},
              {"message", unreadable_message({wheel.path, *wheel.unreadable})}}}};
  Json level_sets = Json::array(), claims = Json::array();
  const auto tag = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(safe(text)); };
  for (const SimulatedLevels& policy_levels : wheel.level_sets)
    level_sets.push_back({{"ladder", policy_levels.policy_levels},
                          {"before", tag(policy_levels.before)},
                          {"after", tag(policy_levels.after)},
                          {"shift", name_of(policy_levels.shift)}});
  for (const SimulatedClaim& claim : wheel.claims)
    claims.push_back({{"tag", safe(claim.tag)},
                      {"before", tag_result_word(claim.before)},
                      {"after", tag_result_word(claim.after)},
                      {"shift", name_of(claim.shift)}});
  return {{"file", safe(wheel.file)},
          {"shift", name_of(wheel.shift)},
          {"best_tags_before", texts(wheel.best_before)},
          {"best_tags_after", texts(wheel.best_after)},
          {"ladders", std::move(level_sets)},
          {"claims", std::move(claims)},
          {"causes", list_json(wheel.causes)}};
}

}  // namespace

std::string render_simulation_json(const Simulation& simulation) {
  Json wheels = Json::array(), levels = Json::array();
  for (const SimulatedWheel& wheel : simulation.wheels) wheels.push_back(wheel_json(wheel));
  for (const CountedLevel& level : simulation.levels)
    levels.push_back(
        {{"ladder", level.policy_levels}, {"tag", safe(level.tag)}, {"before", level.before}, {"after", level.after}});
  const Json document = {{"schema", "wheelcheck-simulation"},
                         {"version", json_version},
                         {"wheelcheck", simulation.version},
                         {"levels_added", texts(simulation.added)},
                         {"levels_changed", texts(simulation.changed)},
                         {"levels_removed", texts(simulation.removed)},
                         {"counts",
                          {{"same", simulation.same},
                           {"gains", simulation.gain},
                           {"loses", simulation.lose},
                           {"mixed", simulation.mixed},
                           {"unreadable", simulation.unreadable},
                           {"lose_claim", simulation.lose_claim}}},
                         {"levels", std::move(levels)},
                         {"losses", list_json(simulation.losses)},
                         {"gains", list_json(simulation.gains)},
                         {"wheels", std::move(wheels)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::report
