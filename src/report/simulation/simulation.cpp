// A simulation as text, Markdown and JSON.
#include "report/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "base/text.h"
#include "report/check/json_wheel.h"
#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report {

namespace {

std::string head_of(const CountedLevel& level) { return "lowest compatible tag, " + level.policy_levels; }

std::string levels_text(const Simulation& simulation) {
  const std::vector<CountedLevel> levels = shifted_levels(simulation);
  std::size_t width = 0;
  for (const CountedLevel& level : levels)
    width = std::max({width, columns(escape(level.tag)), columns(head_of(level))});
  std::string out, policy_levels;
  for (const CountedLevel& level : levels) {
    if (level.policy_levels != policy_levels)
      out += fmt::format("\n{}  before  after\n", padded(head_of(level), width + 2));
    policy_levels = level.policy_levels;
    out += fmt::format("  {}  {:>6}  {:>5}{}\n", padded(escape(level.tag), width), level.before, level.after,
                       level.before == level.after ? "" : "  *");
  }
  return out;
}

std::string causes_text(const Simulation& simulation, bool lost, const Paint& paint) {
  const std::vector<CountedCause>& causes = lost ? simulation.losses : simulation.gains;
  if (causes.empty()) return "";
  std::size_t width = 0;
  for (const CountedCause& cause : causes) width = std::max(width, columns(cause_text(cause.required)));
  const std::string head = lost ? "refused by the new levels" : "refused by the old levels";
  width = std::max(std::min<std::size_t>(width, 50), columns(head));
  std::string out = fmt::format("\n{}  wheels  files  explain\n", padded(head, width + 2));
  for (const CountedCause& cause : causes) {
    const std::string start = fmt::format("  {}  {:>6}  {:>5}  {:>7}  ", padded(cause_text(cause.required), width),
                                          cause.wheels, cause.files, explained_text(cause, simulation, lost));
    std::string line = start + paint.wrapped(symbols_text(cause), columns(start), columns(start));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string wheels_text(const Simulation& simulation, Shift shift, const Paint& paint) {
  std::string out;
  for (const SimulatedWheel& wheel : simulation.wheels) {
    if (wheel.unreadable || wheel.shift != shift) continue;
    const std::string word(name_of(shift));
    out += fmt::format("\n{} {}\n", shift == Shift::Gains ? paint.green(word) : paint.red(word),
                       paint.bold(wheel_name(wheel)));
    for (const auto& list : {level_set_texts(wheel, "->"), claim_texts(wheel)})
      for (const std::string& text : list) out += fmt::format("  {}\n", paint.wrapped(text, 2, 4));
    for (const bool lost : {true, false})
      if (const std::vector<std::string> texts = cause_texts(wheel, lost); !texts.empty())
        out += fmt::format(
            "  {}\n",
            paint.wrapped(fmt::format("{} {}", lost ? "now refused:" : "was refused:", join(texts, ", ")), 2, 4));
  }
  return out;
}

// The last line; it agrees with the exit code.
std::string conclusion(const Simulation& simulation, const SimulationTextOptions& options, const Paint& paint) {
  const bool loses = simulation.lose_claim > 0;
  std::string text = loses ? fmt::format("{} no longer compatible with a claimed tag",
                                         plural(simulation.lose_claim, "wheel is", "wheels are"))
                           : "every wheel stays compatible with the tags that it claims";
  if (loses) text += options.fail_on_loss ? " (--fail-on-loss)" : " (exit 1 with --fail-on-loss)";
  if (simulation.unreadable > 0) text = fmt::format("{} not read; {}", plural(simulation.unreadable, "input"), text);
  const bool failed = simulation.unreadable > 0 || (loses && options.fail_on_loss);
  if (failed) return fmt::format("{}: {}\n", paint.red("FAILED"), text);
  if (loses) return fmt::format("{}: {}\n", paint.bold("CHANGED"), text);
  return fmt::format("{}: {}\n", paint.green("PASSED"), text);
}

}  // namespace

std::string render_simulation_text(const Simulation& simulation, const SimulationTextOptions& options) {
  const Paint& paint = options.paint;
  std::string out = counts_text(simulation) + "\n";
  for (const std::string& edit : edits_text(simulation)) out += paint.wrapped(edit, 0, 2) + "\n";
  out += levels_text(simulation) + causes_text(simulation, true, paint) + causes_text(simulation, false, paint);
  for (const Shift shift : {Shift::Loses, Shift::Mixed, Shift::Gains}) out += wheels_text(simulation, shift, paint);
  for (const SimulatedWheel& wheel : simulation.wheels)
    if (wheel.unreadable) out += fmt::format("\n{} {}\n", paint.red("not readable"), wheel_name(wheel));
  return out + "\n" + conclusion(simulation, options, paint);
}

namespace {

constexpr std::size_t cause_symbols = 5, cause_symbols_width = 60;

void add(std::vector<std::string>& out, std::string_view label, const std::vector<std::string>& levels) {
  if (!levels.empty()) out.push_back(fmt::format("{}: {}", label, escape(join(levels, ", "))));
}

}  // namespace

std::string cause_text(const Requirement& required) {
  const std::string what = subject_of(required);
  if (const auto* const version = std::get_if<VersionRequirement>(&required.what))
    return fmt::format("{} of {}", what, escape(version->library));
  return std::holds_alternative<SymbolRequirement>(required.what) ? what + ", denied" : what;
}

std::string counts_text(const Simulation& simulation) {
  std::string out =
      fmt::format("{}: {} {}, {} {}", plural(simulation.wheels.size(), "wheel"), simulation.gain,
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

std::vector<std::string> edits_text(const Simulation& simulation) {
  std::vector<std::string> out;
  add(out, "new", simulation.added);
  add(out, "changed", simulation.changed);
  add(out, "removed", simulation.removed);
  if (out.empty()) out.emplace_back("no level differs");
  return out;
}

std::vector<CountedLevel> shifted_levels(const Simulation& simulation) {
  std::set<std::string> level_sets;
  for (const CountedLevel& level : simulation.levels)
    if (level.before != level.after) level_sets.insert(level.policy_levels);
  std::vector<CountedLevel> out;
  std::ranges::copy_if(simulation.levels, std::back_inserter(out),
                       [&](const CountedLevel& level) { return level_sets.contains(level.policy_levels); });
  return out;
}

std::vector<std::string> level_set_texts(const SimulatedWheel& wheel, std::string_view arrow) {
  std::vector<std::string> out;
  for (const SimulatedLevels& policy_levels : wheel.level_sets)
    if (policy_levels.shift != Shift::Same)
      out.push_back(fmt::format("{} {} {}", escape(policy_levels.before), arrow, escape(policy_levels.after)));
  return out;
}

std::vector<std::string> claim_texts(const SimulatedWheel& wheel) {
  std::vector<std::string> out;
  for (const SimulatedClaim& claim : wheel.claims) {
    if (claim.shift == Shift::Loses) out.push_back(fmt::format("is no longer compatible with {}", escape(claim.tag)));
    if (claim.shift == Shift::Gains) out.push_back(fmt::format("is compatible with {} now", escape(claim.tag)));
  }
  return out;
}

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

std::string symbols_text(const CountedCause& cause) {
  if (std::holds_alternative<SymbolRequirement>(cause.required.what)) return "";
  std::vector<std::string> names;
  for (const CountedSymbol& symbol : cause.symbols) {
    names.push_back(escape(symbol.name));
    if (symbol.wheels != cause.wheels) names.back() += fmt::format(" ({})", symbol.wheels);
  }
  return names.empty() ? "" : first_few(names, cause_symbols, cause_symbols_width);
}

std::string explained_text(const CountedCause& cause, const Simulation& simulation, bool lost) {
  return fmt::format("{} of {}", cause.explained, (lost ? simulation.lose : simulation.gain) + simulation.mixed);
}

std::string wheel_name(const SimulatedWheel& wheel) {
  return wheel.unreadable ? unreadable_sentence({wheel.path, *wheel.unreadable}) : escape(wheel.file);
}

// A simulation as Markdown tables for a PEP or a pull request.

namespace {

std::string levels_table(const Simulation& simulation) {
  const std::vector<CountedLevel> levels = shifted_levels(simulation);
  std::string out = "\n### Lowest compatible tags\n\n| levels | tag | before | after |\n|---|---|---:|---:|\n";
  for (const CountedLevel& level : levels)
    out += fmt::format("| {} | {} | {} | {} |\n", markdown(level.policy_levels), markdown_code(level.tag), level.before,
                       level.after);
  return levels.empty() ? "" : out;
}

std::string causes_table(const Simulation& simulation, bool lost) {
  const std::vector<CountedCause>& causes = lost ? simulation.losses : simulation.gains;
  if (causes.empty()) return "";
  std::string out = fmt::format(
      "\n### Refused by the {} levels\n\n| required | wheels | files | explained so far | symbols |\n"
      "|---|---:|---:|---:|---|\n",
      lost ? "new" : "old");
  for (const CountedCause& cause : causes) {
    const std::string symbols = symbols_text(cause);
    out += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_code_shown(cause_text(cause.required)), cause.wheels,
                       cause.files, explained_text(cause, simulation, lost),
                       symbols.empty() ? "" : markdown_code_shown(symbols));
  }
  return out;
}

std::string table_cell(const std::vector<std::string>& texts) {
  std::vector<std::string> shown;
  for (const std::string& text : texts) shown.push_back(markdown_shown(text));
  return join(shown, "<br>");
}

std::string wheels_table(const Simulation& simulation) {
  if (simulation.gain + simulation.lose + simulation.mixed == 0) return "";
  std::string out = "\n### Wheels\n\n| | wheel | lowest compatible tag | claims | refused |\n|---|---|---|---|---|\n";
  for (const Shift shift : {Shift::Loses, Shift::Mixed, Shift::Gains})
    for (const SimulatedWheel& wheel : simulation.wheels) {
      if (wheel.unreadable || wheel.shift != shift) continue;
      std::vector<std::string> causes;
      for (const bool lost : {true, false})
        for (const std::string& text : cause_texts(wheel, lost))
          causes.push_back(fmt::format("{} {}", lost ? "now" : "was", text));
      out += fmt::format("| {} | {} | {} | {} | {} |\n", name_of(shift), markdown_code_shown(wheel_name(wheel)),
                         table_cell(level_set_texts(wheel, "→")), table_cell(claim_texts(wheel)), table_cell(causes));
    }
  return out;
}

}  // namespace

std::string render_simulation_markdown(const Simulation& simulation) {
  std::string out = fmt::format("{}.\n", markdown_shown(counts_text(simulation)));
  for (const std::string& edit : edits_text(simulation)) out += fmt::format("\n- {}", markdown_shown(edit));
  out += "\n" + levels_table(simulation) + causes_table(simulation, true) + causes_table(simulation, false) +
         wheels_table(simulation);
  if (simulation.unreadable == 0) return out;
  out += "\n### Not readable\n\n";
  for (const SimulatedWheel& wheel : simulation.wheels)
    if (wheel.unreadable) out += fmt::format("- {}\n", markdown_shown(wheel_name(wheel)));
  return out;
}

// A simulation as JSON (docs/simulation.schema.json).
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
  return document_text(document);
}

}  // namespace wheelcheck::report
