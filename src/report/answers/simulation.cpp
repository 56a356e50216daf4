// A simulation as a document and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "base/text.h"
#include "report/answers/answers.h"
#include "report/check/json_wheel.h"
#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report {

namespace {

constexpr std::size_t cause_symbols = 5, cause_symbols_width = 60;

void add(std::vector<std::string>& out, std::string_view label, const std::vector<std::string>& levels) {
  if (!levels.empty()) out.push_back(fmt::format("{}: {}", label, escape(join(levels, ", "))));
}

// GLIBC_2.28 of libc.so.6; libexpat.so.1; gzgetc_ of libz.so.1, denied. Escaped.
std::string cause_text(const Requirement& required) {
  const std::string what = subject_of(required);
  if (const auto* const version = std::get_if<VersionRequirement>(&required.what))
    return fmt::format("{} of {}", what, escape(version->library));
  return std::holds_alternative<SymbolRequirement>(required.what) ? what + ", denied" : what;
}

// "39 wheels: 2 gain, 1 loses, 36 as before"
std::string counts_text(const Simulation& simulation) {
  std::string out =
      fmt::format("{}: {} {}, {} {}", count_of(simulation.wheels.size(), "wheel"), simulation.gain,
                  simulation.gain == 1 ? "gains" : "gain", simulation.lose, simulation.lose == 1 ? "loses" : "lose");
  if (simulation.mixed != 0) out += fmt::format(", {} both", simulation.mixed);
  out += fmt::format(", {} as before", simulation.same);
  if (simulation.unreadable != 0) out += fmt::format(", {} not readable", simulation.unreadable);
  if (simulation.lose_claim != 0)
    out += fmt::format("; {} no longer {} a tag that {}", simulation.lose_claim,
                       simulation.lose_claim == 1 ? "keeps" : "keep",
                       simulation.lose_claim == 1 ? "it claims" : "they claim");
  return out;
}

// "new: manylinux_2_42", "changed: ...", "removed: ...". If no level differs, one text that says so.
std::vector<std::string> edits_text(const Simulation& simulation) {
  std::vector<std::string> out;
  add(out, "new", simulation.added);
  add(out, "changed", simulation.changed);
  add(out, "removed", simulation.removed);
  if (out.empty()) out.emplace_back("no level differs");
  return out;
}

// The levels that are the best tag of more or fewer wheels than before.
std::vector<CountedLevel> shifted_levels(const Simulation& simulation) {
  std::set<std::string> level_sets;
  for (const CountedLevel& level : simulation.levels)
    if (level.before != level.after) level_sets.insert(level.policy_levels);
  std::vector<CountedLevel> out;
  std::ranges::copy_if(simulation.levels, std::back_inserter(out),
                       [&](const CountedLevel& level) { return level_sets.contains(level.policy_levels); });
  return out;
}

// "manylinux_2_28_x86_64 -> manylinux_2_17_x86_64" for each policy family whose best level changes.
std::vector<std::string> level_set_texts(const SimulatedWheel& wheel) {
  std::vector<std::string> out;
  for (const SimulatedLevels& policy_levels : wheel.level_sets)
    if (policy_levels.shift != Shift::Same)
      out.push_back(fmt::format("{} -> {}", escape(policy_levels.before), escape(policy_levels.after)));
  return out;
}

// The claims whose result changes, one text each.
std::vector<std::string> claim_texts(const SimulatedWheel& wheel) {
  std::vector<std::string> out;
  for (const SimulatedClaim& claim : wheel.claims) {
    if (claim.shift == Shift::Loses) out.push_back(fmt::format("is no longer compatible with {}", escape(claim.tag)));
    if (claim.shift == Shift::Gains) out.push_back(fmt::format("is compatible with {} now", escape(claim.tag)));
  }
  return out;
}

// The causes of one direction, each with its symbols: "GLIBC_2.28 of libc.so.6 (fcntl64)".
std::vector<std::string> cause_texts(const SimulatedWheel& wheel, bool lost) {
  std::vector<std::string> out;
  for (const SimulatedCause& cause : wheel.causes) {
    if (cause.lost != lost) continue;
    std::set<std::string, NaturalLess> symbols;
    if (!std::holds_alternative<SymbolRequirement>(cause.required.what))
      for (const SimulatedCause::File& file : cause.files)
        for (const std::string& symbol : file.symbols) symbols.insert(escape(symbol));
    const std::vector<std::string> names(symbols.begin(), symbols.end());
    out.push_back(cause_text(cause.required));
    if (!names.empty()) out.back() += fmt::format(" ({})", first_few(names, cause_symbols, cause_symbols_width));
  }
  return out;
}

// The first few symbols of a cause, or "".
std::string symbols_text(const CountedCause& cause) {
  if (std::holds_alternative<SymbolRequirement>(cause.required.what)) return "";
  std::vector<std::string> names;
  for (const CountedSymbol& symbol : cause.symbols) {
    names.push_back(escape(symbol.name));
    if (symbol.wheels != cause.wheels) names.back() += fmt::format(" ({})", symbol.wheels);
  }
  return names.empty() ? "" : first_few(names, cause_symbols, cause_symbols_width);
}

// "3 of 5": the wheels that this cause and those before it explain.
std::string explained_text(const CountedCause& cause, const Simulation& simulation, bool lost) {
  return fmt::format("{} of {}", cause.explained, (lost ? simulation.lose : simulation.gain) + simulation.mixed);
}

// The name, with the message if the wheel could not be read.
std::string wheel_name(const SimulatedWheel& wheel) {
  return wheel.unreadable ? unreadable_sentence({wheel.path, *wheel.unreadable}) : escape(wheel.file);
}

void add_levels(Document& out, const Simulation& simulation) {
  const std::vector<CountedLevel> levels = shifted_levels(simulation);
  const auto title_of = [](const CountedLevel& level) { return "lowest compatible tag, " + level.policy_levels; };
  std::size_t width = 0;
  for (const CountedLevel& level : levels)
    width = std::max({width, columns(escape(level.tag)), columns(title_of(level))});
  for (auto level = levels.begin(); level != levels.end();) {
    TextTable table{.columns = {{.title = title_of(*level), .min_width = width},
                                {.title = "before", .right = true},
                                {.title = "after", .right = true},
                                {}}};
    const std::string& family = level->policy_levels;
    for (; level != levels.end() && level->policy_levels == family; ++level)
      table.rows.push_back({escape(level->tag), std::to_string(level->before), std::to_string(level->after),
                            level->before == level->after ? "" : "*"});
    out.blank();
    out.add(std::move(table));
  }
}

void add_causes(Document& out, const Simulation& simulation, bool lost) {
  const std::vector<CountedCause>& causes = lost ? simulation.losses : simulation.gains;
  if (causes.empty()) return;
  TextTable table{
      .columns = {{.title = lost ? "refused by the new levels" : "refused by the old levels", .max_width = 50},
                  {.title = "wheels", .right = true},
                  {.title = "files", .right = true},
                  {.title = "explain", .right = true},
                  {}}};
  for (const CountedCause& cause : causes)
    table.rows.push_back({cause_text(cause.required), std::to_string(cause.wheels), std::to_string(cause.files),
                          explained_text(cause, simulation, lost), symbols_text(cause)});
  out.blank();
  out.add(std::move(table));
}

void add_wheels(Document& out, const Simulation& simulation, Shift shift) {
  for (const SimulatedWheel& wheel : simulation.wheels) {
    if (wheel.unreadable || wheel.shift != shift) continue;
    out.section(styled("{} {}", StyledText(name_of(shift), shift == Shift::Gains ? Style::Good : Style::Bad),
                       StyledText(wheel_name(wheel), Style::Strong)));
    for (const auto& list : {level_set_texts(wheel), claim_texts(wheel)})
      for (const std::string& text : list) out.line("  ", text, 4);
    for (const bool lost : {true, false})
      if (const std::vector<std::string> texts = cause_texts(wheel, lost); !texts.empty())
        out.line("  ", fmt::format("{} {}", lost ? "now refused:" : "was refused:", join(texts, ", ")), 4);
  }
}

void add_conclusion(Document& out, const Simulation& simulation, bool fail_on_loss) {
  const bool loses = simulation.lose_claim > 0;
  std::string text = loses ? fmt::format("{} no longer compatible with a claimed tag",
                                         count_of(simulation.lose_claim, "wheel is", "wheels are"))
                           : "every wheel stays compatible with the tags that it claims";
  if (loses) text += fail_on_loss ? " (--fail-on-loss)" : " (exit 1 with --fail-on-loss)";
  if (simulation.unreadable > 0) text = fmt::format("{} not read; {}", count_of(simulation.unreadable, "input"), text);
  const bool failed = simulation.unreadable > 0 || (loses && fail_on_loss);
  out.outcome(styled("{}: {}",
                     failed  ? StyledText("FAILED", Style::Bad)
                     : loses ? StyledText("CHANGED", Style::Strong)
                             : StyledText("PASSED", Style::Good),
                     text));
}

Document document_of(const Simulation& simulation, bool fail_on_loss) {
  Document out;
  out.line(counts_text(simulation));
  for (const std::string& edit : edits_text(simulation)) out.line({}, edit, 2);
  add_levels(out, simulation);
  for (const bool lost : {true, false}) add_causes(out, simulation, lost);
  for (const Shift shift : {Shift::Loses, Shift::Mixed, Shift::Gains}) add_wheels(out, simulation, shift);
  for (const SimulatedWheel& wheel : simulation.wheels) {
    if (!wheel.unreadable) continue;
    out.blank();
    out.line(styled("{} {}", StyledText("not readable", Style::Bad), wheel_name(wheel)));
  }
  add_conclusion(out, simulation, fail_on_loss);
  return out;
}

// A simulation as JSON (docs/simulation.schema.json).

// A requirement: its kind, its library if it has one, and the name or number.
Json required_json(const Requirement& required) {
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
  Json out = required_json(cause.required);
  out["refused_by"] = cause.lost ? "new" : "old";
  Json files = Json::array();
  for (const SimulatedCause::File& file : cause.files)
    files.push_back({{"member", safe(file.path)}, {"symbols", symbol_texts(file.symbols)}});
  out["files"] = std::move(files);
  return out;
}

Json cause_json(const CountedCause& cause) {
  Json out = required_json(cause.required);
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
    level_sets.push_back({{"policy_family", policy_levels.policy_levels},
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

std::string json_of(const Simulation& simulation) {
  Json wheels = Json::array(), levels = Json::array();
  for (const SimulatedWheel& wheel : simulation.wheels) wheels.push_back(wheel_json(wheel));
  for (const CountedLevel& level : simulation.levels)
    levels.push_back({{"policy_family", level.policy_levels},
                      {"tag", safe(level.tag)},
                      {"before", level.before},
                      {"after", level.after}});
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
  return document_text(document);
}

}  // namespace

Answer simulation_answer(const Simulation& simulation, bool fail_on_loss) {
  return {.document = [&simulation, fail_on_loss] { return document_of(simulation, fail_on_loss); },
          .json = [&simulation] { return json_of(simulation); }};
}

}  // namespace wheelcheck::report
