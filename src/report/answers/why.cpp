// The answers of `why`: the unmet requirements of a wheel for one tag, by file, and with --cheapest the smallest set of
// symbols to avoid.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "base/text.h"
#include "mangling/demangle.h"
#include "report/answers/answers.h"
#include "report/answers/check_errors.h"
#include "report/check/json_wheel.h"
#include "report/shared/json_text.h"
#include "report/shared/levels.h"
#include "report/shared/names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

namespace {

struct NewestFirst {
  bool operator()(const std::string& a, const std::string& b) const { return natural_order(b, a) < 0; }
};

// The unmet requirements of one file.
struct FileUnmetRequirements {
  struct Library {
    std::string place;  // "not in the wheel, allowed by no manylinux level"; empty if it is required already
    // By version, which may be empty; "denied" for symbols that the level denies.
    std::map<std::string, std::vector<std::string>, NewestFirst> symbols;
    auto operator<=>(const Library&) const = default;
  };
  std::vector<std::string> general;  // about the file itself: machine, instructions, interpreter
  std::map<std::string, Library> libraries;
  auto operator<=>(const FileUnmetRequirements&) const = default;
};

std::map<ElfIndex, FileUnmetRequirements> by_file(const WheelReport& wheel, const Assessment& assessment,
                                                  LevelIndex level) {
  std::map<ElfIndex, FileUnmetRequirements> out;
  for (const RequirementIndex index : assessment.levels[level.value].unmet_requirements) {
    const Requirement& requirement = assessment.requirements[index.value];
    FileUnmetRequirements& file = out[requirement.elf];
    const auto of = [&](const std::string& name) -> auto& { return file.libraries[escape(name)]; };
    if (const auto* version = std::get_if<VersionRequirement>(&requirement.what)) {
      std::vector<std::string>& symbols = of(version->library).symbols[escape(version->version)];
      for (const std::string& symbol : version->symbols) symbols.push_back(escape(demangle_briefly(symbol)));
    } else if (const auto* library = std::get_if<LibraryRequirement>(&requirement.what)) {
      const auto here = unreached(wheel.resolution, requirement.elf, library->library);
      of(library->library).place =
          here && here->wheel.value == 0
              ? fmt::format("in the wheel as {}, but no search path leads there", elf_path(wheel.facts, here->elf))
              : fmt::format("not in the wheel, {}", allowed_by(assessment, index));
    } else if (const auto* symbol = std::get_if<SymbolRequirement>(&requirement.what)) {
      of(symbol->library).symbols["denied"].push_back(escape(demangle_briefly(symbol->symbol)));
    } else if (const auto* missing = std::get_if<MissingVersionRequirement>(&requirement.what)) {
      of(missing->library).symbols[escape(missing->version)] = {"not defined by the copy in the wheel"};
    } else {
      file.general.push_back(subject_of(requirement));
    }
  }
  return out;
}

void add_file(Document& out, const FileUnmetRequirements& file) {
  for (const std::string& text : file.general) out.line("  " + StyledText(text, Style::Term));
  for (const auto& [name, library] : file.libraries) {
    out.line(fmt::format("  {}{}{}", name, library.place.empty() ? "" : "  ", library.place));
    TextTable table{.indent = 4, .columns = {{}, {}}};
    for (const auto& [node, symbols] : library.symbols)
      table.rows.push_back({{node, Style::Term}, symbols.empty() ? "no symbol has this version" : join(symbols, ", ")});
    out.add(std::move(table));
  }
}

// Files with the same unmet requirements share a block.
void add_files(Document& out, const WheelFacts& wheel, const std::map<ElfIndex, FileUnmetRequirements>& files) {
  constexpr std::size_t max_files = 8;
  std::vector<std::pair<const FileUnmetRequirements*, std::vector<std::string>>> blocks;
  std::map<FileUnmetRequirements, std::size_t> known;
  for (const auto& [elf, file] : files) {
    const auto [at, fresh] = known.try_emplace(file, blocks.size());
    if (fresh) blocks.emplace_back(&file, std::vector<std::string>());
    blocks[at->second].second.push_back(elf_path(wheel, elf));
  }
  for (const auto& [file, paths] : blocks) {
    const std::size_t shown = paths.size() <= max_files + 1 ? paths.size() : max_files;
    out.blank();
    for (std::size_t i = 0; i < shown; ++i) out.line({paths[i], Style::Strong});
    out.and_more("", paths.size() - shown, "file");
    add_file(out, *file);
  }
}

void add_answer(Document& out, const WheelReport& wheel, const LevelOfTag& found, std::string_view tag) {
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::vector<RequirementIndex>& unmet_requirements = assessment.levels[found.level.value].unmet_requirements;
  const std::string name = escape(assessment.level_names[found.level.value]);
  const std::string all = count_of(assessment.requirements.size(), "requirement");
  const std::string file = escape(wheel.facts.file), best = escape(assessment.level_names[assessment.best.value]);
  if (!found.exact) out.line(fmt::format("no policy is known for {}: {} judges it", escape(tag), name));
  if (unmet_requirements.empty()) {
    out.line(styled("{}: {} {}, {} ({} of {})", StyledText(file, Style::Strong),
                    StyledText("compatible with", Style::Good), name,
                    has_check_errors(wheel) ? "whose requirements are met" : "every requirement is met",
                    assessment.requirements.size(), all));
    return;
  }
  out.title({file, Style::Strong});
  out.line(styled("  {} ", StyledText("not compatible with", Style::Bad)),
           fmt::format("{}: {} of {} not met", name, unmet_requirements.size(), all), 4);
  out.line("  ", fmt::format("in short: {}", fmt::join(short_names(assessment, unmet_requirements), ", ")), 4);
  add_files(out, wheel.facts, by_file(wheel, assessment, found.level));
  out.blank();
  out.line(fmt::format("fix: list the symbols to avoid: wheelcheck why {} {} --cheapest", file, name));
  const auto is_best = [&](const PlatformTag& platform) { return platform.canonical == best; };
  if (!best.starts_with("linux_") && std::ranges::none_of(wheel.facts.name.platforms, is_best))
    out.line(fmt::format("     or claim the compatible tag: wheel tags --platform-tag {} {}", best, file));
  out.outcome(fmt::format("NOT COMPATIBLE with {}: {} of {} not met; lowest compatible tag: {}", name,
                          unmet_requirements.size(), all, best));
}

Json answer_json(const WheelReport& wheel, const LevelOfTag& found) {
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::vector<RequirementIndex>& indices = assessment.levels[found.level.value].unmet_requirements;
  Json unmet_requirements = Json::array();
  for (const RequirementIndex index : indices)
    unmet_requirements.push_back(requirement_json(wheel.facts, assessment.requirements[index.value]));
  return {{"tag", safe(assessment.level_names[found.level.value])},
          {"exact", found.exact},
          {"fits", indices.empty()},
          {"best_tag", safe(assessment.level_names[assessment.best.value])},
          {"met", assessment.requirements.size() - indices.size()},
          {"total", assessment.requirements.size()},
          {"unmet_requirements", std::move(unmet_requirements)}};
}

// The answer about each level of the tag; `asked` is the tag as typed, safe to print, or null.
Answer answer_of(const WheelReport& wheel, std::vector<LevelOfTag> levels, const Json& requested, bool unmet_fails,
                 auto add, auto json) {
  const bool fits = std::ranges::all_of(levels, [&](const LevelOfTag& one) {
    return wheel.assessments[one.assessment].levels[one.level.value].unmet_requirements.empty();
  });
  // A claim that no requirement refutes: its machine is not that of the content.
  const auto refuted = std::ranges::find_if(wheel.verdict.claims, [](const Claim& claim) {
    return claim.tag_result == TagResult::Incompatible && claim.unmet_requirements.empty();
  });
  const Claim* const other = refuted == wheel.verdict.claims.end() ? nullptr : &*refuted;
  const auto all = [levels = std::move(levels)](auto use) {
    for (const LevelOfTag& level : levels) use(level);
  };
  return {.document =
              [&wheel, all, add, fits, other] {
                Document out;
                all([&](const LevelOfTag& level) {
                  if (!out.empty()) out.blank();
                  add(out, level);
                });
                if (other != nullptr) {
                  out.blank();
                  out.line({"error ", Style::Bad},
                           fmt::format("claims {}: {}", escape(other->tag.text), escape(other->reason)), 6);
                }
                if (fits) add_check_errors(out, wheel);
                return out;
              },
          .json =
              [&wheel, requested, all, json] {
                Json answers = Json::array();
                all([&](const LevelOfTag& level) { answers.push_back(json(level)); });
                return document_text({{"schema", "wheelcheck-why"},
                                      {"version", json_version},
                                      {"file", safe(wheel.facts.file)},
                                      {"asked", requested},
                                      {"answers", std::move(answers)},
                                      {"check_errors", check_errors_json(wheel)}});
              },
          .fails = fits ? other != nullptr || has_check_errors(wheel) : unmet_fails};
}

}  // namespace

Result<Answer> why_answer(const WheelReport& wheel, std::string_view tag) {
  Result<std::vector<LevelOfTag>> found = levels_of_tag(wheel, tag);
  if (!found) return std::unexpected(found.error());
  return answer_of(
      wheel, std::move(*found), safe(tag), true,
      [&wheel, tag = std::string(tag)](Document& out, const LevelOfTag& level) { add_answer(out, wheel, level, tag); },
      [&wheel](const LevelOfTag& level) { return answer_json(wheel, level); });
}

// `wheelcheck why WHEEL [TAG] --cheapest`: the symbols that must be avoided, how to avoid each, and the cost of the
// other levels.
namespace {

constexpr std::size_t advice_symbols = 24, advice_files = 6;

std::vector<std::string> paths_of(const WheelFacts& facts, const std::vector<ElfIndex>& files) {
  std::vector<std::string> out;
  for (const ElfIndex file : files) out.push_back(elf_path(facts, file));
  return out;
}

std::vector<std::string> names_of(const Removal& removal) {
  std::vector<std::string> out;
  for (const RemovedSymbol& symbol : removal.symbols) out.push_back(escape(short_symbol(symbol.name)));
  return out;
}

// The step that leads to a level; null if nothing is missing.
const RemediationStep* step_to(const RemediationPath& path, LevelIndex level) {
  const auto at = std::ranges::find_if(
      path.steps, [&](const RemediationStep& step) { return step.newest <= level && level <= step.oldest; });
  return at == path.steps.end() ? nullptr : &*at;
}

std::string cost_text(const RemediationStep& step) {
  if (step.symbols == 0) return "no symbol";
  return fmt::format("{} in {}", count_of(step.symbols, "symbol"), count_of(step.files, "file"));
}

void add_labelled(Document& out, std::string_view label, std::string text) {
  out.line(fmt::format("  {:<4}", label), std::move(text), 6);
}

void add_files(Document& out, const WheelFacts& facts, const std::vector<ElfIndex>& files) {
  add_labelled(out, "in", first_few(paths_of(facts, files), advice_files));
}

void add_removal(Document& out, const WheelFacts& facts, const Removal& removal) {
  const std::string head = removal.node.empty()
                               ? fmt::format("denied of {}", escape(removal.library))
                               : fmt::format("{} of {}", escape(removal.node), escape(removal.library));
  out.blank();
  out.line(StyledText(head, Style::Term) + ": ",
           removal.symbols.empty() ? "no symbol has this version" : first_few(names_of(removal), advice_symbols), 4);
  add_files(out, facts, removal.files);
  add_labelled(out, "how", escape(removal.advice, 64 * 1024));
}

void add_hindrance(Document& out, const WheelReport& wheel, const OtherRequirement& other) {
  out.blank();
  out.line({subject_of(other.required), Style::Bad});
  add_files(out, wheel.facts, other.files);
  const auto* const library = std::get_if<LibraryRequirement>(&other.required.what);
  const auto here =
      library != nullptr ? unreached(wheel.resolution, other.required.elf, library->library) : std::nullopt;
  add_labelled(out, "how",
               here && here->wheel.value == 0
                   ? fmt::format("the wheel contains it, but no search path leads there: `wheelcheck {}` has the fix",
                                 escape(wheel.facts.file))
                   : other.advice);
}

// What a step removes in addition to the cheaper one before it, if it includes all removals of that one.
std::vector<std::string> names_beyond(const RemediationStep& step, const RemediationStep* before) {
  using Name = std::pair<std::string, std::string>;
  const auto all = [](const RemediationStep& of) {
    std::set<Name> names;
    for (const Removal& removal : of.removals) {
      if (removal.symbols.empty()) names.emplace(removal.node, removal.node);
      for (const RemovedSymbol& symbol : removal.symbols) names.emplace(removal.node, symbol.name);
    }
    return names;
  };
  std::set<Name> names = all(step), less = before == nullptr ? std::set<Name>() : all(*before);
  const bool has_all = !less.empty() && std::ranges::includes(names, less);
  std::vector<std::string> out;
  for (const Name& name : names)
    if (!has_all || !less.contains(name)) out.push_back(escape(short_symbol(name.second)));
  if (has_all && !out.empty()) out.front() = "and " + out.front();
  for (const OtherRequirement& other : step.other_requirements) out.push_back(subject_of(other.required));
  return out;
}

void add_steps(Document& out, const Assessment& assessment, const RemediationPath& path, LevelIndex requested) {
  out.section("steps, cheapest first");
  TextTable table{.indent = 0, .columns = {{}, {}, {}}};
  const RemediationStep* before = nullptr;
  for (const RemediationStep& step : path.steps) {
    const bool is_required = step.newest <= requested && requested <= step.oldest;
    table.rows.push_back({(is_required ? "> " : "  ") + level_range(assessment, step.newest, step.oldest),
                          cost_text(step), first_few(names_beyond(step, before), 8, 60)});
    before = &step;
  }
  out.add(std::move(table));
}

void add_answer(Document& out, const WheelReport& wheel, const LevelOfTag& found, const RemediationPath& path,
                const std::optional<std::string>& tag) {
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::string level = escape(assessment.level_names[found.level.value]);
  const StyledText file(escape(wheel.facts.file), Style::Strong);
  if (!found.exact && tag) out.line(fmt::format("no policy is known for {}: {} judges it", escape(*tag), level));
  const RemediationStep* const step = step_to(path, found.level);
  if (step == nullptr) {
    out.line(styled("{}: {} {}, {}", file, StyledText("compatible with", Style::Good), level,
                    tag ? "nothing has to be removed" : "there is no older level"));
    if (!path.steps.empty()) add_steps(out, assessment, path, found.level);
    return;
  }
  const std::string best = escape(assessment.level_names[assessment.best.value]);
  if (step->other_requirements.empty())
    out.line(styled("{}: compatible with {}; avoid {} for {}", file, best, cost_text(*step), level));
  else
    out.line(styled("{}: compatible with {}; removing symbols is not sufficient for {}: {}{}", file, best, level,
                    count_of(step->other_requirements.size(), "other unmet requirement"),
                    step->symbols == 0 ? "" : fmt::format(", and {}", cost_text(*step))));
  for (const OtherRequirement& other : step->other_requirements) add_hindrance(out, wheel, other);
  for (const Removal& removal : step->removals) add_removal(out, wheel.facts, removal);
  add_steps(out, assessment, path, found.level);
}

Json step_json(const WheelReport& wheel, const Assessment& assessment, const RemediationStep& step) {
  Json tags = Json::array(), removals = Json::array(), other_requirements = Json::array();
  for (std::uint32_t i = step.newest.value; i <= step.oldest.value; ++i)
    tags.push_back(safe(assessment.level_names[i]));
  for (const Removal& removal : step.removals) {
    Json symbols = Json::array();
    for (const RemovedSymbol& symbol : removal.symbols)
      symbols.push_back({{"name", safe_long(symbol.name)}, {"members", texts(paths_of(wheel.facts, symbol.files))}});
    removals.push_back({{"library", safe(removal.library)},
                        {"version", removal.node.empty() ? Json(nullptr) : Json(safe(removal.node))},
                        {"symbols", std::move(symbols)},
                        {"members", texts(paths_of(wheel.facts, removal.files))},
                        {"advice", safe_long(removal.advice)},
                        {"advice_known", removal.known}});
  }
  for (const OtherRequirement& other : step.other_requirements)
    other_requirements.push_back({{"kind", kind_of(other.required)},
                                  {"what", subject_of(other.required)},
                                  {"members", texts(paths_of(wheel.facts, other.files))},
                                  {"advice", other.advice}});
  return {{"tags", std::move(tags)},         {"enough", step.other_requirements.empty()},
          {"symbols", step.symbols},         {"files", step.files},
          {"removals", std::move(removals)}, {"other_requirements", std::move(other_requirements)}};
}

Json answer_json(const WheelReport& wheel, const LevelOfTag& found, const RemediationPath& path) {
  Json steps = Json::array();
  for (const RemediationStep& step : path.steps)
    steps.push_back(step_json(wheel, wheel.assessments[found.assessment], step));
  Json out = answer_json(wheel, found);
  out["steps"] = std::move(steps);
  return out;
}

// For each policy family, the tag that is cheapest to reach, or else the one that already fits.
std::vector<LevelOfTag> nearest(const WheelReport& wheel, std::span<const RemediationPath> paths) {
  std::vector<LevelOfTag> out;
  for (const RemediationPath& path : paths)
    out.push_back(
        {path.assessment, path.steps.empty() ? wheel.assessments[path.assessment].best : path.steps.front().oldest});
  return out;
}

}  // namespace

Result<Answer> why_cheapest_answer(const WheelReport& wheel, std::optional<std::string> tag,
                                   std::span<const RemediationPath> paths) {
  if (wheel.assessments.empty())
    return std::unexpected(Error{ErrorCode::Usage, fmt::format("{} has no code to compare", escape(wheel.facts.file))});
  Result<std::vector<LevelOfTag>> found = tag ? levels_of_tag(wheel, *tag) : nearest(wheel, paths);
  if (!found) return std::unexpected(found.error());
  const auto path_of = [paths](const LevelOfTag& level) -> const RemediationPath& {
    return *std::ranges::find(paths, level.assessment, &RemediationPath::assessment);
  };
  return answer_of(
      wheel, std::move(*found), maybe(tag), false,
      [&wheel, path_of, tag](Document& out, const LevelOfTag& level) {
        add_answer(out, wheel, level, path_of(level), tag);
      },
      [&wheel, path_of](const LevelOfTag& level) { return answer_json(wheel, level, path_of(level)); });
}

}  // namespace wheelcheck::report
